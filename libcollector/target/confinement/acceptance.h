/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the kernel will take a mode or filter of seccomp: libraries ask for impossible ones to see what there is. */
#ifndef ACCEPTANCE_H
#define ACCEPTANCE_H

#include <stdbool.h>

/* seccomp(SECCOMP_SET_MODE_STRICT, flags, arguments). */
bool strict_mode_is_accepted(unsigned long flags, const void *arguments);
/* The flags of a filter that is valid, and what the process must be to set one. True where that cannot be known. */
bool filter_is_permitted(unsigned long flags);

#endif
