/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds charts of spaces: the open phase and the open class of a thread go on, or end where others begin. */
#include "space_chart.h"
#include "time_chart_growth.h"

static const struct metric time_row = {.name = "time", .title = "Time", .unit = METRIC_NANOSECONDS, .kind = KIND_CLOCK};

struct drawing {
	struct time_chart_growth growth;
	uint32_t lane, phase, space; /* the open nodes; 0: none */
	uint64_t at;                 /* where the appearance before ended */
	uint64_t left;               /* edge of the chart */
};

static void begin_lane(struct drawing *drawing, const struct space_thread *thread, uint64_t start)
{
	drawing->lane = time_chart_add_lane(&drawing->growth, thread->experiment, thread->number, start);
	drawing->phase = drawing->space = 0;
	drawing->at = start;
}

static uint32_t add_frame(struct drawing *drawing, uint32_t parent, uint32_t number, uint64_t start)
{
	return time_chart_add(&drawing->growth, parent, &(struct path_node){.frame.function = number}, start);
}

/* Draws an appearance after the one before it, of which the phase goes on, or not. */
static void draw(struct drawing *drawing, const struct appearance *own, bool goes_on, uint32_t phase, uint32_t space)
{
	struct path_tree *tree = drawing->growth.chart->tree;
	uint64_t from = own->from - drawing->left, gap = from - drawing->at;
	goes_on = goes_on && drawing->phase;
	tree->exclusive[0][goes_on ? drawing->phase : drawing->lane] += gap;
	if (!goes_on) {
		drawing->phase = add_frame(drawing, drawing->lane, phase, from);
		drawing->space = 0;
	}
	if (gap || !drawing->space || tree->nodes[drawing->space].frame.function != space)
		drawing->space = add_frame(drawing, drawing->phase, space, from);
	drawing->at = own->to - drawing->left;
	tree->exclusive[0][drawing->space] += own->to - own->from;
	if (drawing->at > drawing->growth.chart->width)
		drawing->growth.chart->width = drawing->at;
}

static uint64_t left_edge(const struct appearances *appearances)
{
	uint64_t left = UINT64_MAX;
	for (uint32_t i = 0; i < appearances->count; i++)
		left = appearances->all[i].from < left ? appearances->all[i].from : left;
	return appearances->count ? left : 0;
}

struct time_chart *space_chart_create(
	const struct appearances *appearances, const struct space_phases *phases, const bool *listed, uint32_t classes)
{
	struct drawing drawing = {.growth = time_chart_growth_begin(&time_row, true), .left = left_edge(appearances)};
	struct time_chart *chart = drawing.growth.chart;
	chart->begin = (int64_t)drawing.left;
	for (uint32_t i = 0; i < appearances->count; i++) {
		const struct appearance *own = &appearances->all[i];
		if (!i || own[-1].thread != own->thread)
			begin_lane(&drawing, &appearances->threads[own->thread], own->from - drawing.left);
		uint32_t space = listed[own->class] ? own->class : classes;
		draw(&drawing, own, space_phase_goes_on(phases, appearances, i), 1 + phases->of[i],
			1 + phases->count + space);
	}
	path_tree_finish(chart->tree);
	return chart;
}
