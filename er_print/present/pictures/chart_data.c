/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the data of charts. */
#include "chart_data.h"

#include <string.h>

uint64_t chart_lead(const struct time_chart *chart, uint32_t node, uint64_t *ends)
{
	uint32_t parent = chart->tree->nodes[node].parent;
	uint64_t before = parent && ends[parent] ? ends[parent] : chart->starts[parent];
	ends[parent] = chart->starts[node] + chart->tree->inclusive[0][node];
	return chart->starts[node] - before;
}

void chart_lanes(struct data_bytes *bytes, const struct flamegraph_options *options)
{
	struct data_texts texts = {0};
	for (uint32_t i = 0; i < options->chart->lane_count; i++)
		data_text(&texts, options->lanes[i], strlen(options->lanes[i]));
	data_texts_end(bytes, &texts);
}
