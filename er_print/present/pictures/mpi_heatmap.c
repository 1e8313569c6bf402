/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command mpi_heatmap: a picture of what goes between each two MPI ranks. */
#include "command_functions.h"
#include "commands_title.h"
#include "frame_colour.h"
#include "mpi_names.h"
#include "mpi_pairs.h"
#include "picture_files.h"
#include "picture_value.h"
#include "rank_grid.h"
#include "storage.h"
#include "svg_drawing.h"
#include "svg_text.h"
#include "version.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Pixels. */
enum { TOP = 88, SIDE = 512, CELL_MOST = 48, GAP = 8, BAR = 100, FOOT = 60, BELOW = 72, WIDTH_LEAST = 620 };
enum { BAR_MOST = 16, LINE = 13, LEVELS = 64, LEVEL = 3, NAME_MOST = 24, CELL_TEXT = 40 };

static const struct heat {
	const char *name, *title, *word;
	double divisor;
	int decimals;
	bool adds; /* a sum; else a whole row has its least or best */
} heats[RANK_VALUES] = {
	[RANK_BYTES] = {"bytes", "MPI Bytes between Ranks", "bytes", 1, 0, true},
	[RANK_MESSAGES] = {"messages", "MPI Messages between Ranks", "messages", 1, 0, true},
	[RANK_LATENCY] = {"latency", "Shortest MPI Latency between Ranks", "µs", 1e3, 3, false},
	[RANK_BANDWIDTH] = {"bandwidth", "Best MPI Bandwidth between Ranks", "MB/s", 1e6, 3, false},
};

struct drawing {
	FILE *file;
	struct session *session;
	struct table *texts;
	const struct heat *heat;
	const struct rank_grid *grid;
	const char **names; /* by row */
	unsigned step, left, width, height;
};

/* Viridis backwards: light is little. */
static struct colour colour_of(double share)
{
	static const struct colour stops[] = {{253, 231, 37}, {159, 218, 58}, {74, 193, 109}, {31, 161, 135},
		{39, 127, 142}, {54, 92, 141}, {70, 50, 127}, {68, 1, 84}};
	enum { SPANS = sizeof stops / sizeof *stops - 1 };
	unsigned at = share < 1 ? (unsigned)(share * SPANS) : SPANS - 1;
	double part = share * SPANS - at;
	const struct colour *a = &stops[at], *b = &stops[at + 1];
	return (struct colour){(unsigned char)(a->red + part * (b->red - a->red) + 0.5),
		(unsigned char)(a->green + part * (b->green - a->green) + 0.5),
		(unsigned char)(a->blue + part * (b->blue - a->blue) + 0.5)};
}

static unsigned level_of(const struct rank_grid *grid, uint64_t value)
{
	return (unsigned)(rank_grid_share(grid, value) * (LEVELS - 1) + 0.5);
}

static const char *amount(const struct drawing *drawing, uint64_t value)
{
	char number[PICTURE_VALUE_MAX], text[PICTURE_VALUE_MAX];
	snprintf(number, sizeof number, "%.*f", drawing->heat->decimals, (double)value / drawing->heat->divisor);
	picture_thousands(text, number);
	return table_text(drawing->texts, "%s %s", text, drawing->heat->word);
}

/* Three digits and a prefix: "1.02M". */
static const char *short_amount(const struct drawing *drawing, uint64_t value)
{
	static const char prefixes[] = " kMGTPE";
	double number = (double)value / drawing->heat->divisor;
	unsigned prefix = 0;
	while (number >= 999.5 && prefix + 2 < sizeof prefixes) {
		number /= 1000;
		prefix++;
	}
	bool whole = !prefix && drawing->heat->divisor == 1;
	int decimals = whole || number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2;
	return table_text(drawing->texts, "%.*f%.*s", decimals, number, prefix != 0, &prefixes[prefix]);
}

/* All cells of one colour are one path, of a rectangle for each row of such cells side by side. */
static void put_level(const struct drawing *drawing, unsigned level)
{
	const struct rank_grid *grid = drawing->grid;
	struct colour colour = colour_of((double)level / (LEVELS - 1));
	bool any = false;
	for (uint32_t y = 0; y < grid->side; y++)
		for (uint32_t x = 0, end; x < grid->side; x = end + 1) {
			const uint64_t *row = &grid->cells[(size_t)y * grid->side];
			for (end = x; end < grid->side && row[end] && level_of(grid, row[end]) == level;)
				end++;
			if (end == x)
				continue;
			if (!any)
				fprintf(drawing->file, "<path fill=\"rgb(%u,%u,%u)\" d=\"", colour.red, colour.green,
					colour.blue);
			any = true;
			fprintf(drawing->file, "M%" PRIu32 " %" PRIu32 "h%" PRIu32 "v1h-%" PRIu32 "z", x, y, end - x,
				end - x);
		}
	if (any)
		fputs("\"/>\n", drawing->file);
}

