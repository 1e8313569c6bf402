// SPDX-License-Identifier: Apache-2.0
// Opens, uses and closes plug-ins in turn, 200 times a second: hostile_dlopen TIMES PLUGIN... . Each has a function use(ns)
// that is busy for so much CPU time. Prints the seconds of CPU time spent in each, by its own clock.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 16, BUSY = 2000000, PERIOD = 5000000 };

static long long clock_of(clockid_t id)
{
	struct timespec t;
	clock_gettime(id, &t);
	return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
}

int main(int argc, char **argv)
{
	double spent[MOST] = {0};
	long long next = clock_of(CLOCK_MONOTONIC);
	if (argc < 3 || argc > MOST)
		return 2;
	for (int i = 0; i < atoi(argv[1]); i++) {
		int n = 2 + i % (argc - 2);
		void *plugin = dlopen(argv[n], RTLD_NOW | RTLD_LOCAL);
		void (*use)(long long) = plugin ? (void (*)(long long))dlsym(plugin, "use") : 0;
		if (!use)
			return 2;
		long long start = clock_of(CLOCK_THREAD_CPUTIME_ID);
		use(BUSY);
		spent[n] += (double)(clock_of(CLOCK_THREAD_CPUTIME_ID) - start) / 1e9;
		dlclose(plugin);
		next += PERIOD;
		long long left = next - clock_of(CLOCK_MONOTONIC);
		if (left > 0)
			nanosleep(&(struct timespec){.tv_nsec = left % 1000000000}, 0);
	}
	for (int n = 2; n < argc; n++)
		printf("%.6f %s\n", spent[n], argv[n]);
	return 0;
}
