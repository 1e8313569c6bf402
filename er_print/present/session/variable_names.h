/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variables at addresses of processes, for lists whose rows are addresses: locks. */
#ifndef VARIABLE_NAMES_H
#define VARIABLE_NAMES_H

#include <stdint.h>

struct session;
struct table;
/* The address spaces that were searched, by experiment. Zero-initialised is none. */
struct address_space;
struct variable_names {
	struct address_space **spaces;
	uint32_t count;
};
void variable_names_free(struct variable_names *names);

/* "queue_lock", "locks+0x28", "pool[].lock": what is at an address of the process of that number, by symbols and debug
   information; a text of the table. 0: no variable of a load object. */
const char *variable_name_at(struct session *session, struct table *table, uint64_t process, uint64_t address);

#endif
