/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of the functions of libgomp.def that begin a region and leave its end to another one. The team's other members
   begin as elsewhere; the caller works between the two calls. */
#include "free_list.h"
#include "interpose.h"
#include "libgomp.h"
#include "openmp.h"
#include "thread.h"
#include <stddef.h>

/* A region until its end is called for: it outlives the frame of the call that began it. */
struct open_team {
	struct open_team *outer; /* of the same thread; or the next in the list of unused ones */
	struct team team;
	bool works; /* the caller's own membership is recorded */
};
static struct free_list unused;

/* The region that begins, or 0: it is not recorded. Inside of such a one none is, so that each end finds its region. */
static struct open_team *open_team(region_body *function, void *data, unsigned requested, const void *frame)
{
	struct thread *thread = current_thread;
	struct open_team *open = thread && !thread->untold_teams ? free_list_take_or_map(&unused, sizeof *open) : 0;
	if (open) {
		open->team = (struct team){.function = function, .data = data};
		if (team_begin(&open->team, requested, frame))
			return open;
		free_list_give(&unused, open);
	}
	if (thread)
		thread->untold_teams++;
	return 0;
}

/* The caller is a member from now on. */
static void work_in(struct open_team *open)
{
	struct thread *thread = current_thread;
	thread->region_told = false;
	open->outer = thread->open_teams;
	thread->open_teams = open;
	open->works = member_begin(&open->team.region, &(struct member_place){0});
}

/* The region that the caller ends, which is not one of its own any more; 0: it is not recorded. */
static struct open_team *close_team(void)
{
	struct thread *thread = current_thread;
	if (!thread)
		return 0;
	if (thread->untold_teams) {
		thread->untold_teams--;
		return 0;
	}
	struct open_team *open = thread->open_teams;
	if (!open)
		return 0;
	thread->open_teams = open->outer;
	if (open->works)
		member_end(&open->team.region);
	return open;
}

#define WRAPPER(name, version, extra)                                                                                  \
	INTERPOSE void name##_of_libgomp(region_body *function, void *data, unsigned threads LIBGOMP_WORDS_##extra);   \
	__asm__(".symver " #name "_of_libgomp, " #name "@" version);                                                   \
	void name##_of_libgomp(region_body *function, void *data, unsigned threads LIBGOMP_WORDS_##extra)              \
	{                                                                                                              \
		typedef void real_function(region_body *, void *, unsigned LIBGOMP_WORDS_##extra);                     \
		real_function *real = (real_function *)libgomp_real(LIBGOMP_##name, (const void *)function);           \
		if (!real)                                                                                             \
			return; /* the caller is the whole team */                                                     \
		struct open_team *open = open_team(function, data, threads, __builtin_frame_address(0));               \
		if (!open) {                                                                                           \
			real(function, data, threads LIBGOMP_VALUES_##extra);                                          \
			return;                                                                                        \
		}                                                                                                      \
		real(libgomp_member, &open->team, threads LIBGOMP_VALUES_##extra);                                     \
		work_in(open);                                                                                         \
	}

#define START(name, version, extra) WRAPPER(name, version, extra)
#include "libgomp.def"

INTERPOSE void GOMP_parallel_end_of_libgomp(void);
__asm__(".symver GOMP_parallel_end_of_libgomp, GOMP_parallel_end@GOMP_1.0");
void GOMP_parallel_end_of_libgomp(void)
{
	struct open_team *open = close_team();
	const void *code = open ? (const void *)open->team.function : __builtin_return_address(0);
	void (*real)(void) = (void (*)(void))libgomp_real(LIBGOMP_GOMP_parallel_end, code);
	if (real)
		real();
	if (!open)
		return;
	region_end(&open->team.region);
	free_list_give(&unused, open);
}
