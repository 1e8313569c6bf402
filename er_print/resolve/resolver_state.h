/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a resolver; for the files of this room only. */
#ifndef RESOLVER_STATE_H
#define RESOLVER_STATE_H

#include "builds.h"
#include "code_object.h"
#include "disassembler.h"
#include "resolver.h"

struct resolver {
	struct data *data;
	bool debuginfod;
	uint64_t kept_limit;                   /* bytes of kept names; 0: none */
	const struct search_path *search_path; /* or 0 */
	struct functions functions;
	struct builds builds;
	struct code_object **objects; /* by load object; never move */
	uint32_t object_count;
	struct resolved {              /* by address: its frames in the pool */
		uint32_t first, count; /* count 0: not resolved yet */
	} * resolved;
	uint32_t *call_address; /* by return address: the address of the call's last byte, +1; 0: not asked yet */
	uint32_t address_count; /* that there is room for */
	struct frame *pool;
	uint32_t pool_count;
	struct disassembler *disassembler;
	uint32_t stacks_named; /* so many were looked at for regions */
	bool has_outlined;     /* and regions found */
};

/* The load object's state; created when new, not yet opened. */
struct code_object *resolver_object(struct resolver *resolver, uint32_t object);
/* Its files found, not read, but for what is kept of them. 0 if it is no file. */
struct code_object *resolver_found(struct resolver *resolver, uint32_t object);
/* Its files read. 0 if it is no file. */
struct code_object *resolver_opened(struct resolver *resolver, uint32_t object);

/* As resolver_disassemble; the symbolizer, unless 0, is called with its context for each address in an operand. */
unsigned resolver_decode(struct resolver *resolver, uint32_t object, uint64_t offset, uint64_t end,
	disassembler_symbolizer *symbolizer, void *context, struct instruction *instruction, struct error *error);

#endif