static void put_numbers(const struct drawing *drawing, const char *name, const uint64_t *values)
{
	fprintf(drawing->file, " data-%s=\"", name);
	for (uint32_t i = 0; i < drawing->grid->side; i++)
		fprintf(drawing->file, "%s%" PRIu64, i ? "," : "", values[i]);
	fputs("\"", drawing->file);
}

static void put_data(const struct drawing *drawing)
{
	const struct rank_grid *grid = drawing->grid;
	const struct heat *heat = drawing->heat;
	fprintf(drawing->file,
		" data-divisor=\"%.0f\" data-decimals=\"%d\" data-word=\"%s\" data-adds=\"%d\" data-whole=\"%" PRIu64
		"\" data-step=\"%u\" data-left=\"%u\" data-top=\"%u\"",
		heat->divisor, heat->decimals, heat->word, heat->adds, grid->whole, drawing->step, drawing->left, TOP);
	put_numbers(drawing, "sources", grid->sources);
	put_numbers(drawing, "destinations", grid->destinations);
	fputs(" data-cells=\"", drawing->file);
	for (size_t i = 0, count = (size_t)grid->side * grid->side; i < count; i++) {
		fputs(!i ? "" : i % grid->side ? "," : ";", drawing->file);
		if (grid->cells[i])
			fprintf(drawing->file, "%" PRIu64, grid->cells[i]);
	}
	fputs("\"", drawing->file);
}

/* Values stand in cells that have room for them. */
static void put_cell_texts(const struct drawing *drawing)
{
	const struct rank_grid *grid = drawing->grid;
	if (drawing->step < CELL_TEXT)
		return;
	for (uint32_t y = 0; y < grid->side; y++)
		for (uint32_t x = 0; x < grid->side; x++) {
			uint64_t value = grid->cells[(size_t)y * grid->side + x];
			if (!value)
				continue;
			bool dark = rank_grid_share(grid, value) > 0.5;
			svg_drawing_text(drawing->file, dark ? "class=\"cell white\"" : "class=\"cell black\"",
				drawing->left + (x + 0.5) * drawing->step, TOP + (y + 0.5) * drawing->step + 4,
				short_amount(drawing, value), NAME_MOST);
		}
}

static void put_cells(const struct drawing *drawing)
{
	unsigned side = drawing->grid->side * drawing->step;
	fputs("<g id=\"grid\"", drawing->file);
	put_data(drawing);
	fprintf(drawing->file, ">\n<rect id=\"paper\" x=\"%u\" y=\"%d\" width=\"%u\" height=\"%u\"/>\n", drawing->left,
		TOP, side, side);
	fprintf(drawing->file, "<g transform=\"translate(%u,%d) scale(%u)\">\n", drawing->left, TOP, drawing->step);
	for (unsigned level = 0; level < LEVELS; level++)
		put_level(drawing, level);
	fprintf(drawing->file, "</g>\n<rect id=\"edge\" x=\"%u\" y=\"%d\" width=\"%u\" height=\"%u\"/>\n</g>\n",
		drawing->left, TOP, side, side);
	put_cell_texts(drawing);
}

/* Every how many rows have names, so that one has this room. */
static uint32_t names_step(const struct drawing *drawing, double room)
{
	static const unsigned factors[] = {1, 2, 5};
	for (uint32_t ten = 1;; ten *= 10)
		for (unsigned i = 0; i < sizeof factors / sizeof *factors; i++)
			if (drawing->step * factors[i] * ten >= room)
				return factors[i] * ten;
}

