/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of longjmp: a handler of the target's that leaves a wait so never comes back to where our signal would be
   unblocked again. */
#include "interpose.h"
#include "our_signal.h"
#include <setjmp.h>

#define JUMP(name)                                                                                                     \
	__attribute__((noreturn)) void name(struct __jmp_buf_tag where[1], int value);                                 \
	INTERPOSE void name(struct __jmp_buf_tag where[1], int value)                                                  \
	{                                                                                                              \
		our_signal_leave();                                                                                    \
		REAL(name)(where, value);                                                                              \
		__builtin_unreachable();                                                                               \
	}
JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)
