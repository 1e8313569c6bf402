/* SPDX-License-Identifier: Apache-2.0 */
/* The work around the making of a child that gets a copy of this process's memory, by fork or by clone. */
#ifndef FORK_H
#define FORK_H

/* In the thread that forks. */
void fork_before(void);
void fork_after_in_parent(void);
/* In the child: what it has of its parent's recording is given up, and its own begins. */
void fork_after_in_child(void);

#endif
