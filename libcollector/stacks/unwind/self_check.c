/* SPDX-License-Identifier: Apache-2.0 */
/* In builds for tests: each capture a second time, remembering nothing, which must give the same node. */
#ifdef UNWIND_SELF_CHECK
#include "incremental.h"
#include "pages.h"

#undef incremental_walk
#define ANEW_SIZE (1u << 20)

uint64_t self_check_compared, self_check_mismatched;

struct captured self_checked_walk(struct remembered *r, struct stack_bounds bounds, const struct frame *start,
	const uint64_t *registers, uint32_t limit)
{
	struct captured captured = incremental_walk(r, bounds, start, registers, limit), again;
	struct remembered *anew = r->anew;
	if (!anew) {
		anew = r->anew = pages_map(ANEW_SIZE);
		remembered_place(anew, anew + 1, ANEW_SIZE - sizeof *anew);
	}
	anew->top = anew->bottom = anew->named = 0;
	again = incremental_walk(anew, bounds, start, registers, limit);
	__atomic_fetch_add(&self_check_compared, 1, __ATOMIC_RELAXED);
	if (captured.stack != again.stack || captured.depth != again.depth || captured.end != again.end ||
		captured.heuristic != again.heuristic)
		__atomic_fetch_add(&self_check_mismatched, 1, __ATOMIC_RELAXED);
	return captured;
}
#else
extern int self_check_is_not_built; /* a translation unit must not be empty */
#endif
