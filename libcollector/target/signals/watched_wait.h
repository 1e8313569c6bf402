/* SPDX-License-Identifier: Apache-2.0 */
/* A watcher is told when a call of the target begins that may wait, and when it has ended. */
#ifndef WATCHED_WAIT_H
#define WATCHED_WAIT_H

/* Both are called from the wrapper of the call. The stack stays as it is from the address `unchanged` on until the call has ended:
   that address is in the wrapper's frame. The watcher keeps errno as it is. */
struct wait_watcher {
	void (*begun)(const void *unchanged);
	void (*ended)(const void *unchanged);
};
/* Has every call told from now on that may wait, also those of kinds that are not recorded (kind_operations.tell_waits). */
void waits_watch(struct wait_watcher watcher);

extern struct wait_watcher wait_watcher __attribute__((visibility("hidden"))); /* 0, 0: there is none */

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
