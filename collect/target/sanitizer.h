/* SPDX-License-Identifier: Apache-2.0 */
/* Programs built with AddressSanitizer as a shared library: its run-time ends the program if another library was loaded
   before it, unless it is told not to look (program_image.h: IMAGE_SANITIZED). */
#ifndef SANITIZER_H
#define SANITIZER_H

#include <stdbool.h>

/* Tells the run-time, by our own environment, that the collector may come first. False: no memory. */
bool sanitizer_permit_preload(void);

#endif
