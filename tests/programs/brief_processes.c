// SPDX-License-Identifier: Apache-2.0
// N children one after the other, each busy for a moment of another length, with one wait in it. Prints how many did not end
// with status 0. brief_processes N
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void brief(int number)
{
	volatile unsigned sum = 0;
	for (int i = 0; i < 50000 + number % 37 * 3000; i++)
		sum += (unsigned)i;
	usleep(200); // long enough that the kernel does not return before it has switched
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 100, bad = 0;
	for (int i = 0; i < count; i++) {
		int status = 0;
		pid_t child = fork();
		if (!child) {
			brief(i);
			exit(0);
		}
		if (child < 0 || waitpid(child, &status, 0) != child)
			return 2;
		bad += status != 0;
	}
	printf("%d\n", bad);
	return 0;
}
