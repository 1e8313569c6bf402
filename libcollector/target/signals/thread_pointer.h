/* SPDX-License-Identifier: Apache-2.0 */
/* The processor's register by which thread-local storage is found. Run-times with threads of their own (Go) set it to what libc
   does not know: until it is libc's again no thread-local variable may be touched, errno included. */
#ifndef THREAD_POINTER_H
#define THREAD_POINTER_H

#include <stdbool.h>
#include <stdint.h>

/* Once for an image, before the others. */
void thread_pointer_start(void);

/* The calling thread's is libc's; until it ends. */
void thread_pointer_remember(void);
void thread_pointer_forget(void);

/* Whether it is libc's now. Async-signal-safe, touches no thread-local variable. */
bool thread_pointer_is_libcs(void);

#endif
