/* SPDX-License-Identifier: Apache-2.0 */
/* The table of a sample's fields, and those of them that the kernel tells as text: see samples.h. */
#include "samples.h"

static const struct sample_field_row rows[SAMPLE_FIELD_COUNT] = {
#define SAMPLE_FIELD(name, unit, nature, title) [SAMPLE_##name] = {#name, title, UNIT_##unit, SAMPLE_##nature},
#include "samples.def"
#undef SAMPLE_FIELD
};

const struct sample_field_row *sample_field_row(enum sample_field field)
{
	return &rows[field];
}

/* Whether a line begins with "NAME:". Returns what follows, or 0. */
static const char *value_of(const char *line, const char *name)
{
	for (; *name; line++, name++)
		if (*line != *name)
			return 0;
	return *line == ':' ? line + 1 : 0;
}

/* "   1234 kB", in bytes. */
static uint64_t kilobytes(const char *text)
{
	uint64_t number = 0;
	while (*text == ' ' || *text == '\t')
		text++;
	for (; *text >= '0' && *text <= '9'; text++)
		number = number * 10 + (uint64_t)(*text - '0');
	return number * 1024;
}

void sample_read_status(struct sample_values *values, const char *text)
{
	static const struct {
		const char *name;
		enum sample_field field;
	} lines[] = {
		{"VmHWM", SAMPLE_resident_peak},
		{"VmRSS", SAMPLE_resident},
		{"VmSwap", SAMPLE_swapped},
	};
	for (const char *line = text; *line;) {
		for (unsigned i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
			const char *value = value_of(line, lines[i].name);
			if (value)
				sample_set(values, lines[i].field, kilobytes(value));
		}
		while (*line && *line != '\n')
			line++;
		line += *line == '\n';
	}
}
