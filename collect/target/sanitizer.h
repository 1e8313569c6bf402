/* SPDX-License-Identifier: Apache-2.0 */
/* Programs built with AddressSanitizer as a shared library: its run-time ends the program if another library was loaded
   before it, unless it is told not to look. */
#ifndef SANITIZER_H
#define SANITIZER_H

#include <stdbool.h>

/* True if the ELF program asks for libasan (DT_NEEDED). False also if it cannot be read. */
bool sanitizer_needed(const char *path);

/* Tells the run-time, by our own environment, that the collector may come first. False: no memory. */
bool sanitizer_permit_preload(void);

#endif
