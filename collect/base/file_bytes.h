/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a file, to be looked through. */
#ifndef FILE_BYTES_H
#define FILE_BYTES_H

#include <stddef.h>

/* All bytes of a regular file and how many they are; 0: there are none, or it cannot be read. file_bytes_free() lets them go. */
const void *file_bytes(const char *path, size_t *size);
void file_bytes_free(const void *bytes, size_t size);

#endif
