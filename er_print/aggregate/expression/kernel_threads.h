/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From threads as a process numbers them to the kernel's thread ids, as the thread events tell them. */
#ifndef KERNEL_THREADS_H
#define KERNEL_THREADS_H

#include "data.h"
#include "number_map.h"

struct kernel_threads {
	struct number_map ids; /* (experiment's number, thread) */
};
/* Replaces what is there. */
void kernel_threads_read(struct kernel_threads *threads, struct data *data);
void kernel_threads_free(struct kernel_threads *threads);
/* The id, 0 where it was not recorded. `experiment` is its number. */
uint32_t kernel_thread(const struct kernel_threads *threads, uint32_t experiment, uint32_t thread);

#endif
