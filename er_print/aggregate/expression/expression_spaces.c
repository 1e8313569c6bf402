/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of expressions that ask for code spaces. */
#include "event_times.h"
#include "expression_nodes.h"
#include "space_times.h"

void expression_prepare_spaces(struct expression *expression)
{
	const struct expression_setting *setting = expression->setting;
	bool asks = expression->uses[KEYWORD_SPACE] || expression->uses[KEYWORD_APPEARANCE] ||
		    expression->uses[KEYWORD_PHASE];
	expression->space_times = asks && setting->space_times ? setting->space_times(setting->context) : 0;
}

void expression_space_values(const struct expression *expression, enum event_keyword which, int kind,
	const struct data_batch *batch, uint32_t first, uint32_t count, int64_t *values)
{
	uint32_t experiment = (uint32_t)(batch->experiment - expression->setting->data->experiments);
	event_times(kind, batch, first, count, true, values);
	for (uint32_t i = 0; i < count; i++) {
		struct space_moment moment = space_times_at(
			expression->space_times, experiment, batch->thread[first + i], (uint64_t)values[i]);
		values[i] = which == KEYWORD_SPACE        ? moment.space
			    : which == KEYWORD_APPEARANCE ? moment.appearance
							  : moment.phase;
	}
}
