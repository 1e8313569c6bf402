/* SPDX-License-Identifier: Apache-2.0 */
/* Which system calls are not to be made. */
#include "system_calls.h"

uint64_t system_calls_denied[SYSTEM_CALLS_KNOWN / 64];
