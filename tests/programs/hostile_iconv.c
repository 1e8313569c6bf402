// SPDX-License-Identifier: Apache-2.0
// libc opens and closes converters of its own, which nobody but libc sees: hostile_iconv MILLISECONDS [CHARSET...]. Each
// charset in turn is opened, used for so much CPU time, and closed; then again from the start, three times. One line a use:
// the seconds of CPU time that it took, and the charset.
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double cpu_time(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	static char from[1 << 16], to[1 << 18];
	if (argc < 3)
		return 2;
	memset(from, 'a', sizeof from);
	for (int round = 0; round < 3; round++) {
		for (int i = 2; i < argc; i++) {
			double start = cpu_time(), now;
			iconv_t converter = iconv_open(argv[i], "UTF-8");
			if (converter == (iconv_t)-1)
				return 2;
			do {
				char *source = from, *target = to;
				size_t left = sizeof from, room = sizeof to;
				if (iconv(converter, &source, &left, &target, &room) == (size_t)-1)
					return 2;
			} while ((now = cpu_time()) - start < atof(argv[1]) / 1000);
			iconv_close(converter);
			printf("%.6f %s\n", now - start, argv[i]);
		}
	}
	return 0;
}
