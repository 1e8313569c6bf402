/* SPDX-License-Identifier: Apache-2.0 */
/* Creating the binary files and taking, giving back and sealing their blocks. */
#include "event_file.h"
#include "described_file.h"
#include "file_space.h"
#include "own_use.h"
#include "system_calls.h"
#include "text.h"
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>

/* Small blocks at once: one for each so many that are there already, at most so many. */
enum { FIRST_PER_AHEAD = 8, FIRST_AT_ONCE = 16 };

/* "field" lines of a description. */
static unsigned count_fields(const char *description, uint32_t size)
{
	static const char word[] = "field ";
	unsigned count = 0;
	for (uint32_t i = 0; i < size; i++) {
		uint32_t k = 0;
		while (k < sizeof(word) - 1 && i + k < size && description[i + k] == word[k])
			k++;
		count += k == sizeof(word) - 1;
		while (i < size && description[i] != '\n')
			i++;
	}
	return count;
}

/* Whether the first "field NAME UNIT TITLE" line names an address. */
static bool first_field_is_address(const char *description, uint32_t size)
{
	static const char line[] = "\nfield ", unit[] = " address ";
	uint32_t i = 0, k = 0;
	for (; i < size && k < sizeof(line) - 1; i++)
		k = description[i] == line[k] ? k + 1 : description[i] == line[0];
	while (i < size && description[i] != ' ')
		i++;
	for (k = 0; k < sizeof(unit) - 1 && i < size && description[i] == unit[k]; k++)
		i++;
	return k == sizeof(unit) - 1;
}

bool event_file_create(struct event_file *file, struct experiment_directory *directory, const char *name,
	const char *description, uint32_t description_size, void (*time_now)(struct time_triple *), int *code)
{
	/* The pool is larger than all the rest and mostly empty: block_pool_clear() touches only what was filled, which spares
	   page faults in each process. */
	memset(file, 0, offsetof(struct event_file, with_room));
	block_pool_clear(&file->with_room);
	file->directory = directory;
	file->time_now = time_now;
	struct text kept = {.bytes = file->name, .capacity = sizeof(file->name) - 1};
	text_string(&kept, name);
	file->field_count = count_fields(description, description_size);
	file->first_is_address = first_field_is_address(description, description_size);
	if (kept.cut || file->field_count > FIELDS_MAX) {
		*code = EINVAL;
		return false;
	}
	int fd = described_file_create(directory, name, description, description_size, 0, &file->header_size);
	if (fd < 0) {
		*code = -fd;
		return false;
	}
	experiment_directory_keep_file(directory, name, fd);
	file->next = file->header_size / PAGE_UNIT;
	return true;
}

/* The magic is stored last: a reader believes only whole headers. */
static void begin_block(
	struct event_file *file, struct block_header *block, uint32_t size, uint32_t sequence, uint32_t thread)
{
	struct block_header header = {.magic = BLOCK_MAGIC, .size = size, .sequence = sequence, .thread = thread};
	file->time_now(&header.time);
	header.header_check = block_header_check(&header);
	header.magic = 0;
	*block = header;
	__atomic_store_n(&block->magic, BLOCK_MAGIC, __ATOMIC_RELEASE);
}

/* Takes and maps the place of *count blocks, or of one where there is no room for more; the place is used up even if this
   fails. The file is full then: what follows a gap would be readable, but a disk that is full rarely gets room soon, and a try
   for each event would be expensive. */
static void *map_next(struct event_file *file, const struct file_reservation *reserved, int fd, uint32_t size,
	uint32_t *count, uint32_t *sequence)
{
	uint64_t wanted = *count, pages = wanted * (size / PAGE_UNIT);
	/* One word holds the next block's number and its place, so that one atomic addition takes both. */
	uint64_t place = __atomic_fetch_add(&file->next, wanted << 32 | pages, __ATOMIC_RELAXED);
	uint64_t offset = (uint32_t)place * (uint64_t)PAGE_UNIT;
	void *mapped = 0;
	*sequence = (uint32_t)(place >> 32);
	int error = file_space_allocate(fd, offset, wanted * size);
	if (error && wanted > 1) {
		__atomic_store_n(&file->full, 1, __ATOMIC_RELAXED);
		*count = 1;
		error = file_space_allocate(fd, offset, size);
	}
	if (error)
		file_space_give_up(reserved);
	else
		mapped = file_space_map(reserved, (size_t)*count * size, fd, offset);
	if (!mapped)
		__atomic_store_n(&file->full, 1, __ATOMIC_RELAXED);
	return mapped;
}

