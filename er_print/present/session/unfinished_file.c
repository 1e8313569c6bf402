/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One path: files are written one after another. */
#include "unfinished_file.h"

#include <string.h>
#include <unistd.h>

static const char *volatile unfinished;

void unfinished_file_set(const char *path)
{
	unfinished = path && strcmp(path, "-") != 0 ? path : 0;
}

void unfinished_file_remove(void)
{
	if (unfinished)
		unlink(unfinished);
	unfinished = 0;
}
