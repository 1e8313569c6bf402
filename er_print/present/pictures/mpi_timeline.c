/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command mpi_timeline: a picture of what MPI ranks do at each time, and of the messages between them. A pixel of time is
   parted as the time in it is, so that a picture of millions of calls shows them all. */
#include "command_functions.h"
#include "commands_title.h"
#include "frame_colour.h"
#include "mpi_lanes.h"
#include "mpi_names.h"
#include "picture_files.h"
#include "picture_value.h"
#include "storage.h"
#include "svg_axis.h"
#include "svg_drawing.h"
#include "svg_text.h"
#include "timeline_data.h"
#include "version.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pixels. */
enum { TOP = 78, FULL = 1000, SIDE = 512, ROW_MOST = 24, LINE = 13, TICK_STEP = 90, RIGHT = 30, PIXELS_MOST = 4000 };
enum { ROWS_MOST = 256, LINES_MOST = 1000, NAME_MOST = 24, WEIGHTS = 4, LEGEND = 300 };

/* Waits are warm colours, a family of them for messages, one for collective operations, one for what else all do together. */
static const struct colour colours[LANE_KINDS] = {
	[LANE_OUTSIDE] = {214, 228, 204},
	[LANE_POINT_TO_POINT] = {66, 120, 181},
	[LANE_COLLECTIVE] = {92, 168, 214},
	[LANE_ONE_SIDED] = {54, 150, 140},
	[LANE_FILE] = {130, 110, 180},
	[LANE_OTHER] = {150, 160, 170},
	[LANE_WAIT + MPI_WAIT_late_sender] = {214, 39, 40},
	[LANE_WAIT + MPI_WAIT_wrong_order] = {148, 20, 30},
	[LANE_WAIT + MPI_WAIT_late_receiver] = {240, 110, 90},
	[LANE_WAIT + MPI_WAIT_barrier] = {255, 150, 30},
	[LANE_WAIT + MPI_WAIT_n_to_n] = {255, 190, 60},
	[LANE_WAIT + MPI_WAIT_late_broadcast] = {214, 130, 20},
	[LANE_WAIT + MPI_WAIT_early_reduce] = {170, 100, 20},
	[LANE_WAIT + MPI_WAIT_early_scan] = {240, 215, 90},
	[LANE_WAIT + MPI_WAIT_creation] = {225, 130, 170},
	[LANE_WAIT + MPI_WAIT_fence] = {200, 70, 140},
	[LANE_WAIT + MPI_WAIT_late_post] = {170, 40, 120},
	[LANE_WAIT + MPI_WAIT_early_wait] = {240, 160, 200},
	[LANE_WAIT + MPI_WAIT_lock] = {130, 30, 90},
	[LANE_WAIT + MPI_WAIT_file] = {190, 120, 210},
	[LANE_WAIT + MPI_WAIT_ends] = {200, 170, 150},
};

struct drawing {
	FILE *file;
	struct session *session;
	struct table *texts;
	const struct mpi_lanes *lanes;
	const char **names; /* by lane */
	uint32_t bundle, rows;
	unsigned pixels, left, pitch, thick; /* pitch: from one row to the next */
	double scale;                        /* pixels a nanosecond */
	double sums[LANE_KINDS];             /* ns */
	FILE *paths[LANE_KINDS];
	char *path_text[LANE_KINDS];
	size_t path_size[LANE_KINDS];
};

static double pixel_of(const struct drawing *drawing, uint64_t time)
{
	return (double)(time - drawing->lanes->begin) * drawing->scale;
}

typedef double shares[LANE_KINDS]; /* pixels of time, of one pixel of a row */

/* Gives each pixel its part of a piece, and takes it from what the pixel was before. */
static void add_piece(shares *row, unsigned pixels, double from, double to, unsigned kind, bool inside)
{
	for (unsigned x = (unsigned)from; x < pixels && x < to; x++) {
		double part = (to < x + 1 ? to : x + 1) - (from > x ? from : x);
		row[x][kind] += part;
		if (inside)
			row[x][LANE_OUTSIDE] -= part;
	}
}

