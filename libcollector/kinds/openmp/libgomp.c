/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of the functions of libgomp.def: a region's function is called through us in each member of its team, so
   that it is known which thread works in which region. Ours have the versions of libgomp's symbols and no default one, so that only
   who was linked to libgomp gets them: a program that asks by a weak reference whether OpenMP is there (and has no version to
   ask for, as nothing was there when it was linked) finds none of ours. */
#include "libgomp.h"
#include "interpose.h"
#include "openmp.h"
#include "thread.h"
#include <string.h>

bool team_begin(struct team *team, unsigned requested, const void *frame)
{
	struct region_place place = {.frame = frame, .function = (const void *)team->function};
	bool recorded = region_begin(&team->region, requested, &place);
	/* Other run-times that have libgomp's functions may tell ompt.c of the same region. */
	if (recorded)
		current_thread->region_told = true;
	return recorded;
}

void libgomp_member(void *argument)
{
	const struct team *team = argument;
	struct member_place place = {.frame = __builtin_frame_address(0)};
	bool recorded = member_begin(&team->region, &place);
	if (current_thread)
		current_thread->region_told = false;
	libgomp_run(team->function, team->data, recorded);
	if (recorded)
		member_end(&team->region);
}

/* Without a run-time the thread that encounters the region is its whole team. */
#define WRAPPER(name, version, extra, reduces)                                                                         \
	INTERPOSE long name##_of_libgomp(region_body *function, void *data, unsigned threads LIBGOMP_WORDS_##extra);   \
	__asm__(".symver " #name "_of_libgomp, " #name "@" version);                                                   \
	long name##_of_libgomp(region_body *function, void *data, unsigned threads LIBGOMP_WORDS_##extra)              \
	{                                                                                                              \
		typedef long real_function(region_body *, void *, unsigned LIBGOMP_WORDS_##extra);                     \
		real_function *real = (real_function *)libgomp_real(LIBGOMP_##name, (const void *)function);           \
		struct team team = {.function = function, .data = data};                                               \
		if (!real) {                                                                                           \
			function(data);                                                                                \
			return 1;                                                                                      \
		}                                                                                                      \
		if (!team_begin(&team, threads, __builtin_frame_address(0)))                                           \
			return real(function, data, threads LIBGOMP_VALUES_##extra);                                   \
		if (reduces)                                                                                           \
			memcpy(&team.first, data, sizeof team.first);                                                  \
		long result = real(libgomp_member, &team, threads LIBGOMP_VALUES_##extra);                             \
		region_end(&team.region);                                                                              \
		return result;                                                                                         \
	}

#define REGION(name, version, extra, reduces) WRAPPER(name, version, extra, reduces)
#include "libgomp.def"
