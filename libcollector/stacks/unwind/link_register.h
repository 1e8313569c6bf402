/* SPDX-License-Identifier: Apache-2.0 */
/* Where calls leave the return address in a register and code has no unwind information (the linker's stubs, the kernel's
   functions, hand-written leaves): whether the register still holds it, and the stack pointer is the caller's. */
#ifndef LINK_REGISTER_H
#define LINK_REGISTER_H

#include "memory.h"
#include <stdbool.h>
#include <stdint.h>

/* True only if the instructions from pc on prove it: they come to a return, to the jump of a stub to its function, or to where a
   frame record is made, without writing the link register or the stack pointer; so what these hold there they hold now.
   Always false where calls push the return address. Async-signal-safe. */
bool link_register_is_return(struct memory *memory, uint64_t pc);

#endif
