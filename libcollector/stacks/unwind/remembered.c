/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of remembered stacks. */
#include "remembered.h"
#include "pages.h"
#include <string.h>

#define AREA_FIRST 16384u

static size_t area_size(uint32_t capacity)
{
	return capacity * REMEMBERED_BYTES_PER_FRAME + 2 * sizeof(struct frame);
}

void remembered_place(struct remembered *r, void *memory, size_t size)
{
	r->capacity = (uint32_t)((size - 2 * sizeof(struct frame)) / REMEMBERED_BYTES_PER_FRAME);
	r->frames = memory;
	r->walked = r->frames + r->capacity + 1;
	r->checks = (struct slot_check *)(r->walked + r->capacity + 1);
	r->names = (struct frame_name *)(r->checks + CHECKS_PER_FRAME * r->capacity);
}

bool remembered_grow(struct remembered *r)
{
	struct remembered grown = *r;
	size_t size = area_size(2 * r->capacity);
	size = size < AREA_FIRST ? AREA_FIRST : size;
	void *area = pages_map(size);
	if (!area)
		return false;
	remembered_place(&grown, area, size);
	memcpy(grown.frames, r->frames, (r->capacity + 1) * sizeof *r->frames);
	memcpy(grown.walked, r->walked, (r->capacity + 1) * sizeof *r->walked);
	memcpy(grown.checks, r->checks, (size_t)CHECKS_PER_FRAME * r->capacity * sizeof *r->checks);
	memcpy(grown.names, r->names, r->capacity * sizeof *r->names);
	if (r->area)
		pages_unmap(r->area, area_size(r->capacity));
	grown.area = area;
	*r = grown;
	return true;
}

void remembered_shrink(struct remembered *r)
{
	if (r->area)
		pages_unmap(r->area, area_size(r->capacity));
	if (r->tips)
		pages_unmap(r->tips, sizeof(struct walk_tip) << TIPS_BITS);
	memset(r, 0, sizeof *r);
}

#define FIRST_ROOM 16384u

struct remembered *remembered_room(void)
{
	struct remembered *r = pages_map(FIRST_ROOM);
	if (r)
		remembered_place(r, r + 1, FIRST_ROOM - sizeof *r);
	return r;
}

void remembered_room_forget(struct remembered *r)
{
	remembered_shrink(r);
	remembered_place(r, r + 1, FIRST_ROOM - sizeof *r);
}
