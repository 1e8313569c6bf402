// SPDX-License-Identifier: Apache-2.0
// Locks all its memory, also what it will have, and says how many kilobytes of address space it has; or how that failed.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

int main(void)
{
	char line[256];
	if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) {
		printf("mlockall: %s\n", strerror(errno));
		return 1;
	}
	FILE *status = fopen("/proc/self/status", "r");
	unsigned kilobytes = 0;
	while (status && fgets(line, sizeof line, status))
		sscanf(line, "VmSize: %u", &kilobytes);
	printf("%u\n", kilobytes);
	return kilobytes == 0;
}
