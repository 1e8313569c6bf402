/* SPDX-License-Identifier: Apache-2.0 */
/* Removing an experiment that is in the way, or that was never begun. */
#ifndef REMOVE_TREE_H
#define REMOVE_TREE_H

/* Removes a directory and what is in it, as far as it can be. `name` is relative to the open directory `parent`. No
   symbolic link is followed: it is removed itself. */
void remove_tree(int parent, const char *name);

#endif
