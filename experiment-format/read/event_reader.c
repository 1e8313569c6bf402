/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding the events of a block into columns: layout.h, "Payload of an event file". */
#include "input.h"
#include "parts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Zeros behind the payload: no record that begins within it is longer, so the loop looks for its end once a record. */
#define RECORD_MAX ((4 + FIELDS_MAX) * VARINT_MAX + 16)
#define BYTES_FEW  1024

/* Nine or ten bytes. */
static uint64_t get_long_varint(const unsigned char **next)
{
	uint64_t value = 0;
	unsigned i = 0;
	for (; i < VARINT_MAX - 1 && (*next)[i] & 0x80; i++)
		value |= (uint64_t)((*next)[i] & 0x7f) << 7 * i;
	value |= (uint64_t)((*next)[i] & 0x7f) << 7 * i;
	*next += i + 1;
	return value;
}

/* One byte is told by a branch, because fields that are small are so nearly always, and a branch that is predicted lets the
   next field be read at once. Up to eight bytes are taken out of one word without a branch on their number, which changes
   from event to event: the bits up to the first byte without a high bit, then pairs of 7, of 14 and of 28 bits. */
static inline uint64_t get_varint(const unsigned char **next)
{
	uint64_t word;
	memcpy(&word, *next, sizeof(word));
	if (!(word & 0x80)) {
		*next += 1;
		return word & 0x7f;
	}
	uint64_t stops = ~word & 0x8080808080808080u;
	if (__builtin_expect(!stops, 0))
		return get_long_varint(next);
	*next += ((unsigned)__builtin_ctzll(stops) >> 3) + 1;
	word &= (stops ^ (stops - 1)) & 0x7f7f7f7f7f7f7f7fu;
	word = (word & 0x007f007f007f007fu) | (word & 0x7f007f007f007f00u) >> 1;
	word = (word & 0x00003fff00003fffu) | (word & 0x3fff00003fff0000u) >> 2;
	return (word & 0x000000000fffffffu) | (word & 0x0fffffff00000000u) >> 4;
}

void event_batch_reserve(struct event_batch *batch, unsigned fields, uint32_t capacity)
{
	if (batch->capacity >= capacity && batch->field_columns >= fields)
		return;
	if (capacity < batch->capacity)
		capacity = batch->capacity;
	batch->time = memory_resize(batch->time, capacity, sizeof(*batch->time));
	batch->thread = memory_resize(batch->thread, capacity, sizeof(*batch->thread));
	batch->cpu = memory_resize(batch->cpu, capacity, sizeof(*batch->cpu));
	batch->stack = memory_resize(batch->stack, capacity, sizeof(*batch->stack));
	for (unsigned i = 0; i < fields || i < batch->field_columns; i++)
		batch->field[i] = memory_resize(batch->field[i], capacity, sizeof(*batch->field[i]));
	if (batch->field_columns < fields)
		batch->field_columns = fields;
	batch->capacity = capacity;
}

void event_batch_free(struct event_batch *batch)
{
	free(batch->bytes);
	free(batch->time);
	free(batch->thread);
	free(batch->cpu);
	free(batch->stack);
	for (unsigned i = 0; i < batch->field_columns; i++)
		free(batch->field[i]);
	*batch = (struct event_batch){.count = 0};
}

/* The previous record, to which the next one is relative. */
struct decoder {
	const unsigned char *next, *end;
	const unsigned char *stop; /* no record that begins here or behind is decoded */
	uint64_t behind;           /* bytes of the payload that are not in memory, behind the end */
	uint64_t skip;             /* of them, those of a record that is passed over */
	uint64_t time, address;
	uint32_t thread, cpu, stack;
	bool first_is_address;
	unsigned char no_bits; /* of a tag: none of these is known here */
};

static void decoder_begin(struct decoder *decoder, uint64_t time, uint32_t thread)
{
	decoder->time = time;
	decoder->thread = thread;
	decoder->cpu = 0;
	decoder->stack = 0;
	decoder->address = 0;
}

