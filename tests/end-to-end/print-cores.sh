#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Reports are the same bytes for any number of cores: sums, filters, the order of time, exports, damage, and many processes.
. "$TESTS/end-to-end/print.bash"
sum=$("$BUILD/tests/bench/many_events" clock.1.er 300000 2000 "$BUILD/bin/collect")
cat >threads.c <<'C'
#include <pthread.h>
#include <stdlib.h>
void *volatile kept[4];
static void *allocate(void *slot)
{
	for (int i = 0; i < 60000; i++) {
		void *block = malloc((size_t)(16 + i % 50));
		if (i % 1000)
			free(block);
		else
			*(void *volatile *)slot = block;
	}
	return 0;
}
int main(void)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], 0, allocate, (void *)&kept[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], 0);
	return 0;
}
C
gcc -O1 -g -o threads threads.c -lpthread
"$BUILD/bin/collect" -p off -H on -O said -o heap.1.er ./threads
"$BUILD/bin/collect" -p off -s all -F on -O said -o family.1.er bash -c 'for i in {1..40}; do /bin/true; done'
[ "$(find family.1.er -maxdepth 1 -name '_*' | wc -l)" -ge 40 ]
messages=$("$BUILD/tests/bench/many_ranks" job.1.er 6 300000)
# Bytes of blocks that are sealed: their checksums are wrong.
cp -r clock.1.er damaged.1.er
size=$(stat -c %s damaged.1.er/clock.events)
for part in 9 7 5 3; do
	printf 'what' | dd of=damaged.1.er/clock.events bs=1 seek=$((size / 10 * part)) conv=notrunc status=none
done

# The files of all reports and exports for so many cores, and what is said.
all()
{
	local cores=$1 status
	"$er_print" -use_cores "$cores" -printmode csv -metrics i.totalcpu:e.user:e.system:name -outfile clock -functions -callers-callees \
		-calltree -lines -pcs -indxobj Threads -indxobj CPUs -indxobj Seconds -experiment_list -header \
		-filters 'THRID % 3 == 1 && FNAME("[a-m].*") IN LEAF' -functions -indxobj Threads -filters 'TSTAMP % 7 < 3' -functions \
		-folded folded -speedscope speedscope ../clock.1.er
	"$er_print" -use_cores "$cores" -outfile heap -functions -leaks -allocs -heapstat -filters 'HLEAKED > 0' -functions ../heap.1.er
	"$er_print" -use_cores "$cores" -outfile family -functions -experiment_list -header -indxobj Processes -overview ../family.1.er
	"$er_print" -use_cores "$cores" -outfile job -functions -mpi_matrix -mpi_waits -mpi_critical -limit 100 -mpi_messages \
		-filters 'MRANK % 2' -mpi_matrix -mpi_waits ../job.1.er
	for what in "-functions ../damaged.1.er" "-compare delta -functions ../clock.1.er ../damaged.1.er"; do
		status=0
		"$er_print" -use_cores "$cores" -header -outfile "damaged$((n++))" $what || status=$?
		[ $status -eq 1 ] || { echo "status $status"; return 1; }
	done
}
for cores in 1 2 5 64; do
	n=0
	mkdir "by$cores"
	(cd "by$cores" && all $cores) >"said.$cores" 2>&1 || { cat "said.$cores"; exit 1; }
	sed "s/^Cores: $cores\$/Cores: N/" "said.$cores" >"by$cores/said"
	diff -r by1 "by$cores" >difference || { head -c 3000 difference; exit 1; }
done
"$er_print" -printmode csv -metrics e.totalcpu:name -functions clock.1.er 2>/dev/null | grep -q "^$((sum / 1000000000))\.[0-9]*,<Total>" ||
	{ echo "<Total> is not $sum nanoseconds"; exit 1; }
grep -q "^MPI messages: $messages, of which 0 without a receive" by1/job || { head by1/job; exit 1; }
[ "$(grep -c 'clock.events: the checksum is wrong in the block at offset' by1/said)" -ge 2 ]
# A core that the process may not use is none.
[ "$(taskset -c "$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')" "$er_print" -use_cores all clock.1.er 2>&1)" = "Cores: 1" ]
ends 1 'Error: Invalid argument to command: use_cores 65: it must be all, or a number from 1 to 64' -use_cores 65 clock.1.er
ends 1 'Error: Invalid argument to command: use_cores none: it must be all, or a number from 1 to 64' -use_cores none clock.1.er
