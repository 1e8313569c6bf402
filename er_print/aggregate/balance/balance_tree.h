/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of the members' sums for each node of a tree. */
#ifndef BALANCE_TREE_H
#define BALANCE_TREE_H

#include "path_tree.h"

/* Gives a tree the values of a row of its table that is a statistic, exclusive and inclusive ones, as if they were sums: they do
   not add up. The members' sums must be in it. */
void balance_fill_tree(struct path_tree *tree, unsigned row);

#endif
