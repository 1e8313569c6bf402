/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instructions of a function, as far as it depends on them where blocks of code begin, end and lead to. */
#ifndef DECODED_CODE_H
#define DECODED_CODE_H

#include <stdbool.h>
#include <stdint.h>

#define NOWHERE UINT64_MAX

struct decoded {
	uint64_t offset; /* in the function */
	uint64_t target; /* of a jump, likewise; NOWHERE: out of the function, or not known */
	uint32_t table,
		table_count; /* of a jump through a table, or a call that an exception may leave: its targets in `targets` */
	bool ends;           /* the next one does not run after it */
	bool jumps;          /* to `target`, or to one of several */
	bool calls;
	bool unknown; /* where it jumps to is not known */
	bool returns; /* to the caller, or by a jump to another function */
	bool leads;   /* a block begins here */
	bool is_pad;  /* exceptions lead here */
};
struct decoding {
	struct decoded *all;
	uint32_t count;
	uint64_t size;     /* of what could be decoded, in bytes */
	uint64_t *targets; /* offsets of instructions in the function */
	uint32_t target_count;
};

/* The instruction at an offset; 0: none begins there. */
struct decoded *decoded_at(const struct decoding *decoding, uint64_t offset);
/* Adds one of several targets of an instruction, once; those of one instruction are added one after another. */
void decoded_add_target(struct decoding *decoding, struct decoded *from, uint64_t offset);

#endif
