# SPDX-License-Identifier: Apache-2.0
# For tests of OpenMP tracing.
set -u
collect=$BUILD/bin/collect er_print=$BUILD/bin/er_print
. "$TESTS/end-to-end/checks.bash"
printf 'int main(void)\n{\n#pragma omp parallel\n;\n}\n' | gcc -fopenmp -x c -o /dev/null - 2>/dev/null || { echo "gcc has no OpenMP"; exit 77; }
# Whether clang is there with its run-time.
has_libomp()
{
	printf 'int main(void)\n{\n#pragma omp parallel\n;\n}\n' | clang -fopenmp -x c -o /dev/null - 2>/dev/null
}
# regions [SELECTION...] EXPERIMENT: "FUNCTION CALLS MEMBERS TIME WORK WAIT", times in seconds, a line for each region; the function is that which
# the region is in.
regions()
{
	"$er_print" -printmode ';' "${@:1:$#-1}" -OMP_preg "${@:$#}" 2>unfinished | "$TESTS/tools/rows" |
		awk -F'\t' '$7 != "<Total>" { split($7, name, "[ ,]"); printf "%s %d %.0f %s %s %s\n", name[1], $1, $1 * $2, $3, $4, $5 }' | sort
}
