/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the debug information of a load object is: in itself, in a separate file of this machine, or at a debuginfod
   server when the user asked for that. */
#ifndef DEBUG_FILE_H
#define DEBUG_FILE_H

#include "elf_file.h"

/* The separate debug file, or 0. Looked for by build-id below /usr/lib/debug/.build-id, then by the name in
   .gnu_debuglink in the object's folder, its .debug folder, and below /usr/lib/debug, then, if `debuginfod`, at the
   servers of DEBUGINFOD_URLS. What is found must have the build-id (without one: the checksum of the link).
   `file` may be 0; `path` is the recorded path of the object, `build_id` hex or "". */
struct elf_file *debug_file_find(const struct elf_file *file, const char *path, const char *build_id, bool debuginfod);

/* The object itself from a debuginfod server, or 0. */
struct elf_file *debug_file_fetch_object(const char *build_id);

bool elf_file_has_debug(const struct elf_file *file);

#endif
