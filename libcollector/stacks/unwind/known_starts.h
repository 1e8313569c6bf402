/* SPDX-License-Identifier: Apache-2.0 */
/* The first frames of threads and contexts that unwind tables do not mark as such: code at the entry points of the program
   and of ld.so, and libc's function below makecontext's. A walk that gets there is complete. */
#ifndef KNOWN_STARTS_H
#define KNOWN_STARTS_H

#include <stdbool.h>
#include <stdint.h>

/* Learns them. Not in handlers. */
void known_starts_learn(void);
/* Is this the address of an instruction in one of them? (For a return address: minus 1.) Async-signal-safe. */
bool known_start(uint64_t pc);

#endif
