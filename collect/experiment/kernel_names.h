/* SPDX-License-Identifier: Apache-2.0 */
/* The names of the kernel's functions, for stacks that have its frames: they lie elsewhere after each boot, so an experiment
   has its own. */
#ifndef KERNEL_NAMES_H
#define KERNEL_NAMES_H

#include "error.h"
#include "experiment.h"
#include "experiment_directory.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes KERNEL_MAP_FILE from /proc/kallsyms. Where that shows no addresses there is no file, and a warning says so. False:
   the file cannot be written. */
bool kernel_names_write(struct experiment_directory *directory, struct error *error);

/* Addresses of the kernel that stacks have. Zeroed, it is empty. */
struct kernel_addresses {
	uint64_t *array;
	size_t count, capacity;
};
void kernel_addresses_add(struct kernel_addresses *addresses, const struct experiment *experiment);
void kernel_addresses_free(struct kernel_addresses *addresses);

/* Leaves in the founder's KERNEL_MAP_FILE, if there is one, the functions that hold one of the addresses. If that cannot be
   done, all stay. */
void kernel_names_keep(const char *founder, struct kernel_addresses *addresses);

#endif
