/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The address space of one process besides traced allocations: load objects with their data, and stacks. */
#ifndef ADDRESS_SPACE_H
#define ADDRESS_SPACE_H

#include "resolver.h"

struct address_space;
/* For the experiment of this index. Mappings are known of code; where an object's data is follows from its file. */
struct address_space *address_space_read(struct data *data, struct resolver *resolver, uint32_t experiment);
void address_space_free(struct address_space *space);

/* The load object that has an address at a time (ns since the founder's start), and the ELF virtual address there. False if
   none has. */
bool address_space_object(
	const struct address_space *space, uint64_t address, uint64_t time, uint32_t *object, uint64_t *offset);
/* Whether the address is in a stack of one of the process's threads. */
bool address_space_is_stack(const struct address_space *space, uint64_t address);

#endif
