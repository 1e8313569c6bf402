/* SPDX-License-Identifier: Apache-2.0 */
/* The libraries that an ELF file asks for. */
#ifndef NEEDED_LIBRARY_H
#define NEEDED_LIBRARY_H

#include <link.h>
#include <stdbool.h>

/* Whether the ELF file asks for a library whose name begins with `start` (DT_NEEDED). False also if it is malformed. No malloc. */
bool needs_library(int fd, const ElfW(Ehdr) * header, const char *start);

#endif