static inline void decode_close(struct decoder *decoder, unsigned char tag, struct event_batch *batch, unsigned fields)
{
	uint32_t n = batch->count;
	decoder->address = field_after(get_varint(&decoder->next), decoder->address);
	batch->field[0][n] = decoder->address;
	if (tag & TAG_FIRST_FIELD_ONLY)
		for (unsigned i = 1; i < fields; i++)
			batch->field[i][n] = 0;
	else
		for (unsigned i = 1; i < fields; i++)
			batch->field[i][n] = get_varint(&decoder->next);
}

static inline void decode_event(struct decoder *decoder, unsigned char tag, struct event_batch *batch, unsigned fields)
{
	uint32_t n = batch->count;
	uint64_t delta = get_varint(&decoder->next);
	decoder->time += tag & TAG_TIME_BACKWARD ? -delta : delta;
	if (tag & TAG_CPU_FOLLOWS)
		decoder->cpu = (uint32_t)get_varint(&decoder->next);
	if (tag & TAG_STACK_FOLLOWS) {
		uint64_t zigzag = get_varint(&decoder->next);
		decoder->stack += (uint32_t)(zigzag >> 1 ^ -(zigzag & 1));
	}
	batch->time[n] = decoder->time;
	batch->thread[n] = decoder->thread;
	batch->cpu[n] = decoder->cpu;
	batch->stack[n] = tag & TAG_NO_STACK ? 0 : decoder->stack;
	if (decoder->first_is_address)
		decode_close(decoder, tag, batch, fields);
	else
		for (unsigned i = 0; i < fields; i++)
			batch->field[i][n] = get_varint(&decoder->next);
	/* The record has been written to its row; it counts only if it ended within the payload. */
	if (decoder->next <= decoder->end)
		batch->count = n + 1;
}

static bool pass_over(struct decoder *decoder)
{
	uint64_t size = get_varint(&decoder->next);
	if (decoder->next > decoder->end)
		return false;
	uint64_t here = (uint64_t)(decoder->end - decoder->next);
	if (size > here && size - here > decoder->behind)
		return false;
	decoder->skip = size > here ? size - here : 0;
	decoder->next += size > here ? here : size;
	return true;
}

/* At most so many events. False if the rest of the block makes no sense. */
static bool decode(
	struct decoder *decoder, uint64_t block_time, uint32_t most, struct event_batch *batch, unsigned fields)
{
	while (decoder->next < decoder->stop && batch->count < most) {
		unsigned char tag = *decoder->next++;
		unsigned type = tag & RECORD_TYPE_MASK;
		if (__builtin_expect(type == RECORD_EVENT && !(tag & decoder->no_bits), 1)) {
			decode_event(decoder, tag, batch, fields);
		} else if (type == RECORD_THREAD) {
			decoder_begin(decoder, block_time, (uint32_t)get_varint(&decoder->next));
		} else if (type > RECORD_THREAD) {
			if (!pass_over(decoder))
				return false;
		} else {
			return false;
		}
	}
	return decoder->next <= decoder->end;
}

static void note_damage(struct experiment *experiment, const struct event_source *source, struct event_block *block,
	uint64_t *number, const char *what)
{
	if (!__atomic_exchange_n(&block->damage_counted, 1, __ATOMIC_RELAXED))
		damage_count_in_block(experiment, source, block->offset, number, what);
}

/* A stack's nodes are written before its events: a leaf behind the last node is one that was cut off. Without any node it
   was said of the file. */
static void check_stacks(struct experiment *experiment, const struct event_source *source, struct event_block *block,
	const struct event_batch *batch)
{
	uint32_t highest = 0;
	for (uint32_t i = 0; i < batch->count; i++)
		highest = batch->stack[i] > highest ? batch->stack[i] : highest;
	if (experiment->stacks.count > 1 && highest >= experiment->stacks.count)
		note_damage(experiment, source, block, &experiment->damage.nodes_bad, "a stack is missing of an event");
}

