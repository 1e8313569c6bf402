/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a tree of call paths as a page: one self-contained HTML file with every node and several metrics. */
#include "flamegraph.h"
#include "json_text.h"
#include "page_data.h"
#include "page_table.h"
#include "picture_files.h"
#include "picture_value.h"
#include "svg_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void put_flag(FILE *file, const char *name, bool is)
{
	fprintf(file, ",\"%s\":%s", name, is ? "true" : "false");
}

/* Before and after: what makes values comparable, what one sample stands for, and whether totals are made equal. */
static void put_sides(FILE *file, const struct difference_side sides[2])
{
	fprintf(file, ",\"share\":%s,\"sides\":[", sides->share ? "true" : "false");
	for (int i = 0; i < 2; i++)
		fprintf(file, "%s{\"scale\":%.17g,\"sample\":%.17g}", i ? "," : "", sides[i].scale, sides[i].sample);
	fputs("]", file);
}

/* Each of a difference stands for two of the page's. */
static void put_metrics(FILE *file, const struct picture *picture, const struct page *page)
{
	const struct difference_side *sides = picture->options->sides;
	static const struct picture_setting none;
	unsigned chosen = 0;
	fputs(",\"metrics\":[", file);
	for (unsigned m = 0; m < page->metric_count; m += sides ? 2 : 1) {
		const struct metric *row = &picture->tree->metrics->rows[page->metrics[m]];
		const char *kind = picture_kind(row);
		char word[PICTURE_COUNT_MOST + 1];
		fputs(m ? ",{\"name\":" : "{\"name\":", file);
		print_json_text(file, row->name);
		fputs(",\"title\":", file);
		print_json_text(file, row->title);
		fputs(",\"kind\":", file);
		print_json_text(file, kind ? kind : "");
		fputs(",\"word\":", file);
		print_json_text(file, picture_word(word, &none, row));
		fprintf(file, ",\"unit\":\"%s\"", picture_unit_name(row->unit));
		if (sides)
			put_sides(file, &sides[m]);
		fputs("}", file);
		if (page->metrics[m] == picture->metric || (sides && page->metrics[m + 1] == picture->metric))
			chosen = sides ? m / 2 : m;
	}
	fprintf(file, "],\"chosen\":%u", chosen);
}

/* The place of a row of the tree's metrics among those of the page; as many as there are: it is not there. */
static unsigned column_of(const struct page *page, int row)
{
	unsigned m = 0;
	while (m < page->metric_count && (int)page->metrics[m] != row)
		m++;
	return m;
}

/* Those of the page's metrics, which colours can show as well. */
static void put_ratios(FILE *file, const struct path_tree *tree, const struct page *page)
{
	const char *comma = "";
	fputs(",\"ratios\":[", file);
	for (unsigned m = 0; m < tree->metrics->count; m++) {
		const struct metric *row = &tree->metrics->rows[m];
		unsigned numerator = column_of(page, row->numerator), denominator = column_of(page, row->denominator);
		if (row->unit != METRIC_RATIO || numerator == page->metric_count || denominator == page->metric_count)
			continue;
		fprintf(file, "%s{\"name\":", comma);
		print_json_text(file, row->name);
		fputs(",\"title\":", file);
		print_json_text(file, row->title);
		fprintf(file, ",\"numerator\":%u,\"denominator\":%u}", numerator, denominator);
		comma = ",";
	}
	fputs("]", file);
}

