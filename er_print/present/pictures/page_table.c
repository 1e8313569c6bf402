/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums functions up and writes them. */
#include "page_table.h"
#include "picture_value.h"
#include "search.h"
#include "storage.h"
#include "svg_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 100 };

struct function_row {
	uint32_t function;
	uint32_t open; /* frames of it on the path of the walk */
	uint64_t exclusive, inclusive;
};
struct function_rows {
	const struct picture *picture;
	struct function_row *all; /* by function */
	uint32_t count;
};

static void enter(void *context, uint32_t node, uint32_t depth)
{
	const struct function_rows *rows = context;
	const struct path_tree *tree = rows->picture->tree;
	struct function_row *row = &rows->all[tree->nodes[node].frame.function];
	const unsigned metric = rows->picture->metric;
	if (!depth)
		return;
	row->exclusive += tree->exclusive[metric][node];
	row->inclusive += row->open++ ? 0 : tree->inclusive[metric][node];
}

static void leave(void *context, uint32_t node, uint32_t depth)
{
	const struct function_rows *rows = context;
	if (depth)
		rows->all[rows->picture->tree->nodes[node].frame.function].open--;
}

static int by_value(const void *left, const void *right, void *context)
{
	const struct function_row *a = left, *b = right;
	const struct picture_function *functions = context;
	int order = COMPARE(b->exclusive, a->exclusive);
	order = order ? order : COMPARE(b->inclusive, a->inclusive);
	return order ? order : COMPARE(functions[a->function].rank, functions[b->function].rank);
}

static struct function_rows sum_up(const struct picture *picture)
{
	const struct path_tree *tree = picture->tree;
	struct function_rows rows = {picture, 0, 0};
	for (uint32_t node = 0; node < tree->count; node++)
		if (tree->nodes[node].frame.function >= rows.count)
			rows.count = tree->nodes[node].frame.function + 1;
	rows.all = memory_new(rows.count, sizeof *rows.all);
	for (uint32_t i = 0; i < rows.count; i++)
		rows.all[i].function = i;
	path_tree_walk(tree, enter, leave, &rows);
	qsort_r(rows.all, rows.count, sizeof *rows.all, by_value, picture->functions);
	while (rows.count && !rows.all[rows.count - 1].inclusive)
		rows.count--;
	return rows;
}

static void put_value(FILE *file, const struct picture *picture, uint64_t value)
{
	const struct path_tree *tree = picture->tree;
	char text[PICTURE_VALUE_MAX];
	fprintf(file, "<td>%s</td><td>%.2f%%</td>",
		picture_number(
			text, picture->options->setting, tree->metrics->rows[picture->metric].unit, (double)value),
		100.0 * (double)value / (double)tree->inclusive[picture->metric][0]);
}

void page_table_write(FILE *file, const struct picture *picture)
{
	if (picture->options->chart || picture->options->sides)
		return;
	struct function_rows rows = sum_up(picture);
	const char *title = picture->tree->metrics->rows[picture->metric].title;
	fputs("<table>\n<caption>Functions by exclusive ", file);
	svg_text(file, title, strlen(title));
	fputs("</caption>\n<thead><tr><th colspan=\"2\" scope=\"col\">Exclusive</th><th colspan=\"2\" scope=\"col\">"
	      "Inclusive</th><th scope=\"col\">Name</th></tr></thead>\n<tbody>\n",
		file);
	for (uint32_t i = 0; i < rows.count && i < ROWS_MOST; i++) {
		const struct picture_function *function = &picture->functions[rows.all[i].function];
		fputs("<tr>", file);
		put_value(file, picture, rows.all[i].exclusive);
		put_value(file, picture, rows.all[i].inclusive);
		fputs("<td>", file);
		svg_text(file, function->name, function->length);
		fputs("</td></tr>\n", file);
	}
	fputs("</tbody>\n</table>\n", file);
	if (rows.count > ROWS_MOST)
		fprintf(file, "<p>%" PRIu32 " more functions</p>\n", rows.count - ROWS_MOST);
	free(rows.all);
}
