/* SPDX-License-Identifier: Apache-2.0 */
/* Programs with a malloc of their own: what it gives passes the collector by. */
#ifndef OWN_MALLOC_H
#define OWN_MALLOC_H

#include <stdbool.h>

/* True if the ELF program itself defines malloc for all its libraries. False also if it cannot be read. */
bool own_malloc_defined(const char *path);

#endif
