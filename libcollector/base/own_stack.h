/* SPDX-License-Identifier: Apache-2.0 */
/* Running a function on a stack of ours, where the target's has no room for it. */
#ifndef OWN_STACK_H
#define OWN_STACK_H

#include <stddef.h>

/* Calls function(argument) with the stack pointer at `top`, which is a multiple of 16, and returns on the stack of the caller.
   Whoever walks the stack meanwhile gets to the caller by the frame pointer. */
void own_stack_call(void (*function)(void *), void *argument, void *top);

#endif
