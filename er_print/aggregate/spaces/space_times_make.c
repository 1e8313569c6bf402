/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the appearances of all samples and their phases, and numbers those of each class. */
#include "space_times.h"
#include "storage.h"
#include <stdlib.h>

static void number_appearances(struct space_times *times, uint32_t classes)
{
	struct appearance_order order = appearances_by_class(&times->appearances, classes);
	times->number = memory_new(times->appearances.count, sizeof *times->number);
	for (uint32_t c = 0; c < classes; c++)
		for (uint32_t i = order.first[c]; i < order.first[c + 1]; i++)
			times->number[order.order[i]] = i - order.first[c] + 1;
	appearance_order_free(&order);
}

struct space_times *space_times_make(struct data *data, struct resolver *resolver, const struct space_rules *rules)
{
	struct space_model model;
	struct space_classes classes;
	if (!space_model_begin(&model, data, resolver, rules))
		return 0;
	struct space_times *times = memory_new(1, sizeof *times);
	space_classes_compute(&classes, &model, 0);
	appearances_read(&times->appearances, &model, &classes, 0);
	number_appearances(times, classes.count);
	space_phases_find(&times->phases, &times->appearances, &classes, &model);
	space_classes_free(&classes);
	space_model_free(&model);
	return times;
}

void space_times_free(struct space_times *times)
{
	if (!times)
		return;
	appearances_free(&times->appearances);
	space_phases_free(&times->phases);
	free(times->number);
	free(times);
}
