/* SPDX-License-Identifier: Apache-2.0 */
/* The processor, as far as the collector and collect both need it: its name, ELF number and dynamic loader, the instruction that
   enters the kernel, its counter. One header for each; the Makefile refuses a processor that has none. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)
#include "machine_x86_64.h"
#elif defined(__aarch64__)
#include "machine_aarch64.h"
#else
#error "er-tools does not know this processor: it needs a machine_NAME.h and an architecture_NAME.h"
#endif

#endif