static void add_lane(struct drawing *drawing, shares *row, const struct mpi_lane *lane)
{
	const struct mpi_piece *pieces = drawing->lanes->pieces;
	add_piece(row, drawing->pixels, pixel_of(drawing, lane->begin), pixel_of(drawing, lane->end), LANE_OUTSIDE,
		false);
	drawing->sums[LANE_OUTSIDE] += (double)(lane->end - lane->begin);
	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		const struct mpi_piece *piece = &pieces[i];
		add_piece(row, drawing->pixels, pixel_of(drawing, piece->begin), pixel_of(drawing, piece->end),
			piece->kind, true);
		drawing->sums[piece->kind] += (double)(piece->end - piece->begin);
		drawing->sums[LANE_OUTSIDE] -= (double)(piece->end - piece->begin);
	}
}

/* A rectangle that goes on as long as the next pixels have the same. */
struct run {
	unsigned from, above, height;
};

static void end_run(struct drawing *drawing, unsigned kind, const struct run *run, unsigned to)
{
	if (run->height)
		fprintf(drawing->paths[kind], "M%u %uh%uv%uh-%uz", run->from, run->above, to - run->from, run->height,
			to - run->from);
}

static void put_row(struct drawing *drawing, uint32_t number)
{
	shares *row = memory_new(drawing->pixels, sizeof *row);
	struct run runs[LANE_KINDS] = {0};
	uint32_t first = number * drawing->bundle, end = first + drawing->bundle;
	end = end < drawing->lanes->lane_count ? end : drawing->lanes->lane_count;
	for (uint32_t l = first; l < end; l++)
		add_lane(drawing, row, &drawing->lanes->lanes[l]);
	for (unsigned x = 0; x < drawing->pixels; x++) {
		double sum = 0, factor = drawing->thick / (double)(end - first);
		for (unsigned kind = 0; kind < LANE_KINDS; kind++) {
			unsigned above = (unsigned)(sum * factor + 0.5);
			sum += row[x][kind] > 0 ? row[x][kind] : 0;
			struct run next = {x, number * drawing->pitch + above, (unsigned)(sum * factor + 0.5) - above};
			if (next.height == runs[kind].height && (!next.height || next.above == runs[kind].above))
				continue;
			end_run(drawing, kind, &runs[kind], x);
			runs[kind] = next;
		}
	}
	for (unsigned kind = 0; kind < LANE_KINDS; kind++)
		end_run(drawing, kind, &runs[kind], drawing->pixels);
	free(row);
}

static void put_rows(struct drawing *drawing)
{
	for (unsigned kind = 0; kind < LANE_KINDS; kind++)
		drawing->paths[kind] = open_memstream(&drawing->path_text[kind], &drawing->path_size[kind]);
	for (uint32_t row = 0; row < drawing->rows; row++)
		put_row(drawing, row);
	for (unsigned kind = 0; kind < LANE_KINDS; kind++) {
		fclose(drawing->paths[kind]);
		if (drawing->path_size[kind])
			fprintf(drawing->file, "<path class=\"%s\" fill=\"rgb(%u,%u,%u)\" d=\"%s\"/>\n",
				mpi_lane_title(kind), colours[kind].red, colours[kind].green, colours[kind].blue,
				drawing->path_text[kind]);
		free(drawing->path_text[kind]);
	}
}

/* Messages that look alike are one line. */
struct bundle {
	uint32_t from, to, count;
	unsigned sent, received; /* pixels */
};
struct bundles {
	struct bundle *all;
	uint32_t count;
};

/* Those that begin within `grain` pixels, and end within so many, between the same rows; no more than LINES_MOST and 1. */
static struct bundles bundle_lines(const struct drawing *drawing, unsigned grain)
{
	struct bundles bundles = {0};
	struct number_map places = {0};
	for (uint32_t i = 0; i < drawing->lanes->line_count && bundles.count <= LINES_MOST; i++) {
		const struct mpi_line *line = &drawing->lanes->lines[i];
		struct bundle own = {line->from / drawing->bundle, line->to / drawing->bundle, 1,
			(unsigned)(pixel_of(drawing, line->sent)) / grain * grain,
			(unsigned)(pixel_of(drawing, line->received)) / grain * grain};
		uint32_t *place =
			number_map_place(&places, number_pair(own.from << 16 | own.to, own.sent << 16 | own.received));
		if (*place != NO_NUMBER) {
			bundles.all[*place].count++;
			continue;
		}
		bundles.all = memory_room(bundles.all, bundles.count, sizeof *bundles.all);
		*place = bundles.count;
		bundles.all[bundles.count++] = own;
	}
	number_map_free(&places);
	return bundles;
}

