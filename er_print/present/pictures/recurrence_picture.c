/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command recurrence_plot: a picture for each thread of when it was in the same code spaces again. */
#include "chart_subject.h"
#include "command_functions.h"
#include "commands_title.h"
#include "frame_colour.h"
#include "picture_files.h"
#include "picture_value.h"
#include "png_image.h"
#include "recurrence_plot.h"
#include "search.h"
#include "space_names.h"
#include "svg_axis.h"
#include "svg_drawing.h"
#include "svg_text.h"
#include "version.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PANELS_MOST = 16, SIDE = RECURRENCE_SIDE, CHANNELS = 4 };
/* Pixels: around a panel, and from one to the next. */
enum { LEFT = 66, TOP = 76, ACROSS = SIDE + LEFT + 16, DOWN = SIDE + 110, TICK_LENGTH = 4, TICK_STEP = 80 };

struct plotting {
	FILE *file;
	struct session *session;
	const struct phase_report *report;
	struct table *texts;
	const char **thread_names; /* of those that are drawn */
	uint32_t *threads, count;
	struct colour *colours;  /* by phase */
	uint32_t *named, *names; /* by class: its place among the names, from 1; and the class by place */
	uint32_t name_count;
};

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool has_others(const struct space_report *spaces)
{
	for (uint32_t c = 0; c < spaces->classes.count; c++)
		if (!spaces->listed[c])
			return true;
	return false;
}

/* Colours of phases as the chart of spaces has them by its palette `object`: a hue depends on the names before it there. */
static struct colour *phase_colours(const struct plotting *plotting)
{
	static const char *const before[] = {SPACE_CHART_TOTAL, SPACE_CHART_OTHERS};
	uint32_t phases = plotting->report->phases.count, first = 1 + has_others(&plotting->report->spaces);
	uint32_t count = first + phases;
	const char **names = memory_new(count, sizeof *names);
	unsigned *hues = memory_new(count, sizeof *hues);
	struct colour *colours = memory_new(phases, sizeof *colours);
	for (uint32_t i = 0; i < count; i++)
		names[i] = i < first ? before[i] : table_text(plotting->texts, "phase %" PRIu32, i - first + 1);
	qsort(names, count, sizeof *names, by_text);
	colour_hues(names, count, hues);
	for (uint32_t i = first; i < count; i++) {
		const struct frame_traits traits = {.name = names[i], .object = i, .hue = hues[i]};
		unsigned long phase = strtoul(names[i] + strlen("phase "), 0, 10);
		colours[phase - 1] = frame_colour(PALETTE_object, plotting->session->picture.safe, &traits);
	}
	free(hues);
	free(names);
	return colours;
}

struct heavy {
	uint32_t thread;
	uint64_t time;
};

static int by_time(const void *a, const void *b)
{
	const struct heavy *x = a, *y = b;
	return COMPARE(y->time, x->time) ?: COMPARE(x->thread, y->thread);
}

static int by_number(const void *a, const void *b)
{
	return COMPARE(*(const uint32_t *)a, *(const uint32_t *)b);
}

/* The threads with the most time, in the order of all. */
static void choose_threads(struct plotting *plotting)
{
	const struct appearances *appearances = &plotting->report->spaces.appearances;
	struct heavy *all = memory_new(appearances->thread_count, sizeof *all);
	for (uint32_t t = 0; t < appearances->thread_count; t++)
		all[t].thread = t;
	for (uint32_t i = 0; i < appearances->count; i++)
		all[appearances->all[i].thread].time += appearances->all[i].to - appearances->all[i].from;
	qsort(all, appearances->thread_count, sizeof *all, by_time);
	plotting->count = appearances->thread_count < PANELS_MOST ? appearances->thread_count : PANELS_MOST;
	plotting->threads = memory_new(plotting->count, sizeof *plotting->threads);
	for (uint32_t t = 0; t < plotting->count; t++)
		plotting->threads[t] = all[t].thread;
	qsort(plotting->threads, plotting->count, sizeof *plotting->threads, by_number);
	free(all);
}

