/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of expressions for thread states: how long an interval off the CPU was, if it was in the word's state. */
#include "expression_nodes.h"

static uint64_t state_of(enum event_keyword which)
{
	switch (which) {
	case KEYWORD_WCPU:
		return STATE_VALUE(OFFCPU, state, runnable);
	case KEYWORD_ULCK:
		return STATE_VALUE(OFFCPU, state, lock);
	case KEYWORD_TSLP:
		return STATE_VALUE(OFFCPU, state, sleep);
	case KEYWORD_TFLT:
		return STATE_VALUE(OFFCPU, state, text);
	case KEYWORD_DFLT:
		return STATE_VALUE(OFFCPU, state, data);
	default:
		return STATE_VALUE(OFFCPU, state, stopped);
	}
}

void expression_state_values(enum event_keyword which, int kind, const struct data_batch *batch, uint32_t first,
	uint32_t count, int64_t *values)
{
	uint64_t state = state_of(which);
	const uint64_t *states = batch->field[FIELD_INDEX(OFFCPU, state)],
		       *durations = batch->field[FIELD_INDEX(OFFCPU, duration)];
	for (uint32_t i = first; i < first + count; i++)
		values[i - first] = kind == KIND_OFFCPU && states[i] == state ? (int64_t)durations[i] : 0;
}
