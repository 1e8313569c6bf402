/* SPDX-License-Identifier: Apache-2.0 */
/* Descendants: fork, vfork, clone, exec, posix_spawn, system, popen. Each followed process records into an experiment of
   its own inside the founder's directory, named by lineage (_f1, _x1, _f1_x1). The environment through which an image
   finds its experiment is put in at each exec and taken out again before the image runs (environment_block.h). */
#ifndef FOLLOW_H
#define FOLLOW_H

#include "environment.h"
#include <stdbool.h>

/* Registers for fork. From the constructor, once. */
void follow_start(void);

/* Whether the calling process is the one that this memory's recording is about: not a vfork child, which shares the memory
   of its parent, nor the child of a bare system call, which has a copy. */
bool follow_is_recorded_process(void);

#endif
