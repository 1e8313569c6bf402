/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of the functions of regions.def. They have the versions of libgomp's symbols and no default one, so that only
   who was linked to libgomp gets them: a program that asks by a weak reference whether OpenMP is there (and has no version to
   ask for, as nothing was there when it was linked) finds none of ours. */
#include "interpose.h"
#include "openmp.h"
#include <string.h>

#define WORDS_1  long a
#define WORDS_2  long a, long b
#define WORDS_4  long a, long b, long c, long d
#define WORDS_5  long a, long b, long c, long d, long e
#define VALUES_1 a
#define VALUES_2 a, b
#define VALUES_4 a, b, c, d
#define VALUES_5 a, b, c, d, e

/* Without a run-time the thread that encounters the region is its whole team. */
#define WRAPPER(name, version, extra, reduces)                                                                         \
	INTERPOSE long name##_of_libgomp(region_body *function, void *data, unsigned threads, WORDS_##extra);          \
	__asm__(".symver " #name "_of_libgomp, " #name "@" version);                                                   \
	long name##_of_libgomp(region_body *function, void *data, unsigned threads, WORDS_##extra)                     \
	{                                                                                                              \
		typedef long real_function(region_body *, void *, unsigned, WORDS_##extra);                            \
		real_function *real = (real_function *)runtime_function(FUNCTION_##name, (const void *)function);      \
		struct team team = {.function = function, .data = data};                                               \
		if (!real) {                                                                                           \
			function(data);                                                                                \
			return 1;                                                                                      \
		}                                                                                                      \
		if (!region_begin(&team, threads, __builtin_frame_address(0)))                                         \
			return real(function, data, threads, VALUES_##extra);                                          \
		if (reduces)                                                                                           \
			memcpy(&team.first, data, sizeof team.first);                                                  \
		long result = real(region_member, &team, threads, VALUES_##extra);                                     \
		region_end(&team);                                                                                     \
		return result;                                                                                         \
	}

#define REGION(name, version, extra, reduces) WRAPPER(name, version, extra, reduces)
#include "regions.def"
