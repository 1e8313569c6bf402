/* SPDX-License-Identifier: Apache-2.0 */
/* Descendants: fork, vfork, clone, exec, posix_spawn, system, popen. Each followed process records into an experiment of
   its own inside the founder's directory, named by lineage (_f1, _x1, _f1_x1). The environment through which an image
   finds its experiment is put in at each exec and taken out again before the image runs (environment_block.h). */
#ifndef FOLLOW_H
#define FOLLOW_H

/* Registers for fork. From the constructor, once. */
void follow_start(void);

#endif
