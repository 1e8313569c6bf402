/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the thread events. */
#include "kernel_threads.h"

static void remember(void *context, const struct data_batch *batch)
{
	struct kernel_threads *threads = context;
	const uint64_t *id = batch->field[FIELD_INDEX(THREAD, tid)];
	for (uint32_t i = 0; i < batch->count; i++)
		if (id[i] < UINT32_MAX)
			*number_map_place(&threads->ids, number_pair(batch->experiment->number, batch->thread[i])) =
				(uint32_t)id[i];
}

void kernel_threads_read(struct kernel_threads *threads, struct data *data)
{
	kernel_threads_free(threads);
	data_visit(data, KIND_THREAD, remember, threads);
}

void kernel_threads_free(struct kernel_threads *threads)
{
	number_map_free(&threads->ids);
}

uint32_t kernel_thread(const struct kernel_threads *threads, uint32_t experiment, uint32_t thread)
{
	uint32_t id = number_map_find(&threads->ids, number_pair(experiment, thread));
	return id == UINT32_MAX ? 0 : id;
}
