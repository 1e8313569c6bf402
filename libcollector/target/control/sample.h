/* SPDX-License-Identifier: Apache-2.0 */
/* Samples: what the process has used so far, as an event in its log. `collect` takes the periodic ones, from outside. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdbool.h>

/* Takes one. Async-signal-safe. */
void sample_take(const char *label);
/* Whether the process was traced by another one, a debugger, when its last sample was taken. */
bool sample_saw_tracer(void);
/* Takes one for the program's own call, of which none is left out because another thread is writing. Not in handlers of
   ours. */
void sample_take_for_program(const char *label);

#endif
