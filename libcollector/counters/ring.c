/* SPDX-License-Identifier: Apache-2.0 */
/* Reading perf records. Source: perf_event_open(2), "MMAP layout". */
#include "ring.h"
#include "perf_event.h"

#define WORD sizeof(uint64_t)

struct reader {
	const char *data;
	uint64_t at, end; /* of the record's rest; a record may wrap around the ring's end, a word does not */
};

static uint64_t word(struct reader *reader)
{
	if (reader->at + WORD > reader->end)
		return 0;
	uint64_t value;
	__builtin_memcpy(&value, reader->data + (reader->at & (RING_PAGES * PERF_PAGE - 1)), WORD);
	reader->at += WORD;
	return value;
}

uint64_t ring_sample_type(const struct overflow_counter *wanted)
{
	uint64_t type = PERF_SAMPLE_IP;
	if (wanted->kernel_stack)
		type |= PERF_SAMPLE_CALLCHAIN;
	if (wanted->memory)
		type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT;
	return type;
}

static void take_call_chain(struct reader *reader, struct ring_contents *contents)
{
	for (uint64_t left = word(reader); left && reader->at < reader->end; left--) {
		uint64_t frame = word(reader);
		if (frame < PERF_CONTEXT_MAX && contents->kernel_depth < KERNEL_DEPTH) /* else: a marker */
			contents->kernel_frames[contents->kernel_depth++] = frame;
	}
}

/* The order of the words is the kernel's. */
static void take_sample(struct reader *reader, unsigned misc, uint64_t sample_type, struct ring_contents *contents)
{
	unsigned mode = misc & PERF_RECORD_MISC_CPUMODE_MASK;
	contents->sampled = true;
	contents->exact = misc & PERF_RECORD_MISC_EXACT_IP;
	contents->kernel = mode != PERF_RECORD_MISC_USER && mode != PERF_RECORD_MISC_GUEST_USER;
	contents->kernel_depth = 0;
	contents->pc = word(reader);
	if (sample_type & PERF_SAMPLE_ADDR)
		contents->address = word(reader);
	if (sample_type & PERF_SAMPLE_CALLCHAIN)
		take_call_chain(reader, contents);
	if (sample_type & PERF_SAMPLE_WEIGHT)
		contents->latency = word(reader);
	if (sample_type & PERF_SAMPLE_DATA_SRC)
		contents->source = word(reader);
}

static void take_record(struct reader *reader, const struct perf_event_header *record, uint64_t sample_type,
	struct ring_contents *contents)
{
	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		take_sample(reader, record->misc, sample_type, contents);
		break;
	case PERF_RECORD_THROTTLE:
		contents->throttled++;
		break;
	case PERF_RECORD_LOST:
		word(reader); /* the event's id */
		contents->lost += word(reader);
		break;
	}
}

bool ring_has_records(const void *ring)
{
	const struct perf_event_mmap_page *control = ring;
	return control && __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE) != control->data_tail;
}

void ring_take(void *ring, uint64_t sample_type, struct ring_contents *contents)
{
	struct perf_event_mmap_page *control = ring;
	contents->sampled = contents->exact = contents->kernel = false;
	contents->pc = contents->address = contents->source = contents->latency = 0;
	contents->kernel_depth = 0;
	contents->throttled = contents->lost = 0;
	if (!control)
		return;
	uint64_t head = __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE);
	struct reader reader = {.data = (const char *)control + PERF_PAGE};
	for (uint64_t at = control->data_tail; at < head;) {
		/* Records are of 8-byte units and the ring's size is a multiple of them, so no header is torn. */
		struct perf_event_header record;
		reader.at = at;
		reader.end = head;
		uint64_t header = word(&reader);
		__builtin_memcpy(&record, &header, sizeof record);
		if (record.size < sizeof record || at + record.size > head)
			break;
		reader.end = at + record.size;
		take_record(&reader, &record, sample_type, contents);
		at += record.size;
	}
	__atomic_store_n(&control->data_tail, head, __ATOMIC_RELEASE);
}