/* Two moments of one phase have its colour, others are grey; the less alike, the paler. Time goes to the right and upwards. */
static void put_image(const struct plotting *plotting, const struct recurrence_plot *plot)
{
	static const struct colour grey = {70, 70, 70};
	unsigned char *pixels = memory_new((size_t)SIDE * SIDE, CHANNELS), *next = pixels;
	for (uint32_t y = SIDE; y-- > 0;)
		for (uint32_t x = 0; x < SIDE; x++, next += CHANNELS) {
			const struct recurrence_moment *a = &plot->moments[x], *b = &plot->moments[y];
			struct colour colour = a->phase == b->phase ? plotting->colours[a->phase] : grey;
			next[3] = plot->alike[y][x];
			if (next[3])
				memcpy(next, (unsigned char[]){colour.red, colour.green, colour.blue}, 3);
		}
	struct data_bytes image = {0};
	png_image(&image, pixels, SIDE, SIDE);
	fprintf(plotting->file, "<image width=\"%d\" height=\"%d\" href=\"data:image/png;base64,", SIDE, SIDE);
	data_base64(plotting->file, &image);
	fputs("\"/>\n", plotting->file);
	data_free(&image);
	free(pixels);
}

static void put_ticks(const struct plotting *plotting, const struct recurrence_plot *plot)
{
	const double begin = (double)plot->from, span = (double)(plot->to - plot->from),
		     step = svg_axis_step(span, (double)SIDE / TICK_STEP);
	for (double number = ceil(begin / step); number * step <= begin + span; number++) {
		char text[PICTURE_VALUE_MAX];
		double at = SIDE * (number * step - begin) / span;
		svg_axis_time(text, number * step + 0.0, step);
		fprintf(plotting->file,
			"<path d=\"M%.1f %dv%dM0 %.1fh%d\"/><text class=\"right\" x=\"%.1f\" y=\"%d\">%s</text>"
			"<text class=\"up\" x=\"%d\" y=\"%.1f\">%s</text>\n",
			at, SIDE, TICK_LENGTH, SIDE - at, -TICK_LENGTH, at, SIDE + 16, text, -6, SIDE - at + 4, text);
	}
}

/* The place of a class among the names that the script has. */
static uint32_t name_of(struct plotting *plotting, uint32_t class)
{
	if (!plotting->named[class]) {
		plotting->names[plotting->name_count++] = class;
		plotting->named[class] = plotting->name_count;
	}
	return plotting->named[class] - 1;
}

static void put_moments(struct plotting *plotting, const struct recurrence_plot *plot)
{
	for (uint32_t m = 0; m < SIDE; m++) {
		const struct recurrence_moment *own = &plot->moments[m];
		fprintf(plotting->file, m ? " " : "");
		if (own->covered)
			fprintf(plotting->file, "%" PRIu32 ",%" PRIu32, own->phase + 1, name_of(plotting, own->class));
		else
			fputs("0,0", plotting->file);
	}
}

static void put_panel(struct plotting *plotting, uint32_t number)
{
	FILE *file = plotting->file;
	struct recurrence_plot *plot = recurrence_plot_make(
		&plotting->report->spaces.appearances, &plotting->report->phases, plotting->threads[number]);
	fprintf(file,
		"<g class=\"panel\" transform=\"translate(%u,%u)\" data-from=\"%" PRIu64 "\" data-step=\"%.3f\" "
		"data-moments=\"",
		LEFT + number % 2 * ACROSS, TOP + number / 2 * DOWN, plot->from,
		(double)(plot->to - plot->from) / SIDE);
	put_moments(plotting, plot);
	fputs("\">\n<text class=\"name\" x=\"0\" y=\"-6\">", file);
	const char *name = plotting->thread_names[number];
	svg_text_cut(file, name, strlen(name), SIDE / 8);
	fprintf(file, "</text>\n<rect width=\"%d\" height=\"%d\"/>\n", SIDE, SIDE);
	put_image(plotting, plot);
	put_ticks(plotting, plot);
	for (int line = 0; line < 3; line++)
		fprintf(file, "<text class=\"details\" x=\"0\" y=\"%d\"/>\n", SIDE + 34 + 16 * line);
	fputs("</g>\n", file);
	free(plot);
}

