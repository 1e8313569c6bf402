/* SPDX-License-Identifier: Apache-2.0 */
/* Programs built with AddressSanitizer's shared library: it ends a program into which another library was loaded before it,
   unless ASAN_OPTIONS tells it not to look. */
#ifndef SANITIZED_H
#define SANITIZED_H

#include <link.h>
#include <stdbool.h>

/* Whether the ELF file asks for libasan (DT_NEEDED). False also if it is malformed. No malloc. */
bool needs_address_sanitizer(int fd, const ElfW(Ehdr) * header);
/* Whether an environment tells it not to look, as collect does for such a founder. */
bool environment_permits_preload(char *const *environment);

#endif
