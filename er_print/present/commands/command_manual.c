/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows that manual.awk makes of the manual. */
#include "command_manual.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *name, *text;
} entries[] = {
#include "command_manual.inc"
};

const char *command_manual(const char *name)
{
	for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
		if (!strcmp(entries[i].name, name))
			return entries[i].text;
	return 0;
}