static const char *title_of(const struct plotting *plotting)
{
	return plotting->session->picture.title ? plotting->session->picture.title
						: table_text(plotting->texts, "Recurrence Plot: %s",
							  commands_title(plotting->session, plotting->texts));
}

static const char *subtitle_of(const struct plotting *plotting)
{
	uint32_t all = plotting->report->spaces.appearances.thread_count;
	const char *of = all > plotting->count
				 ? table_text(plotting->texts, " of %" PRIu32 ", those with the most time", all)
				 : "";
	const char *filter = plotting->session->filter_text;
	return table_text(plotting->texts,
		"%" PRIu32 " %s%s, dark: the same code spaces again, coloured: in one phase%s%s, "
		"er-tools " ER_TOOLS_VERSION,
		plotting->count, plotting->count == 1 ? "thread" : "threads", of, filter ? ", filter: " : "",
		filter ? filter : "");
}

static void put_script(struct plotting *plotting)
{
	const struct space_report *spaces = &plotting->report->spaces;
	fputs("<g id=\"names\">\n", plotting->file);
	for (uint32_t n = 0; n < plotting->name_count; n++) {
		uint32_t class = plotting->names[n];
		const char *name = table_text(plotting->texts, "space %" PRIu32 ": %s", class + 1,
			space_class_name(
				spaces->session, plotting->texts, &spaces->model, &spaces->classes.classes[class]));
		fputs("<desc>", plotting->file);
		svg_text(plotting->file, name, strlen(name));
		fputs("</desc>\n", plotting->file);
	}
	fprintf(plotting->file, "</g>\n<script><![CDATA[\n(function () {\n%s})();\n]]></script>\n", recurrence_script);
}

static void put_picture(struct plotting *plotting)
{
	FILE *file = plotting->file;
	unsigned columns = plotting->count > 1 ? 2 : 1;
	unsigned width = columns * ACROSS + PICTURE_MARGIN, height = TOP + (plotting->count + 1) / 2 * DOWN;
	svg_drawing_head(file, width, height, recurrence_style, title_of(plotting), subtitle_of(plotting));
	for (uint32_t number = 0; number < plotting->count; number++)
		put_panel(plotting, number);
	if (!plotting->session->picture.silent)
		put_script(plotting);
	fputs("</svg>\n", file);
}

struct subject {
	struct session *session;
	struct phase_report report;
};

static void draw(void *context, FILE *file)
{
	struct subject *subject = context;
	struct session *session = subject->session;
	const struct phase_report *report = &subject->report;
	uint32_t classes = report->spaces.classes.count;
	struct table texts = {0};
	struct plotting plotting = {.file = file, .session = session, .report = report, .texts = &texts};
	choose_threads(&plotting);
	plotting.colours = phase_colours(&plotting);
	plotting.named = memory_new(classes, sizeof *plotting.named);
	plotting.names = memory_new(classes, sizeof *plotting.names);
	struct thread_key *keys = memory_new(plotting.count, sizeof *keys);
	for (uint32_t t = 0; t < plotting.count; t++) {
		const struct space_thread *thread = &report->spaces.appearances.threads[plotting.threads[t]];
		keys[t] = (struct thread_key){thread->experiment, thread->number};
	}
	plotting.thread_names = chart_thread_names(session, keys, plotting.count, &texts);
	put_picture(&plotting);
	free(keys);
	free(plotting.thread_names);
	free(plotting.named);
	free(plotting.names);
	free(plotting.colours);
	free(plotting.threads);
	table_free(&texts);
}

bool command_recurrence_plot(struct session *session, unsigned argc, char **argv)
{
	struct subject subject = {.session = session};
	if (!argc || !*argv[0])
		return session_error(session, "recurrence_plot needs the name of the file to write, .svg, or -");
	if (!phase_report_begin(&subject.report, session))
		return false;
	bool done = svg_drawing_write(session, argv[0], "Recurrence plot", draw, &subject);
	phase_report_end(&subject.report);
	return done;
}
