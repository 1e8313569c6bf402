/* SPDX-License-Identifier: Apache-2.0 */
/* Reading perf records. Source: perf_event_open(2), "MMAP layout". */
#include "perf_records.h"
#include "perf_event.h"
#include <string.h>

#define WORD sizeof(uint64_t)

struct reader {
	const char *data;
	uint64_t size;    /* of the ring, a power of two */
	uint64_t at, end; /* of the record's rest; a record may wrap around the ring's end, a word does not */
};

static uint64_t word(struct reader *reader)
{
	if (reader->at + WORD > reader->end)
		return 0;
	uint64_t value;
	memcpy(&value, reader->data + (reader->at & (reader->size - 1)), WORD);
	reader->at += WORD;
	return value;
}

static void bytes(struct reader *reader, char *to, uint64_t size)
{
	uint64_t begin = reader->at & (reader->size - 1), first = reader->size - begin;
	first = first < size ? first : size;
	memcpy(to, reader->data + begin, first);
	memcpy(to + first, reader->data, size - first);
}

static void take_call_chain(struct reader *reader, struct ring_contents *contents)
{
	for (uint64_t left = word(reader); left && reader->at < reader->end; left--) {
		uint64_t frame = word(reader);
		if (frame < PERF_CONTEXT_MAX && contents->kernel_depth < KERNEL_DEPTH) /* else: a marker */
			contents->kernel_frames[contents->kernel_depth++] = frame;
	}
}

/* Its size in four bytes, the bytes, and what fills the last word. */
static void take_raw(struct reader *reader, struct ring_contents *contents)
{
	struct reader at = *reader;
	uint64_t size = (uint32_t)word(&at), all = (sizeof(uint32_t) + size + WORD - 1) / WORD * WORD;
	if (reader->at + all > reader->end)
		return;
	contents->raw_size = size < RAW_MOST ? (unsigned)size : RAW_MOST;
	reader->at += sizeof(uint32_t);
	bytes(reader, contents->raw, contents->raw_size);
	reader->at += all - sizeof(uint32_t);
}

static void take_registers(struct reader *reader, struct ring_contents *contents)
{
	contents->has_registers = word(reader) != PERF_SAMPLE_REGS_ABI_NONE;
	if (contents->has_registers)
		for (unsigned i = 0; i < SAVED_COUNT; i++)
			contents->registers[perf_register_position(i)] = word(reader);
}

/* Its size, so many bytes, and how many of them are the stack's. */
static void take_stack(struct reader *reader, struct ring_contents *contents)
{
	uint64_t size = word(reader);
	contents->stack_size = 0;
	if (!size || size > STACK_COPY || reader->at + size > reader->end)
		return;
	struct reader after = {reader->data, reader->size, reader->at + size, reader->end};
	contents->stack_size = word(&after);
	if (contents->stack_size > size)
		contents->stack_size = size;
	bytes(reader, contents->stack, contents->stack_size);
	*reader = after;
}

/* The order of the words is the kernel's. */
static void take_sample(struct reader *reader, unsigned misc, uint64_t sample_type, struct ring_contents *contents)
{
	unsigned mode = misc & PERF_RECORD_MISC_CPUMODE_MASK;
	contents->sampled = true;
	contents->exact = misc & PERF_RECORD_MISC_EXACT_IP;
	contents->kernel = mode != PERF_RECORD_MISC_USER && mode != PERF_RECORD_MISC_GUEST_USER;
	contents->kernel_depth = contents->raw_size = 0;
	if (sample_type & PERF_SAMPLE_IP)
		contents->pc = word(reader);
	if (sample_type & PERF_SAMPLE_TIME)
		contents->time = word(reader);
	if (sample_type & PERF_SAMPLE_ADDR)
		contents->address = word(reader);
	if (sample_type & PERF_SAMPLE_CPU)
		contents->cpu = (uint32_t)word(reader);
	if (sample_type & PERF_SAMPLE_CALLCHAIN)
		take_call_chain(reader, contents);
	if (sample_type & PERF_SAMPLE_RAW)
		take_raw(reader, contents);
	if (sample_type & PERF_SAMPLE_REGS_USER)
		take_registers(reader, contents);
	if (sample_type & PERF_SAMPLE_STACK_USER)
		take_stack(reader, contents);
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

uint64_t ring_head(const void *ring)
{
	const struct perf_event_mmap_page *control = ring;
	return control ? __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE) : 0;
}

bool ring_has_records(const void *ring)
{
	const struct perf_event_mmap_page *control = ring;
	return control && ring_head(ring) != control->data_tail;
}

bool ring_take_one(void *ring, uint64_t sample_type, struct ring_contents *contents)
{
	struct perf_event_mmap_page *control = ring;
	if (!ring_has_records(ring))
		return false;
	uint64_t head = ring_head(ring), at = control->data_tail;
	struct reader reader = {(const char *)control + PERF_PAGE, control->data_size, at, head};
	/* Records are of 8-byte units and the ring's size is a multiple of them, so no header is torn. */
	struct perf_event_header record;
	uint64_t header = word(&reader);
	memcpy(&record, &header, sizeof record);
	/* The kernel writes no such record; the target may have written to the ring. All of it is given up rather than read
	   askew. */
	if (record.size < sizeof record || at + record.size > head) {
		__atomic_store_n(&control->data_tail, head, __ATOMIC_RELEASE);
		return false;
	}
	reader.end = at + record.size;
	contents->at = at;
	take_record(&reader, &record, sample_type, contents);
	__atomic_store_n(&control->data_tail, reader.end, __ATOMIC_RELEASE);
	return true;
}

void ring_contents_clear(struct ring_contents *contents)
{
	contents->sampled = contents->exact = contents->kernel = false;
	contents->pc = contents->address = contents->source = contents->latency = 0;
	contents->kernel_depth = contents->raw_size = 0;
	contents->throttled = contents->lost = 0;
}

void ring_take(void *ring, uint64_t sample_type, struct ring_contents *contents)
{
	ring_contents_clear(contents);
	while (ring_take_one(ring, sample_type, contents))
		;
}