static void put_names(const struct drawing *drawing, size_t longest)
{
	const struct rank_grid *grid = drawing->grid;
	double side = grid->side * drawing->step;
	uint32_t down = names_step(drawing, LINE),
		 across = names_step(drawing, (double)longest * PICTURE_CHARACTER + 6);
	svg_drawing_text(drawing->file, "class=\"middle\"", drawing->left + side / 2, TOP - 26, "to", NAME_MOST);
	svg_drawing_text(drawing->file, "class=\"middle\"", PICTURE_MARGIN + 14, TOP + side / 2 + 4, "from", NAME_MOST);
	for (uint32_t i = 0; i < grid->side; i++) {
		double middle = (i + 0.5) * drawing->step;
		if (i % down == 0)
			svg_drawing_text(drawing->file, "class=\"end\"", drawing->left - 5, TOP + middle + 4,
				drawing->names[i], NAME_MOST);
		if (i % across == 0)
			svg_drawing_text(drawing->file, "class=\"middle\"", drawing->left + middle, TOP - 7,
				drawing->names[i], NAME_MOST);
	}
}

static uint64_t most_of(const uint64_t *values, uint32_t count)
{
	uint64_t most = 1;
	for (uint32_t i = 0; i < count; i++)
		most = values[i] > most ? values[i] : most;
	return most;
}

static void put_bar(const struct drawing *drawing, double x, double y, double width, double height)
{
	fprintf(drawing->file, "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", x, y,
		width, height);
}

static void put_totals(const struct drawing *drawing)
{
	const struct rank_grid *grid = drawing->grid;
	unsigned step = drawing->step, right = drawing->left + grid->side * step + GAP,
		 under = TOP + grid->side * step + GAP;
	double thick = step > BAR_MOST + 2 ? BAR_MOST : step > 4 ? step - 2 : step, before = (step - thick) / 2;
	uint64_t most_given = most_of(grid->sources, grid->side), most_got = most_of(grid->destinations, grid->side);
	for (uint32_t i = 0; i < grid->side; i++) {
		double given = BAR * (double)grid->sources[i] / (double)most_given;
		double got = FOOT * (double)grid->destinations[i] / (double)most_got;
		put_bar(drawing, right, TOP + i * step + before, given, thick);
		put_bar(drawing, drawing->left + i * step + before, under, thick, got);
		if (step >= LINE)
			svg_drawing_text(drawing->file, "class=\"total\"", right + given + 4,
				TOP + (i + 0.5) * step + 4, short_amount(drawing, grid->sources[i]), NAME_MOST);
		if (step >= CELL_TEXT)
			svg_drawing_text(drawing->file, "class=\"middle\"", drawing->left + (i + 0.5) * step,
				under + got + 11, short_amount(drawing, grid->destinations[i]), NAME_MOST);
	}
	bool adds = drawing->heat->adds;
	svg_drawing_text(drawing->file, "class=\"total\"", right, TOP - 7,
		adds ? "all that each sends" : "from each to any", NAME_MOST);
	svg_drawing_text(drawing->file, "class=\"total\"", right, under + 12,
		adds ? "all that each gets" : "to each from any", NAME_MOST);
}

static void put_legend(const struct drawing *drawing)
{
	const struct rank_grid *grid = drawing->grid;
	unsigned y = TOP + grid->side * drawing->step + GAP + FOOT + 16;
	const char *least = amount(drawing, grid->least), *most = amount(drawing, grid->most);
	for (unsigned level = grid->least < grid->most ? 0 : LEVELS - 4; level < LEVELS; level++) {
		struct colour colour = colour_of((double)level / (LEVELS - 1));
		fprintf(drawing->file, "<rect x=\"%u\" y=\"%u\" width=\"%d\" height=\"10\" fill=\"rgb(%u,%u,%u)\"/>\n",
			drawing->left + level * LEVEL, y, LEVEL, colour.red, colour.green, colour.blue);
	}
	svg_drawing_text(drawing->file, "id=\"legend_text\"", drawing->left + LEVELS * LEVEL + 6, y + 9,
		grid->least == grid->most ? table_text(drawing->texts, "%s everywhere", most)
					  : table_text(drawing->texts, "%s to %s, by its logarithm", least, most),
		80);
	svg_drawing_text(drawing->file, "id=\"details\"", drawing->left, y + 32, "", 1);
}

static const char *subtitle_of(const struct drawing *drawing)
{
	const struct rank_grid *grid = drawing->grid;
	const char *filter = drawing->session->filter_text;
	const char *bundles =
		grid->bundle > 1 ? table_text(drawing->texts, ", %" PRIu32 " to a cell", grid->bundle) : "";
	return table_text(drawing->texts, "%" PRIu32 " %s%s, %s%s%s%s, er-tools " ER_TOOLS_VERSION, grid->process_count,
		grid->process_count == 1 ? "rank" : "ranks", bundles, drawing->heat->adds ? "" : "at best ",
		amount(drawing, grid->whole), filter ? ", filter: " : "", filter ? filter : "");
}

