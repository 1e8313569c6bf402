/* SPDX-License-Identifier: Apache-2.0 */
/* A target that confines itself by seccomp. Each call of ours is tried on the filter before the kernel gets it: what the
   filter does not allow is never called from then on (system_calls.h), so that no call of ours is refused, seen or punished
   in the target's name. Without the calls that recording needs, it ends first, and the log says so. */
#ifndef CONFINEMENT_H
#define CONFINEMENT_H

#include <stdbool.h>

/* Whether a filter is in force that would kill an image with our library. */
bool confinement_kills_images(void);

#endif
