/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The target of `source` and `disasm`: a function, or a source file. */
#ifndef SOURCE_TARGET_H
#define SOURCE_TARGET_H

#include "session.h"

struct source_target {
	bool is_file;      /* a file was named, not a function */
	uint32_t function; /* if it is a function */
	uint32_t file;     /* the source to show; 0: not known */
};
/* Finds the function of this name, or else the file (whole path, its end, or base name). A function may be followed by
   a file in double quotes or backquotes: another source that has code of it. False and a message if there is none. */
bool source_target_find(struct session *session, const char *name, const char *number, struct source_target *target);

#endif
