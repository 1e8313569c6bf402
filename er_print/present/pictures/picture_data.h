/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The whole tree of a picture for its script (tree_data.js reads it), also what is too thin to be drawn: data_bytes.h in base64,

     texts   names
     kinds   of frames, a function in a colour, in the order of the functions' names. Their number; of each: the number of its
             name among the texts, and red, green and blue, a byte each
     nodes   whose inclusive value is not 0 (in a picture of a difference: one of its values), in preorder, siblings in the order
             of their names, or of time. Their number; of each:
             0 if its parent is the node before, n if that is the n-th ancestor of the node before; its kind; its exclusive value.
             What is missing after, in a picture of a difference, comes last; its first node stands in the row of the first.
   In a chart by time, nodes are in the order of time, and of each there is also how far it begins behind the end of the node
   before it that has the same parent, or behind the begin of its parent if it is the first; of a thread's node, behind the left
   edge. At the end there are the texts that are the names of the threads, as they come among the nodes.
   In a picture of a difference there is more of each node: its exclusive values before and after, and whether its change is within
   2 standard errors, 1: that of its inclusive values, 2: of its exclusive ones, 3: of both. At the end there is the number of the
   first node that is missing after, or 0. */
#ifndef PICTURE_DATA_H
#define PICTURE_DATA_H

#include "picture.h"

void picture_data_write(const struct picture *picture);

#endif
