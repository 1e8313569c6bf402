/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of the collector's own work for the process that it records: page faults, and bytes that are on their way to a disk. The
   kernel counts both as the process's, so that readers of samples subtract them. Raw system calls only; async-signal-safe. */
#ifndef OWN_USE_H
#define OWN_USE_H

#include <stdint.h>

#define RUSAGE_BLOCK 512u /* bytes of getrusage's blocks */

struct own_use {
	uint64_t faults;      /* minor page faults */
	uint64_t write_bytes; /* as getrusage counts them: 0 on file systems in memory */
};

/* Work of the calling thread, from own_use_begin() on. */
struct own_use_span {
	struct own_use begun;   /* of the thread */
	struct own_use counted; /* of the process, by spans that had ended by then */
};
/* `tallies`: of the experiment, TALLY_COUNT of them; 0: there are none yet. */
struct own_use_span own_use_begin(const uint64_t *tallies);
/* Adds what the thread has used since to the tallies own_faults and own_write_bytes, less what spans within this one have added
   (and those of other threads meanwhile: too little is counted then, never too much). */
void own_use_end(const struct own_use_span *span, uint64_t *tallies);

/* The use of all spans of the process that have ended, and of this one so far, if it is not 0. */
struct own_use own_use_total(const uint64_t *tallies, const struct own_use_span *open);

#endif