static void put_script(const struct drawing *drawing)
{
	fputs("<g id=\"names\">\n", drawing->file);
	for (uint32_t i = 0; i < drawing->grid->side; i++) {
		uint32_t last = (i + 1) * drawing->grid->bundle;
		last = (last < drawing->grid->process_count ? last : drawing->grid->process_count) - 1;
		fprintf(drawing->file, "<desc>%s ", drawing->grid->bundle > 1 ? "ranks from" : "rank");
		svg_text(drawing->file, drawing->names[i], strlen(drawing->names[i]));
		fputs("</desc>\n", drawing->file);
	}
	fprintf(drawing->file, "</g>\n<script><![CDATA[\n(function () {\n%s})();\n]]></script>\n", heatmap_script);
}

static void put_picture(struct drawing *drawing)
{
	const struct rank_grid *grid = drawing->grid;
	size_t longest = 1;
	for (uint32_t i = 0; i < grid->side; i++)
		longest = strlen(drawing->names[i]) > longest ? strlen(drawing->names[i]) : longest;
	longest = longest < NAME_MOST ? longest : NAME_MOST;
	unsigned step = SIDE / grid->side;
	drawing->step = step < CELL_MOST ? step : CELL_MOST;
	drawing->left = PICTURE_MARGIN + 36 + (unsigned)((double)longest * PICTURE_CHARACTER);
	unsigned right = drawing->left + grid->side * drawing->step + GAP + BAR + 20 * (unsigned)PICTURE_CHARACTER +
			 PICTURE_MARGIN;
	drawing->width = right > WIDTH_LEAST ? right : WIDTH_LEAST;
	drawing->height = TOP + grid->side * drawing->step + GAP + FOOT + BELOW;
	const char *title = drawing->session->picture.title ? drawing->session->picture.title
							    : table_text(drawing->texts, "%s: %s", drawing->heat->title,
								      commands_title(drawing->session, drawing->texts));
	svg_drawing_head(drawing->file, drawing->width, drawing->height, heatmap_style, title, subtitle_of(drawing));
	put_cells(drawing);
	put_names(drawing, longest);
	put_totals(drawing);
	put_legend(drawing);
	if (!drawing->session->picture.silent)
		put_script(drawing);
	fputs("</svg>\n", drawing->file);
}

/* The names of rows: that of the first process of a bundle. */
static void draw(void *context, FILE *file)
{
	struct drawing *drawing = context;
	const struct rank_grid *grid = drawing->grid;
	struct table texts = {0};
	drawing->file = file;
	drawing->texts = &texts;
	struct mpi_process_names names = mpi_process_names_make(drawing->session, &texts);
	drawing->names = memory_new(grid->side, sizeof *drawing->names);
	for (uint32_t i = 0; i < grid->side; i++)
		drawing->names[i] = mpi_process_name(&names, grid->processes[i * grid->bundle]);
	put_picture(drawing);
	free(drawing->names);
	free(names.text);
	table_free(&texts);
}

static struct rank_grid grid_of(struct session *session, const struct mpi_pairs *pairs, enum rank_value value)
{
	const struct data *data = session->data;
	bool *shown = memory_new(data->experiment_count, sizeof *shown);
	for (uint32_t e = 0; e < data->experiment_count; e++)
		shown[e] = session_shows_experiment(session, e);
	struct rank_grid grid = rank_grid_make(data, shown, pairs, value);
	free(shown);
	return grid;
}

bool command_mpi_heatmap(struct session *session, unsigned argc, char **argv)
{
	unsigned value = 0;
	while (argc && value < RANK_VALUES && strcmp(heats[value].name, argv[0]) != 0)
		value++;
	if (argc < 2 || value == RANK_VALUES || !*argv[1])
		return session_error(session,
			"mpi_heatmap needs what to draw (bytes, messages, latency or bandwidth) and "
			"the name of the file to write, .svg, or -");
	struct mpi_pairs pairs;
	if (!mpi_pairs_read(session->data, session_filter(session), &pairs))
		return session_error(session, MPI_NO_MESSAGES);
	struct rank_grid grid = grid_of(session, &pairs, value);
	struct drawing drawing = {.session = session, .heat = &heats[value], .grid = &grid};
	bool done = grid.whole ? svg_drawing_write(session, argv[1], "Heat map", draw, &drawing)
			       : session_error(session, "mpi_heatmap: the messages have no %s", heats[value].name);
	rank_grid_free(&grid);
	free(pairs.array);
	return done;
}
