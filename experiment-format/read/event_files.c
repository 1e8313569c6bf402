/* SPDX-License-Identifier: Apache-2.0 */
/* The event files of an experiment: what fields their events have, and where their blocks are. */
#include "input.h"
#include "parts.h"
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void copy(char *to, size_t size, const char *from)
{
	snprintf(to, size, "%s", from);
}

/* False: more fields than a reader of this major version must expect. */
static bool take_fields(struct event_source *source, char *description)
{
	const char *words[4];
	char *title = description;
	if (description_line(&title, words, 3) && !strcmp(words[0], "events"))
		copy(source->title, sizeof(source->title), words[2]);
	for (char *text = title; description_line(&text, words, 4);) {
		if (strcmp(words[0], "field"))
			continue;
		if (source->field_count == FIELDS_MAX)
			return false;
		struct event_field *field = &source->fields[source->field_count++];
		copy(field->name, sizeof(field->name), words[1]);
		field->unit = field_unit_of(words[2]);
		copy(field->title, sizeof(field->title), words[3]);
	}
	return true;
}

void source_map_to_table(struct event_source *source)
{
	source->kind = -1;
	for (unsigned kind = 0; kind < KIND_COUNT; kind++)
		if (!strcmp(kind_row(kind)->name, source->name))
			source->kind = (int)kind;
	for (unsigned i = 0; i < FIELDS_MAX; i++)
		source->field_of_kind[i] = -1;
	if (source->kind < 0)
		return;
	const struct kind_row *row = kind_row((enum kind)source->kind);
	for (unsigned ours = 0; ours < row->field_count; ours++)
		for (unsigned its = 0; its < source->field_count; its++)
			if (!strcmp(row->fields[ours].name, source->fields[its].name))
				source->field_of_kind[ours] = (int)its;
}

/* The state of one scan over a file for its blocks. */
struct block_scan {
	struct experiment *experiment;
	struct event_source *source;
	int fd;
	uint64_t size;
	uint64_t offset;   /* where the next block is expected */
	uint64_t skipped;  /* bytes that are neither zero nor a block, since the last block */
	uint64_t pages;    /* all pages since the last block */
	uint32_t sequence; /* of the block that is expected */
};

static bool block_header_usable(const struct block_header *header)
{
	return header->magic == BLOCK_MAGIC && header->size >= PAGE_UNIT && header->size <= BLOCK_MAX &&
	       header->size % PAGE_UNIT == 0 && header->used <= header->size - BLOCK_HEADER_SIZE &&
	       header->header_check == block_header_check(header);
}

static bool is_zero(const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i])
			return false;
	return true;
}

static bool read_header(const struct block_scan *scan, struct block_header *header)
{
	return input_read(scan->fd, header, sizeof(*header), scan->offset) == sizeof(*header);
}

/* Neither zeros, as a block that is being taken or was never begun, nor zeros after a header that lacks its magic, which is stored
   last: the writer was killed just before that. */
static bool is_no_block(const unsigned char *page, size_t size)
{
	size_t header = BLOCK_HEADER_SIZE, magic = sizeof(((struct block_header *)0)->magic);
	if (is_zero(page, size))
		return false;
	return size <= header || !is_zero(page, magic) || !is_zero(page + header, size - header);
}

/* A page where no block started when its header was read. A writer that is still running may have begun one since: then nothing
   is skipped. */
static void skip_page(struct block_scan *scan)
{
	unsigned char page[PAGE_UNIT];
	size_t size = input_read(scan->fd, page, sizeof(page), scan->offset);
	struct block_header header;
	if (is_no_block(page, size)) {
		if (read_header(scan, &header) && block_header_usable(&header))
			return;
		scan->skipped += size;
	}
	scan->pages++;
	uint64_t next = is_zero(page, size) ? input_skip_hole(scan->fd, scan->offset, scan->size) : scan->offset;
	if (next > scan->offset + PAGE_UNIT) {
		scan->pages += (next - scan->offset) / PAGE_UNIT - 1;
		scan->offset = next;
	} else {
		scan->offset += PAGE_UNIT;
	}
}

/* Blocks that are missing between the previous block and this one, or the end of the file. */
static void count_missing(struct block_scan *scan, uint64_t missing)
{
	struct experiment *experiment = scan->experiment;
	const char *name = scan->source->name;
	/* A block has at least a page, so a damaged sequence number cannot claim more than there is room for. */
	if (missing > scan->pages)
		missing = scan->pages;
	if (scan->skipped)
		damage_count(experiment, &experiment->damage.bytes_skipped, scan->skipped,
			"%s%s: %llu bytes that are no block", name, EVENT_FILE_SUFFIX,
			(unsigned long long)scan->skipped);
	if (missing)
		damage_count(experiment, &experiment->damage.blocks_bad, missing,
			"%s%s: %llu blocks are damaged or missing before offset %llu", name, EVENT_FILE_SUFFIX,
			(unsigned long long)missing, (unsigned long long)scan->offset);
	scan->skipped = scan->pages = 0;
}

/* A block's place in the file is allocated whole before its header is written: a file that ends within it was cut. */
static void count_cut(struct block_scan *scan, uint64_t bytes)
{
	damage_count(scan->experiment, &scan->experiment->damage.bytes_skipped, bytes, "%s%s is cut",
		scan->source->name, EVENT_FILE_SUFFIX);
}

