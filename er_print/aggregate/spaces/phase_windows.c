/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes through appearances and cuts them at the ends of windows. */
#include "phase_windows.h"
#include "search.h"
#include "storage.h"
#include <math.h>
#include <stdlib.h>

static bool is_off_cpu(const struct code_space *space)
{
	return space->kind == SPACE_STATIONARY && space->state != SPACE_RAN;
}

void phase_coordinates_make(
	struct phase_coordinates *coordinates, const struct space_classes *classes, const struct space_model *model)
{
	enum { OF_WAITS = UINT32_MAX };
	struct number_map shared = {0}; /* by number_pair of OF_WAITS and a state, or of 0 and a function */
	*coordinates = (struct phase_coordinates){.of = memory_new(classes->count, sizeof *coordinates->of)};
	for (uint32_t c = 0; c < classes->count; c++) {
		const struct space_class *class = &classes->classes[c];
		const struct code_space *leader = &model->table.spaces[class->leader];
		bool waits = is_off_cpu(leader);
		if (!waits && space_exceeds(class->counts.time, classes->all.counts.time, model->rules.limit)) {
			coordinates->of[c] = coordinates->count++;
			continue;
		}
		uint32_t *place = number_map_place(
			&shared, waits ? number_pair(OF_WAITS, leader->state) : number_pair(0, leader->function));
		if (*place == NO_NUMBER)
			*place = coordinates->count++;
		coordinates->of[c] = *place;
	}
	number_map_free(&shared);
}

void phase_coordinates_free(struct phase_coordinates *coordinates)
{
	free(coordinates->of);
}

static uint64_t window_of_run(uint64_t run, uint64_t interval)
{
	uint64_t window = run / PHASE_WINDOW_PARTS, least = PHASE_WINDOW_INTERVALS * interval;
	window = window < PHASE_WINDOW_MOST ? window : PHASE_WINDOW_MOST;
	least = least > PHASE_WINDOW_LEAST ? least : PHASE_WINDOW_LEAST;
	return window > least ? window : least;
}

struct phase_window phase_window_choose(
	const struct appearances *appearances, const struct space_classes *classes, const struct space_model *model)
{
	uint64_t begin = UINT64_MAX, end = 0, ran = 0, intervals = 0;
	for (uint32_t i = 0; i < appearances->count; i++) {
		const struct appearance *own = &appearances->all[i];
		begin = own->from < begin ? own->from : begin;
		end = own->to > end ? own->to : end;
		if (is_off_cpu(&model->table.spaces[classes->classes[own->class].leader]))
			continue;
		ran += own->to - own->from;
		intervals += own->intervals;
	}
	uint64_t interval = intervals ? ran / intervals : 0;
	uint64_t length =
		model->rules.window ? model->rules.window : window_of_run(end > begin ? end - begin : 0, interval);
	return (struct phase_window){length, interval ? (double)length / (double)interval : 0};
}

struct windows {
	struct cluster_vectors *made;
	uint64_t window; /* ns */
	double *time;    /* by coordinate: in the window that is being read */
	struct vector_part *touched;
	uint32_t touched_count;
	uint32_t number, step; /* of all windows, and which of them are kept */
	size_t parts;
};

static int by_coordinate(const void *a, const void *b)
{
	return COMPARE(((const struct vector_part *)a)->coordinate, ((const struct vector_part *)b)->coordinate);
}

static void keep_window(struct windows *windows)
{
	struct cluster_vectors *made = windows->made;
	double all = 0;
	qsort(windows->touched, windows->touched_count, sizeof *windows->touched, by_coordinate);
	for (uint32_t i = 0; i < windows->touched_count; i++)
		all += windows->time[windows->touched[i].coordinate];
	made->weight = memory_room(made->weight, made->count, sizeof *made->weight);
	made->weight[made->count] = all / (double)windows->window;
	for (uint32_t i = 0; i < windows->touched_count; i++) {
		uint32_t coordinate = windows->touched[i].coordinate;
		made->parts = memory_room(made->parts, windows->parts, sizeof *made->parts);
		made->parts[windows->parts++] = (struct vector_part){coordinate, sqrt(windows->time[coordinate] / all)};
	}
	made->first = memory_room(made->first, made->count + 1, sizeof *made->first);
	made->first[++made->count] = windows->parts;
}

static void end_window(struct windows *windows)
{
	if (!windows->touched_count)
		return;
	if (windows->number++ % windows->step == 0)
		keep_window(windows);
	for (uint32_t i = 0; i < windows->touched_count; i++)
		windows->time[windows->touched[i].coordinate] = 0;
	windows->touched_count = 0;
}

static void add_time(struct windows *windows, uint32_t coordinate, uint64_t time)
{
	if (!time)
		return;
	if (windows->time[coordinate] <= 0) {
		windows->touched = memory_room(windows->touched, windows->touched_count, sizeof *windows->touched);
		windows->touched[windows->touched_count++].coordinate = coordinate;
	}
	windows->time[coordinate] += (double)time;
}

static void read_thread(struct windows *windows, const struct appearance *all, uint32_t count,
	const struct phase_coordinates *coordinates)
{
	uint64_t end = 0; /* of the window that is being read */
	for (uint32_t i = 0; i < count; i++)
		for (uint64_t at = all[i].from; at < all[i].to;) {
			if (at >= end) {
				end_window(windows);
				end = (at / windows->window + 1) * windows->window;
			}
			uint64_t to = all[i].to < end ? all[i].to : end;
			add_time(windows, coordinates->of[all[i].class], to - at);
			at = to;
		}
	end_window(windows);
}

/* How many windows have appearances. */
static uint64_t count_windows(const struct appearances *appearances, uint64_t window)
{
	uint64_t count = 0;
	for (uint32_t t = 0; t < appearances->thread_count; t++) {
		const struct appearance *own = appearances->all + appearances->threads[t].first;
		uint64_t last = UINT64_MAX;
		for (uint32_t i = 0; i < appearances->threads[t].count; i++) {
			if (own[i].from == own[i].to)
				continue;
			uint64_t first = own[i].from / window;
			uint64_t end = (own[i].to - 1) / window;
			count += end - first + (first != last);
			last = end;
		}
	}
	return count;
}

void phase_windows_read(struct cluster_vectors *vectors, const struct appearances *appearances,
	const struct phase_coordinates *coordinates, uint64_t window)
{
	struct windows windows = {.made = vectors, .window = window};
	*vectors = (struct cluster_vectors){.coordinates = coordinates->count, .first = memory_new(1, sizeof(size_t))};
	windows.step = (uint32_t)(count_windows(appearances, window) / PHASE_WINDOWS_MOST + 1);
	windows.time = memory_new(coordinates->count, sizeof *windows.time);
	for (uint32_t t = 0; t < appearances->thread_count; t++)
		read_thread(&windows, appearances->all + appearances->threads[t].first, appearances->threads[t].count,
			coordinates);
	free(windows.time);
	free(windows.touched);
}

void phase_windows_free(struct cluster_vectors *vectors)
{
	free(vectors->parts);
	free(vectors->first);
	free(vectors->weight);
}
