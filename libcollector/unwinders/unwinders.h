/* SPDX-License-Identifier: Apache-2.0 */
/* The unwinders kind: beside each tick what libunwind makes of the same stack, for tests and doubts. */
#ifndef UNWINDERS_H
#define UNWINDERS_H

#include <stdint.h>
#include <ucontext.h>

struct thread;

/* In the handler, when `stack` was captured: records libunwind's, where the settings ask for it. */
void unwinders_compare(struct thread *thread, const ucontext_t *context, uint32_t stack);

#endif
