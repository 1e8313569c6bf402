/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics of OpenMP's states: the CPU time of clock events by the state that their thread was in, and the time of intervals
   off the CPU, of which each part is of the state of its time. */
#include "event_filter.h"
#include "metrics.h"
#include "omp_times.h"
#include "search.h"

/* The rows of metrics.def, in its order. */
enum row {
	ROW_WORK,
	ROW_WAIT,
	ROW_OVERHEAD,
	ROW_SERIAL,
	ROW_IMPLICIT_BARRIER,
	ROW_EXPLICIT_BARRIER,
	ROW_REDUCTION,
	ROW_LOCK,
	ROW_CRITICAL,
	ROW_ORDERED,
	ROW_TASKWAIT,
	ROW_IDLE,
	ROWS
};

struct pass {
	const struct omp_times *times;
	struct data *data;
	enum kind kind;
	const struct metric_keys *keys;
	uint64_t **sums, *events;
};

/* That of the state alone. */
static enum row row_of(enum omp_state state)
{
	static const enum row rows[OMP_STATES] = {
		[OMP_NONE] = ROWS,
		[OMP_OVERHEAD] = ROW_OVERHEAD,
		[OMP_WORK] = ROWS,
		[OMP_IMPLICIT_BARRIER] = ROW_IMPLICIT_BARRIER,
		[OMP_EXPLICIT_BARRIER] = ROW_EXPLICIT_BARRIER,
		[OMP_IDLE] = ROW_IDLE,
		[OMP_SERIAL] = ROW_SERIAL,
		[OMP_REDUCTION] = ROW_REDUCTION,
		[OMP_LOCK] = ROW_LOCK,
		[OMP_CRITICAL] = ROW_CRITICAL,
		[OMP_ORDERED] = ROW_ORDERED,
		[OMP_ATOMIC] = ROW_LOCK,
		[OMP_TASKWAIT] = ROW_TASKWAIT,
	};
	return rows[state];
}

static void add(const struct pass *pass, uint32_t key, enum omp_state state, uint64_t time)
{
	enum row row = row_of(state);
	pass->sums[omp_state_is_wait(state) ? ROW_WAIT : ROW_WORK][key] += time;
	if (row != ROWS)
		pass->sums[row][key] += time;
}

static void add_interval(
	const struct pass *pass, const struct omp_thread_times *of, uint32_t key, uint64_t from, uint64_t to)
{
	uint64_t next = of ? FIRST_WHERE(i, of->count, of->changes[i].time > from) : 0;
	while (from < to) {
		uint64_t until = of && next < of->count && of->changes[next].time < to ? of->changes[next].time : to;
		add(pass, key, next ? of->changes[next - 1].state : OMP_NONE, until - from);
		from = until;
		next++;
	}
}

/* Short waits are known by the stack alone. */
static enum omp_state state_of_tick(
	const struct pass *pass, uint32_t experiment, const struct data_batch *batch, uint32_t i)
{
	enum omp_state state = omp_state_of_stack(pass->data, batch->stack[i]);
	return state ? state : omp_times_at(pass->times, experiment, batch->thread[i], batch->time[i]).state;
}

static void add_batch(void *context, const struct data_batch *batch)
{
	const struct pass *pass = context;
	bool clock = pass->kind == KIND_CLOCK;
	const uint64_t *time = batch->field[clock ? FIELD_INDEX(CLOCK, user) : FIELD_INDEX(OFFCPU, duration)];
	const uint64_t *system = clock ? batch->field[FIELD_INDEX(CLOCK, system)] : 0;
	const uint32_t *key = pass->keys ? pass->keys->of(pass->keys->context, pass->kind, batch) : batch->stack;
	uint32_t experiment = (uint32_t)(batch->experiment - pass->data->experiments);
	for (uint32_t i = 0; i < batch->count; i++) {
		uint64_t at = batch->time[i];
		if (clock)
			add(pass, key[i], state_of_tick(pass, experiment, batch, i), time[i] + system[i]);
		else
			add_interval(pass, omp_times_of(pass->times, experiment, batch->thread[i]), key[i],
				at > time[i] ? at - time[i] : 0, at);
	}
	*pass->events += batch->count;
}

/* Rows of metrics.def. */
metric_pass omp_states;
void omp_states(struct data *data, const struct event_filter *filter, const struct metric_keys *keys, uint64_t **sums,
	uint64_t *events)
{
	struct omp_times *times = omp_times_read(data);
	struct pass pass = {.times = times, .data = data, .keys = keys, .sums = sums, .events = events};
	static const enum kind kinds[] = {KIND_CLOCK, KIND_OFFCPU};
	for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		pass.kind = kinds[i];
		event_filter_visit(data, pass.kind, filter, add_batch, &pass);
	}
	omp_times_free(times);
}
