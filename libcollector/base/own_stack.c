/* SPDX-License-Identifier: Apache-2.0 */
/* Changing the stack pointer around a call. */
#include "own_stack.h"
#include "architecture.h"

OWN_STACK_CALL;
