/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU that the caller runs on. */
#ifndef CPU_H
#define CPU_H

#include <stdint.h>

/* Its number. Async-signal-safe; no system call where libc has registered restartable sequences (glibc 2.35 and later). */
uint32_t current_cpu(void);
/* As current_cpu(), by the kernel, while the thread pointer is not libc's. */
uint32_t current_cpu_by_kernel(void);

#endif