/* Lines of 1, of up to 10, of up to 100, and of more messages. */
static unsigned weight_of(uint32_t count)
{
	return count == 1 ? 0 : count <= 10 ? 1 : count <= 100 ? 2 : 3;
}

/* Returns whether some of the lines are of several messages. */
static bool put_lines(struct drawing *drawing)
{
	unsigned grain = 1;
	bool several = false;
	struct bundles bundles = bundle_lines(drawing, grain);
	while (bundles.count > LINES_MOST && grain < PIXELS_MOST) {
		free(bundles.all);
		bundles = bundle_lines(drawing, grain *= 2);
	}
	/* Many lines are faint, so that what is behind them is seen. */
	double opaque = bundles.count > 100 ? 0.12 + 60.0 / bundles.count : 0.75;
	fprintf(drawing->file, "<g id=\"messages\" stroke-opacity=\"%.2f\" transform=\"translate(%u,%d)\">\n",
		opaque < 0.75 ? opaque : 0.75, drawing->left, TOP);
	for (unsigned weight = 0; weight < WEIGHTS; weight++) {
		bool any = false;
		for (uint32_t i = 0; i < bundles.count; i++) {
			const struct bundle *own = &bundles.all[i];
			if (weight_of(own->count) != weight)
				continue;
			if (!any)
				fprintf(drawing->file, "<path class=\"messages\" stroke-width=\"%.1f\" d=\"",
					0.7 + 0.5 * weight);
			any = true;
			several |= own->count > 1;
			fprintf(drawing->file, "M%u %.1fL%u %.1f", own->sent,
				own->from * drawing->pitch + drawing->thick / 2.0, own->received,
				own->to * drawing->pitch + drawing->thick / 2.0);
		}
		if (any)
			fputs("\"/>\n", drawing->file);
	}
	fputs("</g>\n", drawing->file);
	free(bundles.all);
	return several;
}

static void put_axis(const struct drawing *drawing)
{
	const double begin = (double)drawing->lanes->begin,
		     span = (double)(drawing->lanes->end - drawing->lanes->begin);
	const double step = svg_axis_step(span, (double)drawing->pixels / TICK_STEP);
	unsigned height = drawing->rows * drawing->pitch;
	fputs("<g id=\"axis\">\n", drawing->file);
	for (double number = ceil(begin / step); number * step <= begin + span; number++) {
		char text[PICTURE_VALUE_MAX];
		double at = drawing->left + (number * step - begin) * drawing->scale;
		svg_axis_time(text, number * step + 0.0, step);
		fprintf(drawing->file, "<path class=\"tick\" d=\"M%.1f %dv%u\"/>\n", at, TOP - 4, height + 4);
		svg_drawing_text(drawing->file, "class=\"middle\"", at, TOP - 9, text, NAME_MOST);
	}
	fputs("</g>\n", drawing->file);
}

static void put_names(const struct drawing *drawing)
{
	uint32_t every = 1;
	while (every * drawing->pitch < LINE)
		every = every == 1 ? 2 : every == 2 ? 5 : every == 5 ? 10 : every * 2;
	for (uint32_t row = 0; row < drawing->rows; row += every)
		svg_drawing_text(drawing->file, "class=\"end\"", drawing->left - 5,
			TOP + row * drawing->pitch + drawing->thick / 2.0 + 4, drawing->names[row * drawing->bundle],
			NAME_MOST);
}

/* Returns how high it is. */
static unsigned put_legend(const struct drawing *drawing, unsigned y)
{
	unsigned columns = (drawing->left + drawing->pixels) / LEGEND, place = 0;
	double all = 0;
	for (unsigned kind = 0; kind < LANE_KINDS; kind++)
		all += drawing->sums[kind];
	for (unsigned kind = 0; kind < LANE_KINDS; kind++) {
		unsigned left = PICTURE_MARGIN + place % columns * LEGEND, top = y + place / columns * 18;
		if (drawing->sums[kind] < 0.5)
			continue;
		fprintf(drawing->file, "<rect x=\"%u\" y=\"%u\" width=\"12\" height=\"12\" fill=\"rgb(%u,%u,%u)\"/>\n",
			left, top, colours[kind].red, colours[kind].green, colours[kind].blue);
		svg_drawing_text(drawing->file, "class=\"legend\"", left + 17, top + 10,
			table_text(drawing->texts, "%s: %.3f s, %.2f %%", mpi_lane_title(kind),
				drawing->sums[kind] / 1e9, 100 * drawing->sums[kind] / all),
			LEGEND / 6);
		place++;
	}
	return (place + columns - 1) / columns * 18;
}

