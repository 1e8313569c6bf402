/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Experiments by the lineage that they were recorded under: "" is a founder's, "_f1_x1" what its first fork exec'd. */
#ifndef LINEAGES_H
#define LINEAGES_H

#include "data.h"

struct lineages {
	const char **name; /* by index in data->experiments */
	uint32_t *founder; /* likewise */
	uint32_t *order;   /* indexes, by founder and name */
	uint32_t count;
};
void lineages_read(struct lineages *lineages, const struct data *data);
void lineages_free(struct lineages *lineages);

/* Index of the experiment of that lineage under a founder, or NO_ID. */
uint32_t lineages_find(const struct lineages *lineages, uint32_t founder, const char *lineage);
/* As lineages_find(), for the longest one that the lineage continues. */
uint32_t lineages_before(const struct lineages *lineages, uint32_t founder, const char *lineage);

#endif
