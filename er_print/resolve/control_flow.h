/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where an instruction leaves the processor, by its disassembled text. */
#ifndef CONTROL_FLOW_H
#define CONTROL_FLOW_H

#include <stdbool.h>

enum control_flow {
	FLOW_NEXT,        /* the next instruction runs after it */
	FLOW_BRANCH,      /* the next one, or the one that it jumps to */
	FLOW_CALL,        /* the next one runs when what was called has returned */
	FLOW_AWAY,        /* the next one never runs after it */
	FLOW_SYSTEM_CALL, /* the kernel works, then the next one runs */
	FLOW_UNKNOWN      /* of a machine that no row here is about */
};
/* For an ELF machine (EM_*); the text is libopcodes', of x86-64 in AT&T syntax. */
enum control_flow control_flow_of(unsigned elf_machine, const char *text);

/* Whether it is FLOW_AWAY and a jump, and no return or trap. */
bool control_flow_is_jump(unsigned elf_machine, const char *text);
/* Whether it goes back to the caller. */
bool control_flow_is_return(unsigned elf_machine, const char *text);

/* Whether an interrupt finds the instruction itself while it is at work, and not the next one: strings of x86 with a rep
   prefix (Intel's manual, volume 2, REP). */
bool control_flow_is_interruptible(unsigned elf_machine, const char *text);

#endif