static unsigned legend_height(const struct drawing *drawing)
{
	/* The sums are not known before the rows are drawn: the most that there can be. */
	unsigned columns = (drawing->left + drawing->pixels) / LEGEND, places = LANE_WAIT;
	bool found[LANE_KINDS] = {0};
	for (uint32_t i = 0; i < drawing->lanes->piece_count; i++)
		found[drawing->lanes->pieces[i].kind] = true;
	for (unsigned kind = LANE_WAIT; kind < LANE_KINDS; kind++)
		places += found[kind];
	return (places + columns - 1) / columns * 18;
}

static const char *subtitle_of(const struct drawing *drawing)
{
	char messages[PICTURE_VALUE_MAX];
	const char *filter = drawing->session->filter_text;
	const char *bundles =
		drawing->bundle > 1 ? table_text(drawing->texts, ", %" PRIu32 " to a row", drawing->bundle) : "";
	return table_text(drawing->texts, "%" PRIu32 " %s%s, %s %s%s%s, er-tools " ER_TOOLS_VERSION,
		drawing->lanes->lane_count, drawing->lanes->lane_count == 1 ? "thread" : "threads", bundles,
		picture_value(messages, METRIC_COUNT, drawing->lanes->line_count),
		drawing->lanes->line_count == 1 ? "message" : "messages", filter ? ", filter: " : "",
		filter ? filter : "");
}

/* A canvas lies over the rows, and over that a rectangle for the mouse. */
static void put_script(const struct drawing *drawing, unsigned height)
{
	FILE *file = drawing->file;
	unsigned rows = drawing->rows * drawing->pitch;
	fprintf(file,
		"<foreignObject class=\"hidden\" x=\"%u\" y=\"%d\" width=\"%u\" height=\"%u\"><canvas id=\"canvas\" "
		"xmlns=\"http://www.w3.org/1999/xhtml\" width=\"%u\" height=\"%u\"/></foreignObject>\n"
		"<rect id=\"range\" x=\"0\" y=\"%d\" width=\"0\" height=\"%u\"/>\n"
		"<rect id=\"area\" x=\"%u\" y=\"%d\" width=\"%u\" height=\"%u\"/>\n",
		drawing->left, TOP, drawing->pixels, rows, drawing->pixels, rows, TOP, rows, drawing->left, TOP,
		drawing->pixels, rows);
	svg_drawing_text(drawing->file, "id=\"reset\" class=\"hidden\"", PICTURE_MARGIN, 40, "Reset zoom", NAME_MOST);
	fprintf(file, "<text id=\"details\" x=\"%d\" y=\"%u\"></text>\n<g id=\"names\">\n", PICTURE_MARGIN, height - 8);
	for (uint32_t row = 0; row < drawing->rows; row++) {
		const char *name = drawing->names[row * drawing->bundle];
		fprintf(file, "<desc>%s ", drawing->bundle > 1 ? "ranks from" : "rank");
		svg_text(file, name, strlen(name));
		fputs("</desc>\n", file);
	}
	fputs("</g>\n<g id=\"kinds\">\n", file);
	for (unsigned kind = 0; kind < LANE_KINDS; kind++)
		fprintf(file, "<desc data-colour=\"%u,%u,%u\">%s</desc>\n", colours[kind].red, colours[kind].green,
			colours[kind].blue, mpi_lane_title(kind));
	fputs("</g>\n<desc id=\"data\">", file);
	timeline_data_write(file, drawing->lanes);
	fputs("</desc>\n<script><![CDATA[\n", file);
	for (size_t i = 0; timeline_scripts[i]; i++)
		fputs(timeline_scripts[i], file);
	fputs("]]></script>\n", file);
}