/* Bytes of the block with zeros behind them, in the batch's buffer. False if they are not there any more. */
static bool load_bytes(const struct experiment *experiment, const struct event_source *source, uint64_t offset,
	size_t size, struct event_batch *batch)
{
	char file[sizeof(source->name) + sizeof(EVENT_FILE_SUFFIX)];
	snprintf(file, sizeof(file), "%s%s", source->name, EVENT_FILE_SUFFIX);
	int fd = input_open(experiment->path, file);
	if (fd < 0)
		return false;
	if (batch->bytes_capacity < size + RECORD_MAX) {
		/* Few sizes, so that memory is seldom asked for, and little where only some events are read at once. */
		size_t capacity = BYTES_FEW;
		while (capacity < size + RECORD_MAX && capacity < BLOCK_MAX)
			capacity *= 4;
		capacity = capacity < BLOCK_MAX ? capacity : BLOCK_HEADER_SIZE + BLOCK_MAX + RECORD_MAX;
		free(batch->bytes);
		batch->bytes = memory_new(batch->bytes_capacity = capacity, 1);
	}
	bool whole = input_read(fd, batch->bytes, size, offset) == size;
	memset(batch->bytes + size, 0, RECORD_MAX);
	close(fd);
	return whole;
}

/* Raw time between two moments as nanoseconds. */
static void convert_durations(const struct experiment *experiment, uint64_t *ticks, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		double nanoseconds = (double)ticks[i] * experiment->nanoseconds_per_tick;
		ticks[i] = nanoseconds < 0x1p63 ? (uint64_t)(nanoseconds + 0.5) : INT64_MAX;
	}
}

uint64_t event_block_start(const struct experiment *experiment, const struct event_source *source, unsigned index)
{
	return source->columns ? 0 : experiment_nanoseconds(experiment, source->blocks[index].start);
}

static void convert_times(
	const struct experiment *experiment, const struct event_source *source, struct event_batch *batch)
{
	for (uint32_t i = 0; i < batch->count; i++)
		batch->time[i] = experiment_nanoseconds(experiment, batch->time[i]);
	for (unsigned f = 0; f < source->field_count; f++)
		if (source->fields[f].unit == UNIT_TICKS)
			convert_durations(experiment, batch->field[f], batch->count);
}

/* Loads `size` bytes of the block's payload and its header. Returns the damage that shows, or 0. */
static const char *load_block(const struct experiment *experiment, const struct event_source *source,
	const struct event_block *block, size_t size, struct event_batch *batch)
{
	struct block_header header;
	if (!load_bytes(experiment, source, block->offset, BLOCK_HEADER_SIZE + size, batch))
		return "bytes are missing";
	memcpy(&header, batch->bytes, sizeof(header));
	if (!block->verify || size < block->used ||
		block_checksum(batch->bytes + BLOCK_HEADER_SIZE, size) == header.checksum)
		return 0;
	return "the checksum is wrong";
}

/* As that, of a block of which only some bytes are to stay in memory: the checksum is over all of it. */
static const char *load_some(const struct experiment *experiment, const struct event_source *source,
	const struct event_block *block, size_t size, struct event_batch *batch)
{
	struct event_batch whole = {0};
	const char *damage = block->verify ? load_block(experiment, source, block, block->used, &whole) : 0;
	event_batch_free(&whole);
	return damage ? damage : load_block(experiment, source, block, size, batch);
}

/* Loads the block, or as much of it as so many events may take, and begins the cursor. Returns how many bytes of the payload are in
   memory; 0: none can be used. */
static size_t begin_block(struct experiment *experiment, const struct event_source *source, struct event_block *block,
	struct event_cursor *cursor, size_t most, struct event_batch *batch)
{
	bool some = most < block->used;
	size_t size = some ? most : block->used;
	struct block_header header;
	const char *damage = (some ? load_some : load_block)(experiment, source, block, size, batch);
	cursor->at = block->used;
	if (damage) {
		note_damage(experiment, source, block, &experiment->damage.blocks_bad, damage);
		return 0;
	}
	memcpy(&header, batch->bytes, sizeof(header));
	*cursor = (struct event_cursor){
		.begun = true, .block_time = header.time.raw, .time = header.time.raw, .thread = header.thread};
	return size;
}

