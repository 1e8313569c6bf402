#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 600
# Programs with OpenMP that nobody here wrote: the same results as without us, regions and tasks as often as the run-time was asked for
# them, all their time below who began the regions, and the CPU time of getrusage. BOTS=FOLDER has the sources of the Barcelona OpenMP
# Tasks Suite, which no Debian package has; without it, its programs are not run.
. "$TESTS/end-to-end/openmp.bash"
. "$TESTS/verify/bounds.bash"
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive
gcc -O1 -w -shared -fPIC -o usage.so "$TESTS/programs/openmp/oracle.c" && gcc -O1 -w -shared -fPIC -DCOUNTS -o counts.so "$TESTS/programs/openmp/oracle.c" || exit 1
# total COMMAND EXPERIMENT: the first number in the report's line <Total>.
total()
{
	"$er_print" -printmode ';' "-$1" "$2" 2>/dev/null | "$TESTS/tools/rows" | awk -F'\t' '/\t<Total>(\t|$)/ { print $1; exit }'
}
# off EXPECTED FOUND
off()
{
	awk -v expected="$1" -v found="$2" 'BEGIN {
		off = expected - found
		print (found == "" ? found : off < 0 ? -off : off) }'
}
# program NAME RESULT COMMAND...: RESULT is a sed script that takes what differs between any two runs out of what it writes.
program()
{
	local name=$1 result=$2 regions tasks cpu below
	shift 2
	# The count is another run's, as who calls the run-time must be the program.
	LD_PRELOAD=$PWD/counts.so ORACLE=$PWD/$name.counted "$@" </dev/null 2>&1 | sed -E "$result" >"$name.plain"
	LD_PRELOAD=$PWD/usage.so ORACLE=$PWD/$name.used "$collect" -p hi -o "$name.er" "$@" </dev/null 2>&1 |
		sed -E "/^(Creating experiment|collect: )/d;$result" >"$name.traced"
	diff "$name.plain" "$name.traced" | head -n 5
	bound "$name: lines of its results that differ ($(wc -l <"$name.plain") lines)" "$(diff "$name.plain" "$name.traced" | grep -c '^[<>]')" 0
	read -r regions tasks _ <"$name.counted"
	read -r _ _ cpu <"$name.used"
	bound "$name: regions, off the $regions that it asked for" "$(off "$regions" "$(total OMP_preg "$name.er")")" 0
	[ "$tasks" -eq 0 ] || bound "$name: tasks, off the $tasks that it asked for" \
		"$(off "$tasks" "$(total OMP_task "$name.er")")" 0
	below=$("$er_print" -printmode ';' -metrics i.totalcpu:name -functions "$name.er" 2>/dev/null | "$TESTS/tools/rows" |
		awk -F'\t' '{ time[$2] = $1 } END { print time["<Total>"], (time["main"] ? time["main"] : time["__libc_start_call_main"]) + time["<OMP-idle>"] + time["<collector>"] + time["<process start>"] }')
	bound "$name: CPU time ($(printf %.2f "$cpu") s) that is not below main or __libc_start_call_main, %" "$(awk '{ printf "%.2f", $1 ? ($1 - $2) / $1 * 100 : 100 }' <<<"$below")" 2
	bound "$name: CPU time beside getrusage's, %" "$(awk -v a="$cpu" '{ d = $1 / a * 100 - 100; printf "%.2f", d < 0 ? -d : d }' <<<"$below")" 2
}
# have COMMAND...: says which are missing.
have()
{
	local one
	for one; do
		command -v "$one" >/dev/null || { echo "no $one: not run"; return 1; }
	done
}
# Fuzzy matches of 400 changed messages among 4000.
messages()
{
	awk -v change="$1" 'BEGIN {
		print "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n"
		for (i = 0; i < 4000; i++) {
			text = ""
			for (n = i * 7919 + 13; n; n = int(n / 11)) text = text " word" n % 11
			if (change && i % 10 == 0) text = text " new" i
			print "msgid \"Message " i text "\"\nmsgstr \"" (change ? "" : "Nachricht " i) "\"\n" } }'
}
messages 0 >old.po
messages 1 >new.pot
have msgmerge && program msgmerge '' "$(command -v msgmerge)" -q -o - old.po new.pot
have gm && program GraphicsMagick '' "$(command -v gm)" convert -size 1500x1500 gradient:red-blue -blur 0x12 -edge 2 -depth 8 ppm:-
blas=$(ls /usr/lib/*/openblas-openmp/libblas.so.3 2>/dev/null)
cat >product.py <<'END'
import numpy
a = numpy.arange(1400 * 1400, dtype=float).reshape(1400, 1400) % 97
for turn in range(12):
    b = a @ a.T
    a = (b % 89) + turn
print("%.3f %.3f" % (a.sum(), b.trace()))
END
if [ -n "$blas" ] && /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
	LD_LIBRARY_PATH=$(dirname "$blas") program numpy '' /usr/bin/python3 product.py
fi
cat >transform.c <<'END'
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* As in FFTW's manual; its header is not needed. */
int fftw_init_threads(void);
void fftw_plan_with_nthreads(int);
void *fftw_plan_dft_2d(int, int, double (*)[2], double (*)[2], int, unsigned);
void fftw_execute(void *);
int main(void)
{
	enum { SIDE = 1024, ESTIMATE = 64 };
	double (*in)[2] = calloc(SIDE * SIDE, sizeof *in), (*out)[2] = calloc(SIDE * SIDE, sizeof *out), sum = 0;
	fftw_init_threads();
	fftw_plan_with_nthreads(2);
	void *there = fftw_plan_dft_2d(SIDE, SIDE, in, out, -1, ESTIMATE), *back = fftw_plan_dft_2d(SIDE, SIDE, out, in, 1, ESTIMATE);
	for (size_t i = 0; i < SIDE * SIDE; i++)
		in[i][0] = (double)(i * 7919 % 1009);
	for (int turn = 0; turn < 15; turn++) {
		fftw_execute(there);
		for (size_t i = 0; i < SIDE * SIDE; i++)
			out[i][0] /= SIDE * SIDE, out[i][1] /= SIDE * SIDE;
		fftw_execute(back);
	}
	for (size_t i = 0; i < SIDE * SIDE; i++)
		sum += in[i][0] * (double)(i % 13);
	printf("%.9e\n", sum);
	return 0;
}
END
fftw=$(ls /usr/lib/*/libfftw3_omp.so.3 2>/dev/null)
if [ -n "$fftw" ] && gcc -O2 -g -w -o transform transform.c "$fftw" "${fftw/_omp/}"; then
	program FFTW '' ./transform
fi
# Ranks with threads, in C++: the regions' functions are those of members and of lambdas, and workers send messages.
cat >hybrid.cc <<'END'
#include <mpi.h>
#include <cstdio>
#include <omp.h>
#include <vector>
struct grid {
	std::vector<double> cells = std::vector<double>(200000, 1.0);
	void relax()
	{
#pragma omp parallel for
		for (size_t i = 0; i < cells.size(); i++)
			for (int n = 0; n < 20; n++)
				cells[i] = cells[i] * 0.5 + 0.25 * n;
	}
};
int main(int argc, char **argv)
{
	int given, rank, other, got[2];
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	grid mine;
	auto exchange = [&] {
#pragma omp parallel num_threads(2)
		for (int step = 0, tag = omp_get_thread_num(); step < 2; step++)
			if (step == rank)
				MPI_Send(&rank, 1, MPI_INT, !rank, tag, MPI_COMM_WORLD);
			else
				MPI_Recv(got + tag, 1, MPI_INT, !rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	};
	for (int turn = 0; turn < 50; turn++) {
		mine.relax();
		exchange();
	}
	double sum = mine.cells[7] + got[0] + got[1], all;
	MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	if (!rank)
		printf("%d %.9e\n", given == MPI_THREAD_MULTIPLE, all);
	MPI_Finalize();
	return 0;
}
END
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_base_warn_component_unused=0
if have mpic++.openmpi mpirun.openmpi && mpic++.openmpi -O1 -g -w -fopenmp -o hybrid hybrid.cc; then
	mpirun.openmpi --oversubscribe -np 2 ./hybrid >hybrid.plain 2>/dev/null
	"$collect" -p hi -M OMPI -o hybrid.er mpirun.openmpi --oversubscribe -np 2 -- ./hybrid >hybrid.traced 2>hybrid.errors || cat hybrid.errors
	cat hybrid.plain
	bound "ranks with threads: lines of their results that differ" "$(diff hybrid.plain hybrid.traced | grep -c '^[<>]')" 0
	bound "ranks with threads: regions, off two times 100" "$(off 200 "$(total OMP_preg hybrid.er)")" 0
	bound "ranks with threads: sends below main, off 2 * 2 * 50" "$(off 200 "$("$er_print" -printmode ';' -metrics i.mpisend:name \
		-functions hybrid.er 2>/dev/null | "$TESTS/tools/rows" -n main -f 1)")" 0
fi
# Their times and rates differ.
suite()
{
	local name
	cp -r "$BOTS" suite && cd suite || return
	if [ -d .git ] || [ -f HEAD ]; then
		cd .. && rm -rf suite && mkdir suite && git --git-dir="$(ls -d "$BOTS/.git" 2>/dev/null || echo "$BOTS")" archive HEAD | tar x -C suite && cd suite || return
	fi
	./configure --compiler gcc </dev/null >/dev/null 2>&1
	sed -i 's/^OPT_FLAGS=.*/OPT_FLAGS=-O2 -g -fcommon -w/' config/make.config
	for name in alignment fft floorplan health nqueens sort sparselu strassen uts; do
		make -s -C omp-tasks/$name -k >/dev/null 2>&1
	done
	cd ..
	program alignment.bots "$times" suite/bin/alignment.gcc.for-omp-tasks -c -f suite/inputs/alignment/prot.20.aa
	program health.bots "$times" suite/bin/health.gcc.omp-tasks -c -f suite/inputs/health/small.input
	program sparselu.bots "$times" suite/bin/sparselu.gcc.for-omp-tasks -c -n 40 -m 40
	program strassen.bots "$times" suite/bin/strassen.gcc.omp-tasks -c -n 1024
	program sort.bots "$times" suite/bin/sort.gcc.omp-tasks -c -n 8388608
	program nqueens.bots "$times" suite/bin/nqueens.gcc.omp-tasks-manual -c -n 11
}
times='/@ 0x|[Tt]ime|[Rr]ate|[Ss]peed|Date|Load/d'
[ -z "${BOTS:-}" ] || suite
verdict
