/* SPDX-License-Identifier: Apache-2.0 */
/* Values of options as numbers. All: false and *error, which names the value, if it is none. */
#ifndef OPTION_VALUES_H
#define OPTION_VALUES_H

#include "error.h"
#include <stdbool.h>
#include <stdint.h>

/* -t: N, Nm, Ns, A-B, A-0, -B, as nanoseconds after the start; *until 0: to the end. */
bool option_times(const char *value, uint64_t *from, uint64_t *until, struct error *error);

/* -y, -l: "USR1", "SIGUSR1" or a number, of a signal that a program can do without. "off": 0. */
bool option_signal(const char *value, uint64_t *signal_number, struct error *error);

/* -S: "off" (0), "on" (a second), N seconds; as nanoseconds. */
bool option_period(const char *value, uint64_t *nanoseconds, struct error *error);

/* -s: microseconds, 0 among them; as nanoseconds. */
bool option_microseconds(const char *value, uint64_t *nanoseconds, struct error *error);

/* -D: 1 to 65536 frames. */
bool option_depth(const char *value, uint64_t *frames, struct error *error);

/* -L: megabytes of 2^20 bytes, or "unlimited", "none" (0); as bytes. */
bool option_size(const char *value, uint64_t *bytes, struct error *error);

#endif