static void put_picture(struct drawing *drawing)
{
	unsigned rows = drawing->rows * drawing->pitch, width = drawing->left + drawing->pixels + RIGHT;
	unsigned height = TOP + rows + 16 + legend_height(drawing) + 22;
	const char *title = drawing->session->picture.title ? drawing->session->picture.title
							    : table_text(drawing->texts, "MPI Timeline: %s",
								      commands_title(drawing->session, drawing->texts));
	svg_drawing_head(drawing->file, width, height, timeline_style, title, subtitle_of(drawing));
	put_axis(drawing);
	fprintf(drawing->file,
		"<g id=\"rows\" transform=\"translate(%u,%d)\" data-pitch=\"%u\" data-thick=\"%u\" "
		"data-bundle=\"%" PRIu32 "\" "
		"data-pixels=\"%u\" data-left=\"%u\" data-top=\"%d\">\n",
		drawing->left, TOP, drawing->pitch, drawing->thick, drawing->bundle, drawing->pixels, drawing->left,
		TOP);
	put_rows(drawing);
	fputs("</g>\n", drawing->file);
	bool several = put_lines(drawing);
	put_names(drawing);
	put_legend(drawing, TOP + rows + 10);
	if (several)
		svg_drawing_text(drawing->file, "class=\"end\"", width - PICTURE_MARGIN, 58,
			"thick lines: several messages", NAME_MOST * 2);
	if (!drawing->session->picture.silent)
		put_script(drawing, height);
	fputs("</svg>\n", drawing->file);
}

/* "3" of a rank's first thread, "3 thread 2" of others. */
static void name_lanes(struct drawing *drawing, const struct mpi_process_names *names)
{
	const struct mpi_lane *lanes = drawing->lanes->lanes;
	for (uint32_t l = 0; l < drawing->lanes->lane_count; l++) {
		const char *name = mpi_process_name(names, lanes[l].experiment);
		drawing->names[l] = l && lanes[l - 1].experiment == lanes[l].experiment
					    ? table_text(drawing->texts, "%s thread %" PRIu32, name, lanes[l].thread)
					    : name;
	}
}

static void measure(struct drawing *drawing)
{
	const struct mpi_lanes *lanes = drawing->lanes;
	size_t longest = 1;
	drawing->bundle = (lanes->lane_count + ROWS_MOST - 1) / ROWS_MOST;
	drawing->rows = (lanes->lane_count + drawing->bundle - 1) / drawing->bundle;
	for (uint32_t row = 0; row < drawing->rows; row++) {
		size_t length = strlen(drawing->names[row * drawing->bundle]);
		longest = length > longest ? length : longest;
	}
	longest = longest < NAME_MOST ? longest : NAME_MOST;
	drawing->left = PICTURE_MARGIN + 5 + (unsigned)((double)longest * PICTURE_CHARACTER + 1);
	unsigned width = drawing->session->picture.width;
	drawing->pixels = width > drawing->left + RIGHT + LEGEND ? width - drawing->left - RIGHT : FULL;
	drawing->pixels = drawing->pixels < PIXELS_MOST ? drawing->pixels : PIXELS_MOST;
	drawing->pitch = SIDE / drawing->rows < ROW_MOST ? SIDE / drawing->rows : ROW_MOST;
	drawing->thick = drawing->pitch > 8 ? drawing->pitch - 4 : drawing->pitch;
	uint64_t span = lanes->end - lanes->begin;
	drawing->scale = drawing->pixels / (span ? (double)span : 1);
}

static void draw(void *context, FILE *file)
{
	struct drawing *drawing = context;
	struct table texts = {0};
	drawing->file = file;
	drawing->texts = &texts;
	struct mpi_process_names names = mpi_process_names_make(drawing->session, &texts);
	drawing->names = memory_new(drawing->lanes->lane_count, sizeof *drawing->names);
	name_lanes(drawing, &names);
	measure(drawing);
	put_picture(drawing);
	free(drawing->names);
	free(names.text);
	table_free(&texts);
}

bool command_mpi_timeline(struct session *session, unsigned argc, char **argv)
{
	if (!argc || !*argv[0])
		return session_error(session, "mpi_timeline needs the name of the file to write, .svg, or -");
	struct mpi_lanes *lanes = mpi_lanes_read(session->data, session_filter(session));
	struct drawing drawing = {.session = session, .lanes = lanes};
	bool done = lanes->piece_count ? svg_drawing_write(session, argv[0], "MPI timeline", draw, &drawing)
				       : session_error(session, "No MPI calls were recorded");
	mpi_lanes_free(lanes);
	return done;
}
