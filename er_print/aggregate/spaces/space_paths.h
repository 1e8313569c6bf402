/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The code between two places of a function: one way, what all ways have in common, or none. */
#ifndef SPACE_PATHS_H
#define SPACE_PATHS_H

#include "code_space.h"
#include "flow_graph.h"

/* A place: an instruction and its block. Block NO_BLOCK: the caller, behind all of the function. */
struct flow_place {
	uint32_t block, instruction;
};

/* The code from one place to another, without the latter's instruction (CN 112540899 A, improvement 2):
   - in one block, forwards: that piece of it;
   - else along the edges of the graph. Edges back to the head of a loop are taken only where there is no other way: those of the
     innermost loop that the first place is in, of it and the one around it, and so on, and then all; edges of exceptions where
     there is still none, and then likewise;
   - one way: its pieces. Several: what they have in common at the beginning, and at the end, as two sub-spaces. */
struct space_ways {
	unsigned count; /* sub-spaces: 0 if there is no way */
	bool stationary;
	uint32_t length; /* instructions of all sub-spaces, the ends exact */
	struct space_pair *pairs[2];
	uint32_t pair_count[2];
};
/* exact: the first and the last piece begin and end at the places, else they are whole blocks. One instruction that is in a loop is
   the way round it; in none it is stationary. The caller frees the ways. */
void space_ways_find(struct space_ways *ways, const struct flow_graph *graph, struct flow_place from,
	struct flow_place to, bool exact);
void space_ways_free(struct space_ways *ways);

#endif
