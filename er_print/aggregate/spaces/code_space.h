/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code spaces: what code a thread went through between two samples, as a set of pairs of addresses (CN 112540899 A, where an
   occurrence counts as much as the space has instructions). Equal ones are kept once. */
#ifndef CODE_SPACE_H
#define CODE_SPACE_H

#include "id_table.h"
#include "resolver.h"
#include <stdint.h>

enum space_kind {
	SPACE_CODE,
	SPACE_STATIONARY,   /* the thread was at one instruction, which is in no loop, or it was off the CPU */
	SPACE_UNRESOLVED,   /* no way from the one sample to the other is known */
	SPACE_INCONSISTENT, /* the way that is known has more instructions than were executed */
	SPACE_KINDS
};

/* Instructions of a function by number (flow_graph.h), half-open: straight code. */
struct space_pair {
	uint32_t first, end;
	uint64_t from, to; /* the same as offsets in the function, in bytes */
};
struct code_space {
	enum space_kind kind;
	uint32_t function; /* that it lies in, or in which the interval began; FUNCTION_TOTAL: none */
	uint32_t state;    /* why a stationary one did not run (kinds.def: OFFCPU, state); SPACE_RAN: it did */
	uint32_t pair,
		pair_count; /* in the table's pairs, ascending; of stationary ones where it was, if that is known;
			       others have none */
	uint32_t length;    /* instructions; 0 where the kind is not SPACE_CODE */
};
enum { SPACE_RAN = UINT32_MAX };
struct space_table {
	struct code_space *spaces;
	uint32_t count;
	struct space_pair *pairs;
	uint32_t pair_count;
	struct id_table index;
};

/* Spaces are told apart by these, which are as in struct code_space. */
struct space_key {
	enum space_kind kind;
	uint32_t function, state;
	const struct space_pair *pairs;
	uint32_t count;
};
/* The number of a space; added when new. */
uint32_t space_number(struct space_table *table, const struct space_key *key);
void space_table_free(struct space_table *table);

/* The order of spaces in a report, by kind, function's name and addresses, whatever the order in which they were met: below 0, 0,
   or above. */
int space_compare(const struct space_table *table, const struct resolver *resolver, uint32_t a, uint32_t b);
/* How many instructions two spaces have in common. */
uint32_t space_common(const struct space_table *table, uint32_t a, uint32_t b);

#endif
