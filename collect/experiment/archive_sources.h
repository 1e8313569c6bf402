/* SPDX-License-Identifier: Apache-2.0 */
/* Archiving the source files that debug information names (-A src, -A usedsrc). */
#ifndef ARCHIVE_SOURCES_H
#define ARCHIVE_SOURCES_H

#include "archive.h"

/* Copies the sources of every load object of the experiment that can be found: all of them, or those of the code that
   its stacks refer to, with what is inlined there. */
void archive_sources(struct archive *archive, const struct experiment *experiment, bool only_used);

#endif
