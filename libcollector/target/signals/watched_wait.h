/* SPDX-License-Identifier: Apache-2.0 */
/* Telling that a call of the target that may wait begins and has ended, to whom wants to know. */
#ifndef WATCHED_WAIT_H
#define WATCHED_WAIT_H

/* From `unchanged` on the stack stays as it is until the call has ended. In that call's frame or within. errno stays as it is. */
struct wait_watcher {
	void (*begun)(const void *unchanged);
	void (*ended)(const void *unchanged);
};
/* Has every call told from now on that may wait, also those of kinds that are not recorded (kind_operations.tell_waits). */
void waits_watch(struct wait_watcher watcher);

extern struct wait_watcher wait_watcher __attribute__((visibility("hidden"))); /* 0, 0: nobody does */

static inline void wait_begun(const void *unchanged)
{
	if (__builtin_expect(wait_watcher.begun != 0, 0))
		wait_watcher.begun(unchanged);
}

static inline void wait_ended(const void *unchanged)
{
	if (__builtin_expect(wait_watcher.ended != 0, 0))
		wait_watcher.ended(unchanged);
}

#endif
