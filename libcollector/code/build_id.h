/* SPDX-License-Identifier: Apache-2.0 */
/* The build-id of a mapped object, from its notes in memory. */
#ifndef BUILD_ID_H
#define BUILD_ID_H

#include <link.h>
#include <stddef.h>

/* Writes it in hexadecimal (empty if there is none). `text` has 2 * BUILD_ID_MAX + 1 bytes. */
void build_id_text(uintptr_t bias, const ElfW(Phdr) * headers, size_t count, char *text);

/* As build_id_text(), for an object whose first `size` bytes are at `image`, a copy of its file's. */
void build_id_of_image(const unsigned char *image, size_t size, char *text);

#endif
