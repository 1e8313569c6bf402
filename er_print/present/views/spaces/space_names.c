/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes names of functions and offsets. */
#include "space_names.h"
#include "base_name.h"
#include "space_lines.h"

#include <inttypes.h>

enum { PAIRS_SHOWN = 4 };

const char *space_name(
	const struct session *session, struct table *table, const struct space_model *model, uint32_t space)
{
	const struct code_space *row = &model->table.spaces[space];
	const struct space_pair *pairs = model->table.pairs + row->pair;
	bool nowhere = row->function == FUNCTION_TOTAL;
	const char *text = nowhere ? "<no function>" : session_plain_name(session, table, row->function);
	struct space_lines lines;
	switch (row->kind) {
	case SPACE_STATIONARY:
		text = row->pair_count ? table_text(table, "%s at %#" PRIx64, text, pairs->from) : text;
		text = table_text(table, "%s, %s", text,
			row->state == SPACE_RAN ? "stationary"
						: session_plain_name(session, table, FUNCTION_STATES + row->state));
		break;
	case SPACE_UNRESOLVED:
		return table_text(table, "%s, unresolved", text);
	case SPACE_INCONSISTENT:
		return table_text(table, "%s, inconsistent", text);
	default:
		for (uint32_t i = 0; i < row->pair_count && i < PAIRS_SHOWN; i++)
			text = table_text(table, "%s [%#" PRIx64 ",%#" PRIx64 ")", text, pairs[i].from, pairs[i].to);
		if (row->pair_count > PAIRS_SHOWN)
			text = table_text(table, "%s and %" PRIu32 " more", text, row->pair_count - PAIRS_SHOWN);
	}
	if (!space_lines_find(&lines, model, space))
		return text;
	text = table_text(
		table, "%s, %s:%" PRIu32, text, base_name(resolver_file(session->resolver, lines.file)), lines.first);
	return lines.last > lines.first ? table_text(table, "%s-%" PRIu32, text, lines.last) : text;
}

const char *space_class_name(const struct session *session, struct table *table, const struct space_model *model,
	const struct space_class *class)
{
	const char *name = space_name(session, table, model, class->leader);
	return class->spaces == 1 ? name : table_text(table, "%s, and %" PRIu32 " like it", name, class->spaces - 1);
}
