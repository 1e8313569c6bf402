/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the collector can be preloaded into a file that is about to be run. */
#ifndef EXECUTABLE_H
#define EXECUTABLE_H

#include "error.h"
#include <stdbool.h>

struct executable {
	bool shell_script; /* a text without an interpreter line: a shell runs it */
	bool sanitized;    /* needs sanitizer_permit_preload() */
};

/* `path` is an executable file, which the user knows as `name`: an ELF program of our class and machine that is
   linked dynamically, with our dynamic loader, and gains no privileges; or a script whose interpreter is.
   What cannot be read is taken to be fine. */
bool executable_check(const char *name, const char *path, struct executable *kind, struct error *error);

#endif
