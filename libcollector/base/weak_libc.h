/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that glibc alone has are looked up weakly. The loader of another C library (musl), which finds us in an
   environment that nobody has cleaned, then loads us, and the program runs; we stay inactive there. */
#ifndef WEAK_LIBC_H
#define WEAK_LIBC_H

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <ucontext.h>

int __cxa_at_quick_exit(void (*function)(void *), void *object);
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *object);

#pragma weak gnu_get_libc_version
#pragma weak __cxa_at_quick_exit
#pragma weak __pthread_register_cancel
#pragma weak __pthread_unregister_cancel
#pragma weak __register_atfork
#pragma weak _r_debug
#pragma weak dladdr1
#pragma weak dlvsym
#pragma weak getcontext
#pragma weak makecontext
#pragma weak on_exit
#pragma weak pthread_attr_getsigmask_np

#endif