/* The facts about a page as JSON; the caller frees them. */
static char *facts_of(const struct picture *picture, const struct page *page, const struct flamegraph_options *options)
{
	const struct picture_setting *setting = options->setting;
	char *text = 0;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	fputs("{\"about\":", file);
	print_json_text(file, options->about);
	fputs(",\"subtitle\":", file);
	print_json_text(file, options->subtitle);
	if (options->titled) {
		fputs(",\"titled\":", file);
		print_json_text(file, options->titled);
	}
	if (options->around) {
		fputs(",\"focus\":", file);
		print_json_text(file, options->around);
	}
	if (options->chart)
		fprintf(file, ",\"chart\":true,\"origin\":%" PRId64, options->chart->begin);
	if (options->sides)
		fprintf(file, ",\"compared\":\"%s\"", picture_difference_name(setting->difference));
	put_flag(file, "exclusiveChange", setting->exclusive_change);
	if (!options->chart && !options->sides && options->experiments > 1)
		fprintf(file, ",\"experiments\":%u", options->experiments);
	put_flag(file, "mean", setting->mean);
	put_metrics(file, picture, page);
	if (!options->sides)
		put_ratios(file, picture->tree, page);
	if (options->scale != picture->metric) {
		fputs(",\"by\":", file);
		print_json_text(file, picture->tree->metrics->rows[options->scale].name);
	}
	fputs(",\"palettes\":[", file);
	for (unsigned p = 0; p < page->palette_count; p++)
		fprintf(file, "%s\"%s\"", p ? "," : "", picture_palette_name(page->palettes[p]));
	fprintf(file, "],\"palette\":\"%s\"", picture_palette_name(setting->palette));
	put_flag(file, "icicle", options->icicle);
	put_flag(file, "leafFirst", options->leaf_first);
	put_flag(file, "heaviest", setting->order == PICTURE_HEAVIEST);
	put_flag(file, "joined", setting->joined);
	put_flag(file, "safe", setting->safe);
	fputs("}", file);
	fclose(file);
	return text;
}

/* The palettes that are offered: the chosen one first. */
static void choose_palettes(struct page *page, enum picture_palette chosen)
{
	static const enum picture_palette offered[] = {PALETTE_warm, PALETTE_name, PALETTE_object, PALETTE_java};
	if (chosen != PALETTE_exclusive && chosen != PALETTE_inclusive)
		page->palettes[page->palette_count++] = chosen;
	for (size_t i = 0; i < sizeof offered / sizeof *offered; i++)
		if (offered[i] != chosen)
			page->palettes[page->palette_count++] = offered[i];
}

static void put_head(FILE *file, const struct picture *picture)
{
	const struct flamegraph_options *options = picture->options;
	size_t length = strlen(options->title);
	fprintf(file,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-%s'; "
		"style-src 'sha256-%s'; worker-src blob:; img-src data:; base-uri 'none'; form-action 'none'\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
		page_script_hash, page_style_hash);
	svg_text(file, options->title, length);
	fprintf(file, "</title>\n<style>%s</style>\n</head>\n<body>\n<h1>", page_style);
	svg_text(file, options->title, length);
	fputs("</h1>\n<noscript><p>This page draws by its script. A file that ends in .svg is drawn without "
	      "one.</p>\n",
		file);
	page_table_write(file, picture);
	fputs("</noscript>\n", file);
}

bool page_write(FILE *file, const struct path_tree *tree, struct resolver *resolver, unsigned metric,
	const struct flamegraph_options *options, struct error *error)
{
	struct picture picture;
	struct page page = {.metrics = options->metrics, .metric_count = options->metric_count};
	if (!flamegraph_has_total(tree, metric, error))
		return false;
	picture_prepare(&picture, tree, resolver, metric, options);
	picture.file = file;
	choose_palettes(&page, options->setting->palette);
	char *facts = facts_of(&picture, &page, options);
	page.facts = facts;
	put_head(file, &picture);
	fputs(page_body, file);
	fputs("<script id=\"data\" type=\"application/octet-stream\">", file);
	bool whole = page_data_write(&picture, &page, error);
	fputs("</script>\n<script>", file);
	for (size_t i = 0; page_scripts[i]; i++)
		fputs(page_scripts[i], file);
	fputs("</script>\n</body>\n</html>\n", file);
	free(facts);
	picture_free(&picture);
	return whole;
}
