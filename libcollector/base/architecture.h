/* SPDX-License-Identifier: Apache-2.0 */
/* The processor, as far as the collector alone needs it (see also machine.h). For the walk of a stack: register numbers, where the
   kernel puts the registers of an interrupted thread, how a return address is stored, how code that calls, enters and leaves
   looks like. For the rest: pieces of assembly, the thread pointer, names with the processor in them. */
#ifndef ARCHITECTURE_H
#define ARCHITECTURE_H

#include "machine.h"
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <ucontext.h>

/* Where a frame pointer frame of code without unwind information stands: what its leaf instruction tells. */
enum frame_phase {
	FRAME_UNKNOWN,   /* nothing recognized: the frame pointer decides */
	FRAME_AT_RETURN, /* the stack pointer points at the return address */
	FRAME_PUSHED,    /* the stack pointer points at the saved frame pointer, the return address follows */
};

#include ARCHITECTURE_HEADER

#endif