/* Likewise from where the cursor stands. */
static size_t go_on(struct experiment *experiment, const struct event_source *source, struct event_block *block,
	struct event_cursor *cursor, size_t most, struct event_batch *batch)
{
	size_t rest = block->used - cursor->at, size = most > rest ? rest : most;
	if (load_bytes(experiment, source, block->offset + BLOCK_HEADER_SIZE + cursor->at, size, batch))
		return size;
	note_damage(experiment, source, block, &experiment->damage.blocks_bad, "bytes are missing");
	cursor->at = block->used;
	return 0;
}

/* Decodes events of `size` bytes at `bytes`. */
static void decode_part(struct experiment *experiment, const struct event_source *source, struct event_block *block,
	struct event_cursor *cursor, const unsigned char *bytes, size_t size, uint32_t most, struct event_batch *batch)
{
	unsigned fields = source->field_count;
	bool first_is_address = fields && source->fields[0].unit == UNIT_ADDRESS,
	     whole = cursor->at + size == block->used;
	/* An upper bound, by the smallest record that there can be: the loop then needs no check for room. */
	uint64_t events = size / (first_is_address ? 3 : 2 + fields) + 1;
	event_batch_reserve(batch, fields, events < most ? (uint32_t)events : most);
	struct decoder decoder = {.next = bytes,
		.end = bytes + size,
		.stop = bytes + (whole ? size : size - RECORD_MAX),
		.behind = block->used - cursor->at - size,
		.time = cursor->time,
		.address = cursor->address,
		.thread = cursor->thread,
		.cpu = cursor->cpu,
		.stack = cursor->stack,
		.first_is_address = first_is_address,
		.no_bits = first_is_address ? 0 : TAG_FIRST_FIELD_ONLY};
	bool sound = decode(&decoder, cursor->block_time, most, batch, fields);
	if (!sound)
		note_damage(experiment, source, block, &experiment->damage.records_bad, "a record is damaged");
	cursor->at = sound ? cursor->at + (uint32_t)(decoder.next - bytes) + (uint32_t)decoder.skip : block->used;
	cursor->time = decoder.time;
	cursor->address = decoder.address;
	cursor->thread = decoder.thread;
	cursor->cpu = decoder.cpu;
	cursor->stack = decoder.stack;
}

bool event_source_read_part(struct experiment *experiment, struct event_source *source, unsigned index,
	struct event_cursor *cursor, uint32_t most, struct event_batch *batch)
{
	enum { USUAL = 32 /* bytes that an event seldom has more of */ };
	struct event_block *block = source->columns ? 0 : &source->blocks[index];
	uint64_t wanted = (uint64_t)most * USUAL + 2 * RECORD_MAX;
	size_t bytes = wanted < BLOCK_MAX ? (size_t)wanted : BLOCK_MAX;
	batch->source = source;
	batch->count = 0;
	if (source->columns) {
		bool first = !cursor->begun;
		cursor->begun = true;
		return first && columns_read(source, index, batch);
	}
	while (!batch->count && cursor->at < block->used) {
		size_t header = cursor->begun ? 0 : BLOCK_HEADER_SIZE;
		size_t size = (cursor->begun ? go_on : begin_block)(experiment, source, block, cursor, bytes, batch);
		if (!size)
			return false;
		decode_part(experiment, source, block, cursor, batch->bytes + header, size, most, batch);
	}
	check_stacks(experiment, source, block, batch);
	convert_times(experiment, source, batch);
	return batch->count > 0;
}

bool event_source_read(
	struct experiment *experiment, struct event_source *source, unsigned index, struct event_batch *batch)
{
	struct event_cursor cursor = {0};
	return event_source_read_part(experiment, source, index, &cursor, UINT32_MAX, batch);
}
