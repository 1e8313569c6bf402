/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where each frame of a flame graph stands, in the metric's own units: no pixels, no text. */
#ifndef FLAMEGRAPH_LAYOUT_H
#define FLAMEGRAPH_LAYOUT_H

#include "path_tree.h"
#include <stdint.h>

struct flamegraph_frame {
	uint32_t node; /* of the tree; of a bundle: its parent */
	uint32_t
		depth; /* 0: the root, and what stands apart; of lanes: the row from the top, an empty one between two lanes */
	uint32_t bundled; /* > 0: so many neighbouring frames, each too thin to see, drawn as one */
	uint32_t like;    /* of a bundle in a lane: the one in its middle, whose colour it has; else 0 */
	uint64_t start, value;
};
struct flamegraph_layout {
	struct flamegraph_frame *frames; /* a frame before the frames on top of it, from left to right */
	uint32_t count;
	uint32_t depth;     /* of the highest frame */
	uint64_t total;     /* the width of all */
	uint64_t whole;     /* of the root: less than all if there is a node apart, or the total of the plan is more */
	uint64_t base;      /* what percentages are of: that of the plan, the whole, or the total of the plan */
	double least_share; /* of the plan, or as it has grown */
	uint32_t hidden_frames; /* not drawn: too thin even as a bundle, or on top of a bundle */
	uint64_t hidden_value;  /* exclusive values of what is not drawn at all */
};

/* Orders two functions for the x axis: < 0, 0, > 0. Never 0 for two different ones, or pictures could differ. */
typedef int flamegraph_order(const void *context, uint32_t function, uint32_t other);

struct flamegraph_plan {
	const struct path_tree *tree;
	unsigned metric; /* whose inclusive values are drawn */
	uint64_t total;  /* the picture is at least as wide; not with a node apart */
	uint32_t root;   /* the node that stands in row 0; not with lanes or a node apart */
	uint64_t base;   /* what percentages are of; 0: of the whole */
	/* [node] where it starts: the children of node 0 are lanes, one below another, and node 0 has no frame. 0: there are no
	   lanes, and frames start where the one before them ends. */
	const uint64_t *starts;
	uint64_t width; /* of all lanes */
	double most_share; /* of the total, in lanes: the frames of a bundle begin within so much, or within the least share */
	uint32_t apart; /* a child of node 0 that stands to the right of it, in its row; 0: none */
	double least_share; /* of the total: frames of less are bundled with their neighbours or left out; both are counted */
	uint32_t depth;          /* frames on more others than so many are left out, and counted; 0: none */
	uint32_t frames;         /* no more than so many: the least share grows until they are so few; 0: any number */
	bool heaviest_first;     /* siblings by their value; else, and where it is equal, by: */
	flamegraph_order *order; /* 0: as the nodes are */
	const void *context;     /* of `order` */
};

void flamegraph_lay_out(struct flamegraph_layout *layout, const struct flamegraph_plan *plan);
void flamegraph_layout_free(struct flamegraph_layout *layout);

#endif