static void take_block(struct block_scan *scan, const struct block_header *header)
{
	struct event_source *source = scan->source;
	struct experiment *experiment = scan->experiment;
	uint64_t there = scan->size - scan->offset - BLOCK_HEADER_SIZE, payload = header->size - BLOCK_HEADER_SIZE;
	struct event_block block = {.offset = scan->offset,
		.start = header->time.raw,
		.used = header->used,
		.verify = header->flags & BLOCK_SEALED};
	if (payload > there)
		count_cut(scan, block.used > there ? block.used - there : payload - there);
	if (block.used > there) {
		block.used = (uint32_t)there;
		/* The checksum is of the whole payload, and the records that are there can still be read. */
		block.verify = false;
	}
	count_missing(scan, header->sequence > scan->sequence ? header->sequence - scan->sequence : 0);
	scan->sequence = header->sequence + 1;
	scan->offset += header->size;
	triple_seen(experiment, &header->time);
	source->blocks = memory_room(source->blocks, source->block_count, sizeof(block));
	source->blocks[source->block_count++] = block;
}

static void scan_blocks(struct block_scan *scan)
{
	while (scan->offset + BLOCK_HEADER_SIZE <= scan->size) {
		struct block_header header;
		if (!read_header(scan, &header))
			break;
		if (block_header_usable(&header))
			take_block(scan, &header);
		else
			skip_page(scan);
	}
	if (scan->offset < scan->size)
		count_cut(scan, scan->size - scan->offset);
	count_missing(scan, scan->skipped ? 1 : 0);
}

/* The fields as log.xml has them. */
static bool describe_by_log(const struct experiment *experiment, struct event_source *source)
{
	const struct log_head *head = experiment_head(experiment);
	for (unsigned i = 0; i < head->profile_count; i++) {
		const struct event_source *profile = &head->profiles[i];
		if (strcmp(profile->name, source->name))
			continue;
		*source = *profile;
		return true;
	}
	return false;
}

/* A file without a usable description is read by the one in log.xml, if that has one. False: it cannot be read. */
static bool describe(struct experiment *experiment, struct event_source *source, int fd, uint64_t *start)
{
	struct described_file file;
	struct error error;
	bool usable = described_file_read(fd, false, &file, &error) && take_fields(source, file.text);
	*start = file.text ? file.header.header_size : PAGE_UNIT;
	if (!usable) {
		damage_count(experiment, &experiment->damage.blocks_bad, 1, "%s%s: %s", source->name, EVENT_FILE_SUFFIX,
			file.text ? "it has too many fields" : error.text);
		usable = !file.foreign && describe_by_log(experiment, source);
	}
	free(file.text);
	source_map_to_table(source);
	return usable;
}

static void source_read(struct experiment *experiment, const char *name)
{
	char file[64 + sizeof(EVENT_FILE_SUFFIX)];
	struct event_source source = {.kind = -1};
	copy(source.name, sizeof(source.name), name);
	snprintf(file, sizeof(file), "%s%s", name, EVENT_FILE_SUFFIX);
	int fd = input_open(experiment->path, file);
	if (fd < 0) {
		damage_count(experiment, &experiment->damage.blocks_bad, 1, "%s cannot be opened", file);
		return;
	}
	struct block_scan scan = {.experiment = experiment, .source = &source, .fd = fd, .size = input_size(fd)};
	if (described_file_begun(fd) && describe(experiment, &source, fd, &scan.offset)) {
		scan_blocks(&scan);
		experiment->sources = memory_room(experiment->sources, experiment->source_count, sizeof(source));
		experiment->sources[experiment->source_count++] = source;
	}
	close(fd);
}

/* NAME of NAME.events, made of lower case letters, digits and underscores; 0 if it is none. */
static char *source_name(const char *file)
{
	size_t size = strlen(file), suffix = strlen(EVENT_FILE_SUFFIX);
	if (size <= suffix || size - suffix >= sizeof(((struct event_source *)0)->name) ||
		strcmp(file + size - suffix, EVENT_FILE_SUFFIX))
		return 0;
	for (size_t i = 0; i < size - suffix; i++)
		if (!islower((unsigned char)file[i]) && !isdigit((unsigned char)file[i]) && file[i] != '_')
			return 0;
	return strndup(file, size - suffix);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The collector counts a block after its header is there: fewer blocks than were counted are a file that is cut between two
   blocks, or gone. */
static void count_unseen(struct experiment *experiment)
{
	uint64_t seen = experiment->damage.blocks_bad, begun = experiment_tally(experiment, TALLY_event_blocks);
	for (unsigned i = 0; i < experiment->source_count; i++)
		seen += experiment->sources[i].block_count;
	if (begun > seen)
		damage_count(experiment, &experiment->damage.blocks_bad, begun - seen,
			"event files are cut: %llu blocks are missing", (unsigned long long)(begun - seen));
}

void sources_read(struct experiment *experiment)
{
	char **names = 0;
	size_t count = 0;
	DIR *directory = opendir(experiment->path);
	for (struct dirent *entry; directory && (entry = readdir(directory));) {
		char *name = source_name(entry->d_name);
		if (!name)
			continue;
		names = memory_room(names, count, sizeof(*names));
		names[count++] = name;
	}
	if (directory)
		closedir(directory);
	if (count)
		qsort(names, count, sizeof(*names), by_name);
	for (size_t i = 0; i < count; i++) {
		source_read(experiment, names[i]);
		free(names[i]);
	}
	free(names);
	count_unseen(experiment);
}

void sources_free(struct experiment *experiment)
{
	for (unsigned i = 0; i < experiment->source_count; i++) {
		struct event_columns *columns = experiment->sources[i].columns;
		free(experiment->sources[i].blocks);
		for (unsigned f = 0; columns && f < FIELDS_MAX; f++)
			free(columns->field[f]);
		if (columns) {
			free(columns->time);
			free(columns->thread);
			free(columns->cpu);
			free(columns->stack);
		}
		free(columns);
	}
	free(experiment->sources);
}
