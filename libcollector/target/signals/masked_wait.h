/* SPDX-License-Identifier: Apache-2.0 */
/* Making a wait that takes a mask of signals: ours is added to the mask that the kernel gets, atomically; without a mask it
   is blocked as around any wait. */
#ifndef MASKED_WAIT_H
#define MASKED_WAIT_H

#include "our_signal.h"
#include "signal_mask.h"

struct masked_wait {
	sigset_t copy;
	const sigset_t *mask; /* what the kernel gets */
	bool held;
};

static inline void masked_wait_begin(struct masked_wait *wait, const sigset_t *mask)
{
	wait->mask = mask;
	wait->held = !mask && our_signal_hold();
	if (mask && our_signal_holds()) {
		wait->copy = mask_with_ours(mask, true);
		wait->mask = &wait->copy;
	}
}

/* The result of `call`, which gives `masked` as its mask in place of the target's. */
#define MASKED_CALL(type, call, target_mask)                                                                           \
	({                                                                                                             \
		struct masked_wait wait_;                                                                              \
		masked_wait_begin(&wait_, target_mask);                                                                \
		const sigset_t *masked = wait_.mask;                                                                   \
		type waited_ = call;                                                                                   \
		our_signal_release(wait_.held);                                                                        \
		waited_;                                                                                               \
	})

#endif
