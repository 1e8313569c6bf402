/* SPDX-License-Identifier: Apache-2.0 */
/* The founder's file "size", which is there with -L alone: what all processes of the experiment have taken of its limit,
   a mapping that they share. `collect` makes it, all zero. Nobody needs it when the experiment is read. */
#ifndef SIZE_CONTROL_H
#define SIZE_CONTROL_H

#include <stdint.h>

#define SIZE_FILE "size"

struct size_control {
	uint64_t used; /* atomic: bytes of the blocks of event files and stacks */
	uint32_t told; /* atomic: a log says that the limit was reached */
	uint32_t unused;
};

#endif
