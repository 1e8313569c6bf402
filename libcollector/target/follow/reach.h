/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the next image of this process could record. */
#ifndef REACH_H
#define REACH_H

#include <stdbool.h>

/* Whether an image would find our library, which ld.so else complains about, and could make an experiment: not with another
   root directory, or without the privileges that the founder was started with. */
bool experiment_is_reachable(void);

#endif
