/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sites are found by what their stacks' leaves are. */
#include "omp_sites.h"
#include "storage.h"

#include <stdlib.h>

static uint32_t *place_of(struct omp_sites *sites, const struct omp_site *site)
{
	if (site->outlined)
		return number_map_place(&sites->functions, site->function);
	if (site->line && resolver_line(sites->resolver, site->line)->line)
		return number_map_place(&sites->lines, site->line);
	return number_map_place(&sites->addresses, sites->data->stacks[site->stack].address);
}

static struct omp_site describe(struct omp_sites *sites, uint32_t stack)
{
	struct frame frames[FRAMES_MAX];
	bool exact = stack && sites->data->stacks[stack].flags & STACK_EXACT;
	frames[0] = (struct frame){.function = FUNCTION_NO_STACK};
	if (exact && sites->what != SITES_OF_WAITS)
		resolver_name_region(sites->resolver, stack, sites->what == SITES_OF_TASKS);
	if (stack)
		resolver_frames(sites->resolver, stack, frames);
	return (struct omp_site){
		.stack = stack, .function = frames[0].function, .line = frames[0].line, .outlined = !stack || exact};
}

uint32_t omp_site_of(struct omp_sites *sites, uint32_t stack)
{
	uint32_t known = number_map_find(&sites->stacks, stack);
	if (known != NO_NUMBER)
		return known;
	struct omp_site site = describe(sites, stack);
	uint32_t *place = place_of(sites, &site);
	if (*place == NO_NUMBER) {
		*place = sites->count;
		memory_reserve(sites->sites, sites->count, sites->capacity);
		sites->sites[sites->count++] = site;
	}
	known = *place;
	*number_map_place(&sites->stacks, stack) = known;
	return known;
}

void omp_sites_free(struct omp_sites *sites)
{
	free(sites->sites);
	number_map_free(&sites->stacks);
	number_map_free(&sites->functions);
	number_map_free(&sites->lines);
	number_map_free(&sites->addresses);
}
