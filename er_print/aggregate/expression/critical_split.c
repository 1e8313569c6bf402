/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The expression is evaluated as it is, and as if everything, or nothing, were on the path. */
#include "critical_split.h"
#include "expression_nodes.h"
#include "mpi_critical.h"
#include "number_map.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

/* Columns that change: all others stay as they are. */
static const unsigned changing[] = {FIELD_INDEX(MPI, duration), FIELD_INDEX(MPI, between), FIELD_INDEX(MPI, calls),
	FIELD_INDEX(MPI, role), FIELD_INDEX(MPI, sent), FIELD_INDEX(MPI, received)};
enum { DURATION, BETWEEN, CALLS, ROLE, SENT, RECEIVED, CHANGING };

enum answer { AS_IT_IS, ON, OFF, ANSWERS };
struct critical_split {
	struct expression expression[ANSWERS]; /* copies, which share all they point to */
	expression_column *columns[ANSWERS];
	bool *holds[ANSWERS]; /* by event */
	uint64_t *time, *fields[CHANGING];
	uint32_t capacity;
	struct data_batch batch;
};

struct critical_split *critical_split_begin(const struct expression *expression, enum kind kind)
{
	if (!expression || kind != KIND_MPI || !expression->uses[KEYWORD_MCRITICAL] || !expression->mpi_critical)
		return 0;
	struct critical_split *split = memory_new(1, sizeof *split);
	for (unsigned a = 0; a < ANSWERS; a++) {
		split->expression[a] = *expression;
		split->expression[a].critical_answer = a == ON    ? CRITICAL_ALWAYS
						       : a == OFF ? CRITICAL_NEVER
								  : CRITICAL_ASKED;
		split->columns[a] = expression_columns(expression);
	}
	return split;
}

void critical_split_free(struct critical_split *split)
{
	if (!split)
		return;
	for (unsigned a = 0; a < ANSWERS; a++) {
		free(split->columns[a]);
		free(split->holds[a]);
	}
	for (unsigned f = 0; f < CHANGING; f++)
		free(split->fields[f]);
	free(split->time);
	free(split);
}

static void make_room(struct critical_split *split, uint32_t count)
{
	if (count <= split->capacity)
		return;
	split->capacity = count;
	for (unsigned a = 0; a < ANSWERS; a++)
		split->holds[a] = memory_resize(split->holds[a], count, sizeof *split->holds[a]);
	for (unsigned f = 0; f < CHANGING; f++)
		split->fields[f] = memory_resize(split->fields[f], count, sizeof *split->fields[f]);
	split->time = memory_resize(split->time, count, sizeof *split->time);
}

static void evaluate(struct critical_split *split, const struct data_batch *whole)
{
	for (unsigned a = 0; a < ANSWERS; a++)
		for (uint32_t first = 0; first < whole->count; first += EXPRESSION_CHUNK) {
			uint32_t left = whole->count - first, count = left < EXPRESSION_CHUNK ? left : EXPRESSION_CHUNK;
			const int64_t *value = expression_evaluate_in(
				split->columns[a], &split->expression[a], KIND_MPI, whole, first, count);
			for (uint32_t i = 0; i < count; i++)
				split->holds[a][first + i] = value[i] != 0;
		}
}

/* Keeps the part of a call that is on the path, or that is not. False: there is none. */
static bool keep_part(struct critical_split *split, uint64_t thread, uint32_t i, bool on)
{
	const struct mpi_critical *path = split->expression[AS_IT_IS].mpi_critical;
	uint64_t begin = split->time[i], duration = split->fields[DURATION][i];
	uint64_t end = begin + duration + split->fields[BETWEEN][i];
	uint64_t part = mpi_critical_overlap(path, thread, begin, end);
	/* A run of polls reaches over the program's own code between them, which is no time in MPI. */
	part = part < duration ? part : duration;
	part = on ? part : duration - part;
	if (!part)
		return false;
	if (part < duration) {
		split->time[i] = mpi_critical_first(path, thread, begin, end, on);
		split->fields[DURATION][i] = part;
		split->fields[BETWEEN][i] = 0;
	}
	return true;
}

/* A call that counts elsewhere leaves its time only. */
static void forget_call(struct critical_split *split, uint32_t i)
{
	split->fields[CALLS][i] = split->fields[SENT][i] = split->fields[RECEIVED][i] = 0;
	split->fields[ROLE][i] = STATE_VALUE(MPI, role, none);
}

/* Whether something is kept of an event. */
static bool split_event(struct critical_split *split, uint64_t thread, uint32_t i)
{
	bool on = split->holds[ON][i], off = split->holds[OFF][i], counts = split->holds[AS_IT_IS][i];
	if (on == off || !split->fields[DURATION][i])
		return counts;
	bool some = keep_part(split, thread, i, on);
	if (!counts && some)
		forget_call(split, i);
	if (counts && !some)
		split->fields[DURATION][i] = split->fields[BETWEEN][i] = 0;
	return some || counts;
}

const struct data_batch *critical_split_batch(
	struct critical_split *split, const struct data_batch *whole, const bool **kept)
{
	uint32_t experiment = (uint32_t)(whole->experiment - split->expression[AS_IT_IS].setting->data->experiments);
	make_room(split, whole->count);
	evaluate(split, whole);
	split->batch = *whole;
	memcpy(split->time, whole->time, whole->count * sizeof *split->time);
	split->batch.time = split->time;
	for (unsigned f = 0; f < CHANGING; f++) {
		memcpy(split->fields[f], whole->field[changing[f]], whole->count * sizeof *split->fields[f]);
		split->batch.field[changing[f]] = split->fields[f];
	}
	for (uint32_t i = 0; i < whole->count; i++)
		split->holds[AS_IT_IS][i] = split_event(split, number_pair(experiment, whole->thread[i]), i);
	*kept = split->holds[AS_IT_IS];
	return &split->batch;
}
