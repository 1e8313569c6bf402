/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The code spaces between two stacks of a thread, one after the other.

   Both are looked at in the deepest frame that they have in common: there the way goes from one place to another, or, if both
   called from one place, round the loop that this place is in. If there is no such way, it was another call of that function, and
   the frame is that of its caller. Functions that the first stack had called then return, those that the second has called begin:
   their parts are spaces of their own. */
#ifndef STACK_SPACES_H
#define STACK_SPACES_H

#include "code_places.h"
#include "code_space.h"
#include "space_rules.h"

/* So many functions at most that return, and that begin: the innermost. */
#define CALLS_MAX 64u

struct stack_part {
	uint32_t space, length; /* in instructions */
};
/* The parts in the order in which they ran. */
struct stack_spaces {
	uint32_t first, count;   /* in `parts` */
	uint32_t own, own_count; /* of them those in the common frame: from parts[first + own]; at least one */
	uint32_t whole;          /* instructions of all, with exact ends; 0: not known */
	uint32_t length;         /* of all parts */
	uint32_t depth;          /* frames from the outermost to the common one */
	uint32_t function;       /* of the first stack; FUNCTION_TOTAL: none */
};
struct stack_ways {
	struct code_places places;
	struct space_rules rules;
	struct space_table *table; /* where spaces are added */
	struct number_map way_of;  /* by number_pair of places */
	struct way {
		struct stack_part part[2];
		unsigned count; /* 0: there is no way */
		bool stationary;
		uint32_t whole;
	} * ways;
	uint32_t way_count;
	struct number_map between_of; /* by number_pair of stacks */
	struct stack_spaces *betweens;
	uint32_t between_count;
	struct stack_part *parts;
	uint32_t part_count;
};
/* Begins as {.places, .rules, .table}. */
void stack_ways_free(struct stack_ways *ways);

/* Valid until the next call. */
const struct stack_spaces *stack_spaces_between(struct stack_ways *ways, uint32_t from, uint32_t to);
/* The space of a thread that was off the CPU, in that state (kinds.def: OFFCPU, state). waits: it called for that. */
uint32_t stack_space_off_cpu(struct stack_ways *ways, uint32_t stack, uint32_t state, bool waits);

#endif
