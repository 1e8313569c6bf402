/* SPDX-License-Identifier: Apache-2.0 */
/* The environment as the target sees it (without us) and as the kernel gets it at an exec (with us). */
#ifndef ENVIRONMENT_BLOCK_H
#define ENVIRONMENT_BLOCK_H

#include "thread.h"
#include <stdbool.h>
#include <stddef.h>

/* The values of our entries in an environment, 0 if absent. They stay valid when the entries are taken out. */
struct environment_values {
	const char *founder, *lineage, *recorded;
};
/* Takes our entries, and our library's path in LD_PRELOAD, out of the process's first environment, in place. */
struct environment_values environment_take(char **environment);

/* Takes our entries, once they carry `library`, out of an environment of the target's that got them from
   environment_compose(). */
void environment_clean(char **environment, const char *library);

struct composition {
	const char *founder, *lineage, *library;
	struct recorded_time recorded;
	unsigned paused; /* recording is: recording_paused_by_user() */
};
/* Bytes that environment_compose() needs at most. */
size_t environment_compose_size(char *const *environment, const struct composition *ours);
/* The target's environment (0: empty) and our entries, our library first in LD_PRELOAD. The strings of the target are
   shared, not copied. `memory` has environment_compose_size() bytes and is aligned for pointers. Async-signal-safe. */
char **environment_compose(char *const *environment, const struct composition *ours, void *memory);

#endif
