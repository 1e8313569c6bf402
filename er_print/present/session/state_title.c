/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds a state's row. */
#include "state_title.h"

#include <string.h>

const char *state_title(enum kind kind, const char *field, uint64_t value)
{
	unsigned count;
	const struct state_row *rows = state_rows(&count);
	for (unsigned i = 0; i < count; i++)
		if (rows[i].kind == kind && rows[i].value == value && !strcmp(rows[i].field, field))
			return rows[i].title;
	return "Object";
}