/* The first of *count blocks, or of fewer. 0: none. */
static struct block_header *take_fresh(struct event_file *file, uint32_t size, uint32_t *count, uint32_t thread)
{
	if (__atomic_load_n(&file->full, __ATOMIC_RELAXED))
		return 0;
	struct own_use_span use = own_use_begin(file->tallies);
	int fd = experiment_directory_use_file(file->directory, file->name, O_RDWR);
	if (fd < 0)
		return 0;
	uint32_t sequence = 0;
	struct file_reservation reserved = file_space_reserve((size_t)*count * size);
	if (!reserved.start && *count > 1)
		reserved = file_space_reserve((size_t)(*count = 1) * size);
	struct block_header *block = reserved.start ? map_next(file, &reserved, fd, size, count, &sequence) : 0;
	experiment_directory_leave_file(file->directory, fd);
	if (block && file->space_used)
		__atomic_fetch_add(file->space_used, *count * size, __ATOMIC_RELAXED);
	for (uint32_t i = 0; block && i < *count; i++)
		begin_block(file, event_file_block_after(block, i, size), size, sequence + i, thread);
	own_use_end(&use, file->tallies);
	return block;
}

static bool has_room(const struct event_file *file, const struct block_header *block)
{
	return block->size - BLOCK_HEADER_SIZE - block->used >= event_size_max(file);
}

/* Where blocks may end within a page of the machine, neighbours cannot be unmapped each on its own. */
static uint32_t most_at_once(const struct event_file *file, uint32_t size, uint32_t wanted)
{
	if (file_space_page_size() != PAGE_UNIT)
		return 1;
	if (size > BLOCK_FIRST)
		return size == BLOCK_MAX ? wanted : 1;
	/* Threads that record little need one each: of many threads, several take what one asks the kernel for. */
	uint32_t begun = (uint32_t)(__atomic_load_n(&file->next, __ATOMIC_RELAXED) >> 32),
		 few = begun / FIRST_PER_AHEAD;
	return few < 1 ? 1 : few < FIRST_AT_ONCE ? few : FIRST_AT_ONCE;
}

struct block_header *event_file_take_blocks(struct event_file *file, uint32_t size, uint32_t *count, uint32_t thread)
{
	struct block_header *block = block_pool_take(&file->with_room);
	if (block) {
		*count = 1;
		return block;
	}
	*count = most_at_once(file, size, *count);
	block = take_fresh(file, size, count, thread);
	if (block && file->tallies)
		__atomic_fetch_add(&file->tallies[TALLY_event_blocks], *count, __ATOMIC_RELEASE);
	if (!block || size > BLOCK_FIRST)
		return block;
	for (uint32_t i = 1; i < *count; i++)
		event_file_give_block(file, event_file_block_after(block, i, size));
	*count = 1;
	return block;
}

void event_file_give_block(struct event_file *file, struct block_header *block)
{
	if (has_room(file, block) && block_pool_give(&file->with_room, block))
		return;
	event_file_seal_block(block);
	event_file_unmap_blocks(block, block->size);
}

void event_file_seal_block(struct block_header *block)
{
	block->checksum = block_checksum((unsigned char *)block + BLOCK_HEADER_SIZE, block->used);
	__atomic_store_n(&block->flags, block->flags | BLOCK_SEALED, __ATOMIC_RELEASE);
}

void event_file_unmap_blocks(struct block_header *first, size_t size)
{
	file_space_unmap(first, size);
}

struct block_header *event_file_take_stack_block(struct event_file *file, uint32_t *index)
{
	uint32_t one = 1;
	struct block_header *block = take_fresh(file, BLOCK_MAX, &one, 0);
	if (block)
		*index = block->sequence;
	return block;
}
