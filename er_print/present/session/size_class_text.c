/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Powers of two with their units. */
#include "size_class_text.h"

static const char *size_text(struct table *table, unsigned power)
{
	static const char units[] = "BKMGTPE";
	unsigned unit = power / 10;
	return unit ? table_text(table, "%u%cB", 1u << power % 10, units[unit]) : table_text(table, "%u", 1u << power);
}

const char *size_class_text(struct table *table, unsigned above, unsigned most)
{
	if (!above)
		return table_text(table, "<= %s Bytes", size_text(table, most));
	return table_text(table, "%s < n <= %s", size_text(table, above), size_text(table, most));
}
