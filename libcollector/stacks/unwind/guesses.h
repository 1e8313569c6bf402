/* SPDX-License-Identifier: Apache-2.0 */
/* How the caller of code without tables was found, by the code's address: one table per process, without locks, as the cache of
   rows is. A run-time writes other code where earlier code was: an entry is for the bytes that stood there. What is recalled
   must be looked at again: it was found in another call. */
#ifndef GUESSES_H
#define GUESSES_H

#include <stdbool.h>
#include <stdint.h>

enum guess_kind {
	GUESS_NONE,    /* nothing is known */
	GUESS_SLOT,    /* the return address lies `offset` bytes above the first whole word from sp on */
	GUESS_RECORD,  /* by the frame pointer's record */
	GUESS_NOTHING, /* nothing was found */
};

struct guess {
	enum guess_kind kind;
	uint32_t offset; /* a multiple of 8, below 2^24 */
};

/* `code`: a hash of the bytes at pc. */
struct guess guess_recall(uint64_t pc, uint32_t code);
void guess_remember(uint64_t pc, uint32_t code, struct guess guess);

#endif
