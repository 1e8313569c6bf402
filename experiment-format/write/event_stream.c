/* SPDX-License-Identifier: Apache-2.0 */
/* Encoding events into a thread's block: layout.h, "Payload of an event file". */
#include "event_stream.h"
#include "event_file.h"

#define BLOCK_GROWTH   4  /* a thread's blocks are 4, 16, 64, 64, ... KB */
#define BLOCKS_AT_ONCE 4u /* mapping several costs little more than one; the thread waits for it */

static inline unsigned char *put_varint(unsigned char *next, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*next++ = (unsigned char)value | 0x80;
	*next++ = (unsigned char)value;
	return next;
}

static void commit(struct event_stream *stream, unsigned char *end)
{
	unsigned char *payload = (unsigned char *)stream->block + BLOCK_HEADER_SIZE;
	stream->next = end;
	/* A reader, or a process that is killed, sees either all of a record or nothing of it. */
	__atomic_store_n(&stream->block->used, (uint32_t)(end - payload), __ATOMIC_RELEASE);
}

void event_stream_init(struct event_stream *stream, struct event_file *file, uint32_t thread)
{
	*stream = (struct event_stream){.file = file, .thread = thread, .block_size = BLOCK_FIRST, .block_count = 1};
}

static void begin_block(struct event_stream *stream, struct block_header *block)
{
	stream->block = block;
	stream->next = (unsigned char *)block + BLOCK_HEADER_SIZE + block->used;
	stream->limit = (unsigned char *)block + block->size;
	stream->last_time = block->time.raw;
	stream->last_cpu = 0;
	stream->last_stack = 0;
	stream->last_address = 0;
	if (block->used || block->thread != stream->thread) {
		unsigned char *next = stream->next;
		*next++ = RECORD_THREAD;
		commit(stream, put_varint(next, stream->thread));
	}
}

static bool take_blocks(struct event_stream *stream)
{
	uint32_t count = stream->block_count;
	struct block_header *block = event_file_take_blocks(stream->file, stream->block_size, &count, stream->thread);
	if (!block)
		return false;
	if (stream->block_size < BLOCK_MAX)
		stream->block_size *= BLOCK_GROWTH;
	else
		stream->block_count = BLOCKS_AT_ONCE;
	stream->mapped = block;
	stream->following = count - 1;
	begin_block(stream, block);
	return true;
}

static size_t mapped_before(const struct event_stream *stream)
{
	return (size_t)((char *)stream->block - (char *)stream->mapped);
}

static bool make_room(struct event_stream *stream)
{
	struct block_header *block = stream->block;
	if (block)
		event_file_seal_block(block);
	if (stream->following) {
		stream->following--;
		begin_block(stream, event_file_block_after(block, 1, block->size));
		return true;
	}
	if (block)
		event_file_unmap_blocks(stream->mapped, mapped_before(stream) + block->size);
	stream->block = 0;
	stream->next = stream->limit = 0;
	return take_blocks(stream);
}

static inline bool has_room(const struct event_stream *stream)
{
	return (uint32_t)(stream->limit - stream->next) >= event_size_max(stream->file);
}

void event_stream_prepare(struct event_stream *stream)
{
	if (!has_room(stream))
		make_room(stream);
}

/* Files whose first field is an address are written closer. */
static inline unsigned char *put_close(
	struct event_stream *stream, unsigned char *next, const uint64_t *fields, unsigned char *bits)
{
	unsigned count = stream->file->field_count;
	uint64_t others = 0;
	for (unsigned i = 1; i < count; i++)
		others |= fields[i];
	next = put_varint(next, field_difference(fields[0], stream->last_address));
	stream->last_address = fields[0];
	if (!others)
		*bits |= TAG_FIRST_FIELD_ONLY;
	for (unsigned i = 1; others && i < count; i++)
		next = put_varint(next, fields[i]);
	return next;
}

__attribute__((hot)) bool event_append(
	struct event_stream *stream, const struct event_head *head, const uint64_t *fields)
{
	if (!has_room(stream) && !make_room(stream))
		return false;
	/* The tag's bits are known at the end only; it is stored then. */
	unsigned char *tag = stream->next, *next = tag + 1;
	unsigned char bits = RECORD_EVENT;
	if (head->time >= stream->last_time) {
		next = put_varint(next, head->time - stream->last_time);
	} else {
		bits |= TAG_TIME_BACKWARD;
		next = put_varint(next, stream->last_time - head->time);
	}
	stream->last_time = head->time;
	if (head->cpu != stream->last_cpu) {
		bits |= TAG_CPU_FOLLOWS;
		next = put_varint(next, head->cpu);
		stream->last_cpu = head->cpu;
	}
	if (!head->stack) {
		bits |= TAG_NO_STACK;
	} else if (head->stack != stream->last_stack) {
		int64_t delta = (int64_t)head->stack - stream->last_stack;
		bits |= TAG_STACK_FOLLOWS;
		next = put_varint(next, (uint64_t)delta << 1 ^ (uint64_t)(delta >> 63));
		stream->last_stack = head->stack;
	}
	const struct event_file *file = stream->file;
	if (file->first_is_address)
		next = put_close(stream, next, fields, &bits);
	else
		/* The bytes might be those of the file, for all that the compiler knows: its count is read once. */
		for (const uint64_t *field = fields, *end = fields + file->field_count; field < end; field++)
			next = put_varint(next, *field);
	*tag = bits;
	commit(stream, next);
	return true;
}

void event_stream_release(struct event_stream *stream)
{
	struct block_header *block = stream->block;
	if (block) {
		uint32_t size = block->size;
		if (mapped_before(stream))
			event_file_unmap_blocks(stream->mapped, mapped_before(stream));
		for (uint32_t i = 0; i <= stream->following; i++)
			event_file_give_block(stream->file, event_file_block_after(block, i, size));
	}
	stream->block = 0;
	stream->following = 0;
	stream->next = stream->limit = 0;
}
