#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Stacks on arm64: each shape of tests/programs/torture.c and torture_cxx.cc, with and without signed return addresses, on a
# processor that checks them: at least 97 % of the stacks show the shape's outer function and are walked to the thread's start
# without a guess, and each is what a walk that remembers nothing gives. The same of every malloc and free of a C++ program, of
# which libgcc's unwinder sees the same frames.
# limit: 900
. "$TESTS/end-to-end/guest.bash"
on_guest -c max,pauth-impdef=on -t 800 <<'SCRIPT' || exit
grep -q '^Features.* paca ' /proc/cpuinfo || { echo "no pointer authentication"; exit 1; }
export SAMPLER_REPORT=/out/report LD_PRELOAD_OF=$PROGRAMS/sampler.so
for program in $PROGRAMS/torture-* $PROGRAMS/torture_cxx-*; do
	for shape in $($program); do
		echo "shape $(basename $program) $shape" >>/out/report
		LD_PRELOAD=$LD_PRELOAD_OF $program $shape 0.06 || exit
	done
done
echo "shape sort_shapes heap" >>/out/report
SAMPLER_HEAP=1 SAMPLER_LIBGCC=10 LD_PRELOAD=$LD_PRELOAD_OF $PROGRAMS/sort_shapes 2 >/dev/null
SCRIPT
awk '
	$1 == "shape" { program = $2; shape = $3; next }
	{
		found++
		for (i = 2; i < NF; i += 2)
			v[$i] = $(i + 1)
		# longjmp has the registers of two functions at once, and what it says of them is not so (a mangled address).
		least = shape == "longjmp" || shape == "noreturn" ? 80 : shape == "without_cfi" ? 0 : program ~ /cxx/ ? 95 : 97
		wrong = v["mismatched"] != 0 || v["differ"] != 0
		if (shape == "heap")
			wrong = wrong || v["libgcc"] < 100 || v["compared"] < 1000
		else
			wrong = wrong || v["samples"] < 100 || v["outer"] < 97
		if (wrong || v["complete"] < least) {
			print program, shape ": " $0
			failed = 1
		}
	}
	END {
		print found + 0 " shapes"
		exit failed || found < 55
	}' out/report
