/* SPDX-License-Identifier: Apache-2.0 */
/* The periodic samples of -S, taken from outside of the target: what each recorded process has used so far, from /proc, as
   an event in the process's own log. */
#ifndef SAMPLER_H
#define SAMPLER_H

#include "create.h"
#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

struct sampler;

/* For the target `founder` and what descends from it; 0 with -S off, or without memory. */
struct sampler *sampler_start(const struct created *created, pid_t founder);
/* How long to wait for the next samples; false: for ever. */
bool sampler_wait(const struct sampler *sampler, struct timespec *time);
/* Takes the samples if they are due; late ones are left out. */
void sampler_take(struct sampler *sampler);
void sampler_end(struct sampler *sampler);

#endif
