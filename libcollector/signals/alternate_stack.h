/* SPDX-License-Identifier: Apache-2.0 */
/* Alternate signal stacks of the target that are too small for a handler of ours. Once there is one, our handlers run on the
   thread's own stack, and wait while a handler of the target's runs on its alternate stack. */
#ifndef ALTERNATE_STACK_H
#define ALTERNATE_STACK_H

#include <signal.h>
#include <stdbool.h>

/* The flags of our handlers. */
int our_handler_flags(void);

/* Whether our signal must wait while a handler with these flags runs. */
bool our_signal_waits_for_handler(int flags);

#endif
