/* SPDX-License-Identifier: Apache-2.0 */
/* map.xml: what was mapped where and when. */
#include "input.h"
#include "parts.h"
#include "xml_lines.h"
#include <stdlib.h>
#include <string.h>

/* The segment that is mapped at an address now: a hash table, because programs may map and unmap for hours. */
struct mapped_now {
	size_t *segment; /* index + 1, 0: free */
	size_t capacity; /* a power of 2 */
	size_t used;
};

struct map_visit {
	struct experiment *experiment;
	struct mapped_now now;
};

static size_t *slot_of(struct map_visit *visit, uint64_t address)
{
	struct mapped_now *now = &visit->now;
	/* Addresses are multiples of a page, so their lower bits would all hash to one slot. */
	size_t slot = (size_t)((address * 0x9E3779B97F4A7C15ull) >> 20) & (now->capacity - 1);
	while (now->segment[slot] && visit->experiment->segments[now->segment[slot] - 1].address != address)
		slot = (slot + 1) & (now->capacity - 1);
	return &now->segment[slot];
}

static void grow(struct map_visit *visit)
{
	struct mapped_now old = visit->now;
	/* At most half full. Entries are never taken out, since an end is only noted in the segment, and linear probing needs no
	   tombstones. */
	if (old.used * 2 < old.capacity)
		return;
	visit->now.capacity = old.capacity ? old.capacity * 2 : 256;
	visit->now.segment = memory_new(visit->now.capacity, sizeof(size_t));
	for (size_t i = 0; i < old.capacity; i++)
		if (old.segment[i])
			*slot_of(visit, visit->experiment->segments[old.segment[i] - 1].address) = old.segment[i];
	free(old.segment);
}

static void end_segment(struct map_visit *visit, size_t index, uint32_t generation, uint64_t time)
{
	struct mapped_segment *segment = &visit->experiment->segments[index];
	if (segment->to_generation != UINT32_MAX)
		return;
	segment->to_generation = generation;
	segment->to_time = time;
}

static uint32_t generation_of(const struct xml_element *element)
{
	uint64_t generation = xml_number(element, "generation");
	return generation < UINT32_MAX ? (uint32_t)generation : UINT32_MAX - 1;
}

static const char *text_of(struct experiment *experiment, const struct xml_element *element, const char *name)
{
	char *value = xml_attribute(element, name);
	const char *kept = value ? arena_string(experiment_strings(experiment), value, strlen(value)) : "";
	free(value);
	return kept;
}

static void map(struct map_visit *visit, const struct xml_element *element)
{
	struct experiment *experiment = visit->experiment;
	struct mapped_segment segment = {
		.address = xml_number(element, "vaddr"),
		.size = xml_number(element, "size"),
		.file_offset = xml_number(element, "foffset"),
		.file_address = xml_number(element, "faddr"),
		.from_generation = generation_of(element),
		.to_generation = UINT32_MAX,
		.from_time = xml_time(element, "tstamp"),
		.to_time = UINT64_MAX,
		.path = text_of(experiment, element, "name"),
		.build_id = text_of(experiment, element, "buildid"),
		.checksum = text_of(experiment, element, "chksum"),
	};
	uint64_t end;
	if (!segment.size || __builtin_add_overflow(segment.address, segment.size - 1, &end)) {
		damage_count(
			experiment, &experiment->damage.log_lines_bad, 1, "%s: a segment without a size", MAP_XML_FILE);
		return;
	}
	grow(visit);
	size_t *slot = slot_of(visit, segment.address);
	if (*slot)
		end_segment(visit, *slot - 1, segment.from_generation, segment.from_time);
	else
		visit->now.used++;
	experiment->segments = memory_room(experiment->segments, experiment->segment_count, sizeof(segment));
	experiment->segments[experiment->segment_count++] = segment;
	*slot = experiment->segment_count;
}

static void visit_element(void *context, const struct xml_element *element)
{
	struct map_visit *visit = context;
	if (strcmp(element->name, "event"))
		return;
	char *kind = xml_attribute(element, "kind");
	if (kind && !strcmp(kind, "map")) {
		map(visit, element);
	} else if (kind && !strcmp(kind, "unmap") && visit->now.capacity) {
		size_t *slot = slot_of(visit, xml_number(element, "vaddr"));
		if (*slot)
			end_segment(visit, *slot - 1, generation_of(element), xml_time(element, "tstamp"));
	}
	free(kind);
}

static void visit_bad_line(void *context)
{
	struct experiment *experiment = ((struct map_visit *)context)->experiment;
	damage_count(experiment, &experiment->damage.log_lines_bad, 1, "%s: a line is no XML", MAP_XML_FILE);
}

static void visit_cut(void *context)
{
	struct experiment *experiment = ((struct map_visit *)context)->experiment;
	damage_count(experiment, &experiment->damage.log_lines_bad, 1, "%s is cut", MAP_XML_FILE);
}

void map_read(struct experiment *experiment)
{
	struct map_visit visit = {.experiment = experiment};
	struct xml_lines lines = {
		.element = visit_element, .bad_line = visit_bad_line, .cut = visit_cut, .context = &visit};
	size_t size;
	char *text = input_lines(experiment->path, MAP_XML_FILE, &size);
	if (!text) {
		part_is_missing(experiment, &experiment->damage.log_lines_bad, MAP_XML_FILE);
		return;
	}
	xml_lines_visit(&lines, text, size);
	free(text);
	free(visit.now.segment);
}
