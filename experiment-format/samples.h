/* SPDX-License-Identifier: Apache-2.0 */
/* The table samples.def as C: what a sample says of its process, in whoever's hands it is. No malloc, no stdio: the collector
   uses it too. */
#ifndef SAMPLES_H
#define SAMPLES_H

#include "kinds.h"
#include <stdbool.h>
#include <stdint.h>

enum sample_field {
#define SAMPLE_FIELD(name, unit, nature, title) SAMPLE_##name,
#include "samples.def"
#undef SAMPLE_FIELD
	SAMPLE_FIELD_COUNT
};
enum sample_nature { SAMPLE_USED, SAMPLE_MOMENT, SAMPLE_PEAK };

struct sample_field_row {
	const char *name, *title;
	enum field_unit unit;
	enum sample_nature nature;
};
/* Static storage. */
const struct sample_field_row *sample_field_row(enum sample_field field);

struct sample_values {
	uint64_t value[SAMPLE_FIELD_COUNT];
	bool known[SAMPLE_FIELD_COUNT];
};
static inline void sample_set(struct sample_values *values, enum sample_field field, uint64_t value)
{
	values->value[field] = value;
	values->known[field] = true;
}

/* Takes resident memory, its peak and what is swapped out of the text of /proc/PID/status, which ends in a 0. */
void sample_read_status(struct sample_values *values, const char *text);

/* Labels that say which moment of the process it is. */
#define SAMPLE_LABEL_START "start"
#define SAMPLE_LABEL_END   "end"

#endif
