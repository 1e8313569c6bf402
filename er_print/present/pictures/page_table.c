/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts and writes the functions. */
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
	uint64_t exclusive, inclusive;
};

static int by_value(const void *left, const void *right, void *context)
{
	const struct function_row *a = left, *b = right;
	const struct picture_function *functions = context;
	int order = COMPARE(b->exclusive, a->exclusive);
	order = order ? order : COMPARE(b->inclusive, a->inclusive);
	return order ? order : COMPARE(functions[a->function].rank, functions[b->function].rank);
}

/* The functions that have a value, the heaviest first; the caller frees them. */
static struct function_row *find_rows(const struct picture *picture, uint32_t *count)
{
	const struct key_sums *sums = picture->options->functions;
	const uint64_t *exclusive = sums->exclusive[picture->metric], *inclusive = sums->inclusive[picture->metric];
	struct function_row *rows = memory_new(sums->key_count, sizeof *rows);
	*count = 0;
	for (uint32_t f = 0; f < sums->key_count; f++)
		if (inclusive[f] && f != picture->tree->nodes[0].frame.function)
			rows[(*count)++] = (struct function_row){f, exclusive[f], inclusive[f]};
	if (*count)
		qsort_r(rows, *count, sizeof *rows, by_value, picture->functions);
	return rows;
}

static void put_value(FILE *file, const struct picture *picture, uint64_t value)
{
	const struct path_tree *tree = picture->tree;
	char text[PICTURE_VALUE_MAX];
	fprintf(file, "<td>%s</td><td>%.2f%%</td>",
		picture_mean(text, picture->options->setting->mean_of, tree->metrics->rows[picture->metric].unit,
			(double)value),
		100.0 * (double)value / (double)tree->inclusive[picture->metric][0]);
}

void page_table_write(FILE *file, const struct picture *picture)
{
	uint32_t count;
	if (!picture->options->functions)
		return;
	struct function_row *rows = find_rows(picture, &count);
	const char *title = picture->tree->metrics->rows[picture->metric].title;
	fputs("<table>\n<caption>Functions by exclusive ", file);
	svg_text(file, title, strlen(title));
	fputs("</caption>\n<thead><tr><th colspan=\"2\" scope=\"col\">Exclusive</th><th colspan=\"2\" scope=\"col\">"
	      "Inclusive</th><th scope=\"col\">Name</th></tr></thead>\n<tbody>\n",
		file);
	for (uint32_t i = 0; i < count && i < ROWS_MOST; i++) {
		const struct picture_function *function = &picture->functions[rows[i].function];
		fputs("<tr>", file);
		put_value(file, picture, rows[i].exclusive);
		put_value(file, picture, rows[i].inclusive);
		fputs("<td>", file);
		svg_text(file, function->name, function->length);
		fputs("</td></tr>\n", file);
	}
	fputs("</tbody>\n</table>\n", file);
	if (count > ROWS_MOST)
		fprintf(file, "<p>%" PRIu32 " more functions</p>\n", count - ROWS_MOST);
	free(rows);
}
