/* SPDX-License-Identifier: Apache-2.0 */
/* Synthetic experiments: see synthetic.h. */
#include "synthetic.h"
#include "event_file.h"
#include "event_stream.h"
#include "experiment_directory.h"
#include "log.h"
#include "seal.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KINDS_MAX        32
#define DESCRIPTION_SIZE 8192

struct synthetic_file {
	bool created;
	char name[48];
	char description[DESCRIPTION_SIZE];
	struct event_file file;
	struct event_stream *streams; /* by thread number */
	uint32_t stream_count;
};

struct synthetic {
	struct experiment_directory directory;
	struct time_triple start;
	double ticks_per_nanosecond;
	uint64_t time, last_time;
	uint32_t cpu, generation;
	uint64_t *tallies;
	struct log_line line;
	struct synthetic_file kinds[KINDS_MAX];
	unsigned kind_count;
	struct event_file stacks;
	struct stack_node *next_node;
	uint32_t nodes_left, node_count;
	struct stack_node *nodes; /* a copy, by id */
	uint32_t *table;          /* of ids, by content; a power of 2 */
	uint32_t table_size;
};

/* Whose time synthetic_time_now() tells: the writer's callback carries no context. */
static struct synthetic *current;

static void check(bool right, const char *what, int code)
{
	if (right)
		return;
	fprintf(stderr, "synthetic experiment: %s: %s\n", what, strerror(code));
	abort();
}

static void check_code(int code, const char *what)
{
	check(!code, what, code);
}

static uint64_t raw_of(const struct synthetic *s, uint64_t time)
{
	return s->start.raw +
	       (s->ticks_per_nanosecond == 1 ? time : (uint64_t)((double)time * s->ticks_per_nanosecond));
}

static struct time_triple triple_of(const struct synthetic *s, uint64_t time)
{
	return (struct time_triple){raw_of(s, time), s->start.monotonic + time, s->start.realtime + time};
}

static void time_now(struct time_triple *now)
{
	*now = triple_of(current, current->time);
}

static void advance(struct synthetic *s, uint64_t time)
{
	current = s;
	s->time = time;
	if (time > s->last_time)
		s->last_time = time;
}

static void write_settings(struct synthetic *s, const struct settings *settings)
{
	static char text[SETTINGS_TEXT_MAX];
	size_t size = settings_encode(settings, text, sizeof(text));
	int fd = experiment_directory_open_file(&s->directory, SETTINGS_FILE, O_WRONLY | O_CREAT | O_EXCL);
	bool right = size && fd >= 0 && write(fd, text, size) == (ssize_t)size;
	check(right, SETTINGS_FILE, errno);
	close(fd);
}

struct synthetic *synthetic_begin_with(
	const char *path, const struct settings *settings, double ticks_per_second, struct time_triple start)
{
	struct synthetic *s = calloc(1, sizeof(*s));
	char absolute[4096], description[DESCRIPTION_SIZE];
	int code = 0;
	check(s, "memory", ENOMEM);
	s->start = start;
	s->ticks_per_nanosecond = ticks_per_second / 1e9;
	current = s;
	bool right = !mkdir(path, 0755) && realpath(path, absolute);
	check(right, path, errno);
	right = experiment_directory_open(&s->directory, absolute, &code);
	check(right, path, code);
	write_settings(s, settings);
	check_code(log_create(&s->directory), LOG_FILE);
	check_code(log_write_system(&s->directory, settings, &start), LOG_FILE);
	check_code(log_write_process(&s->directory), LOG_FILE);
	s->tallies = tallies_create(&s->directory, true, &code);
	check(s->tallies, TALLIES_FILE, code);
	uint32_t size = (uint32_t)stacks_describe(description, sizeof(description));
	right = event_file_create(&s->stacks, &s->directory, STACKS_FILE, description, size, time_now, &code);
	check(right, STACKS_FILE, code);
	for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
		struct synthetic_file *file = &s->kinds[s->kind_count++];
		snprintf(file->name, sizeof(file->name), "%s", kind_row(kind)->name);
		kind_describe(kind, file->description, sizeof(file->description));
	}
	return s;
}

struct synthetic *synthetic_begin(const char *path)
{
	struct settings settings;
	settings_default(&settings);
	return synthetic_begin_with(path, &settings, 1e9,
		(struct time_triple){SYNTHETIC_MONOTONIC, SYNTHETIC_MONOTONIC, SYNTHETIC_REALTIME});
}

void synthetic_map_identified(struct synthetic *s, uint64_t address, uint64_t size, uint64_t file_offset,
	uint64_t file_address, const char *path, const char *build_id, const char *checksum)
{
	struct map_segment segment = {.address = address,
		.size = size,
		.file_offset = file_offset,
		.file_address = file_address,
		.generation = s->generation,
		.time = s->time,
		.path = path,
		.build_id = build_id,
		.checksum = checksum};
	check_code(log_write_map(&s->line, &s->directory, &segment), MAP_XML_FILE);
}

void synthetic_map_object(struct synthetic *s, uint64_t address, uint64_t size, uint64_t file_offset,
	uint64_t file_address, const char *path)
{
	synthetic_map_identified(s, address, size, file_offset, file_address, path, 0, 0);
}

void synthetic_unmap(struct synthetic *s, uint64_t address)
{
	check_code(log_write_unmap(&s->line, &s->directory, address, ++s->generation, s->time), MAP_XML_FILE);
}

static uint32_t hash_of(const struct stack_node *node)
{
	return (uint32_t)(((node->pc * 31 + node->parent) * 31 + node->flags) * 0x9E3779B97F4A7C15ull >> 32);
}

/* Where a node like this is in the table, or would be. */
static uint32_t *slot_of(const struct synthetic *s, const struct stack_node *node)
{
	uint32_t slot = hash_of(node) & (s->table_size - 1);
	for (; s->table[slot]; slot = (slot + 1) & (s->table_size - 1)) {
		const struct stack_node *other = &s->nodes[s->table[slot]];
		if (other->pc == node->pc && other->parent == node->parent && other->flags == node->flags)
			break;
	}
	return &s->table[slot];
}

static void grow_table(struct synthetic *s)
{
	if (s->node_count + 1 < s->table_size / 2)
		return;
	free(s->table);
	s->table_size = s->table_size ? 2 * s->table_size : 1024;
	s->table = calloc(s->table_size, sizeof(*s->table));
	s->nodes = realloc(s->nodes, s->table_size * sizeof(*s->nodes));
	check(s->table && s->nodes, "memory", ENOMEM);
	for (uint32_t id = 1; id <= s->node_count; id++)
		*slot_of(s, &s->nodes[id]) = id;
}

static uint32_t append_node(struct synthetic *s, const struct stack_node *node)
{
	if (!s->nodes_left) {
		uint32_t index;
		struct block_header *block = event_file_take_stack_block(&s->stacks, &index);
		check(block, STACKS_FILE, ENOSPC);
		s->next_node = (struct stack_node *)((char *)block + BLOCK_HEADER_SIZE);
		s->nodes_left = STACK_NODES_PER_BLOCK;
	}
	*s->next_node++ = *node;
	s->nodes_left--;
	s->nodes[++s->node_count] = *node;
	return s->node_count;
}

uint32_t synthetic_node(struct synthetic *s, uint64_t pc, uint32_t parent, uint16_t flags)
{
	struct stack_node node = {pc, parent, flags, stack_node_check(pc, parent, flags)};
	current = s;
	grow_table(s);
	uint32_t *slot = slot_of(s, &node);
	if (!*slot)
		*slot = append_node(s, &node);
	return *slot;
}

uint32_t synthetic_stack(struct synthetic *s, const uint64_t *pcs, unsigned count, unsigned flags)
{
	uint64_t end = flags & SYNTHETIC_TRUNCATED ? ROOT_TRUNCATED
		       : flags & SYNTHETIC_FAILED  ? ROOT_FAILED
						   : ROOT_START;
	uint32_t id = synthetic_node(s, 1 + end + ((uint64_t)s->generation << 8), 0, NODE_ROOT);
	for (unsigned i = 0; i < count; i++) {
		bool leaf = i + 1 == count;
		uint16_t caller = flags & SYNTHETIC_HEURISTIC ? NODE_HEURISTIC : 0;
		uint16_t kernel = pcs[i] >> 63 ? NODE_KERNEL : 0;
		uint16_t exact = flags & SYNTHETIC_RETURN_ADDRESS ? 0 : NODE_EXACT;
		id = synthetic_node(s, pcs[i], id, (uint16_t)((leaf ? exact : caller) | kernel));
	}
	return id;
}

unsigned synthetic_kind(struct synthetic *s, const char *name, const char *title, const char *field_lines)
{
	unsigned kind = 0;
	while (kind < s->kind_count && strcmp(s->kinds[kind].name, name))
		kind++;
	check(kind < KINDS_MAX && !s->kinds[kind].created, name, EEXIST);
	if (kind == s->kind_count)
		s->kind_count++;
	struct synthetic_file *file = &s->kinds[kind];
	snprintf(file->name, sizeof(file->name), "%s", name);
	int size = snprintf(file->description, sizeof(file->description), "events %s %s\n%s", name, title, field_lines);
	check(size < (int)sizeof(file->description), name, E2BIG);
	return kind;
}

static void create_file(struct synthetic *s, struct synthetic_file *file)
{
	char name[64];
	int code = 0;
	snprintf(name, sizeof(name), "%s%s", file->name, EVENT_FILE_SUFFIX);
	bool created = event_file_create(&file->file, &s->directory, name, file->description,
		(uint32_t)strlen(file->description), time_now, &code);
	check(created, name, code);
	file->file.tallies = s->tallies;
	file->created = true;
}

static struct event_stream *stream_of(struct synthetic_file *file, uint32_t thread)
{
	if (thread >= file->stream_count) {
		uint32_t count = 2 * thread + 1;
		file->streams = realloc(file->streams, count * sizeof(*file->streams));
		check(file->streams, "memory", ENOMEM);
		for (; file->stream_count < count; file->stream_count++)
			event_stream_init(&file->streams[file->stream_count], &file->file, file->stream_count);
	}
	return &file->streams[thread];
}

void synthetic_event(
	struct synthetic *s, unsigned kind, uint32_t thread, uint64_t time, uint32_t stack, const uint64_t *fields)
{
	check(kind < s->kind_count, "no such kind", EINVAL);
	struct synthetic_file *file = &s->kinds[kind];
	struct event_head head = {.time = raw_of(s, time), .cpu = s->cpu, .stack = stack};
	advance(s, time);
	if (!file->created)
		create_file(s, file);
	check(event_append(stream_of(file, thread), &head, fields), file->name, ENOSPC);
}

void synthetic_clock(
	struct synthetic *s, uint32_t thread, uint64_t time, uint32_t stack, uint64_t user, uint64_t system)
{
	uint64_t fields[FIELDS_MAX] = {0};
	fields[FIELD_INDEX(CLOCK, user)] = user;
	fields[FIELD_INDEX(CLOCK, system)] = system;
	fields[FIELD_INDEX(CLOCK, mode)] = user ? 1 : 2;
	synthetic_event(s, KIND_CLOCK, thread, time, stack, fields);
}

void synthetic_cpu(struct synthetic *s, uint32_t cpu)
{
	s->cpu = cpu;
}

void synthetic_thread_end(struct synthetic *s, uint32_t thread)
{
	for (unsigned kind = 0; kind < s->kind_count; kind++) {
		struct synthetic_file *file = &s->kinds[kind];
		if (thread >= file->stream_count)
			continue;
		event_stream_release(&file->streams[thread]);
		event_stream_init(&file->streams[thread], &file->file, thread);
	}
}

void synthetic_count(struct synthetic *s, enum tally tally, uint64_t n)
{
	s->tallies[tally] += n;
}

void synthetic_log(struct synthetic *s, const char *kind, uint64_t time, const char *text)
{
	synthetic_log_with(s, kind, time, "", text);
}

void synthetic_log_with(struct synthetic *s, const char *kind, uint64_t time, const char *attributes, const char *text)
{
	char name[64], value[128];
	int length;
	log_begin(&s->line, "event");
	log_text_attribute(&s->line, "kind", kind);
	log_time_attribute(&s->line, "tstamp", time);
	for (; sscanf(attributes, " %63[^=]=%127s%n", name, value, &length) == 2; attributes += length)
		log_text_attribute(&s->line, name, value);
	check_code(log_end(&s->line, text, &s->directory, LOG_FILE), LOG_FILE);
}

void synthetic_time(struct synthetic *s, uint64_t time)
{
	advance(s, time);
}

static void free_all(struct synthetic *s)
{
	for (unsigned kind = 0; kind < s->kind_count; kind++)
		free(s->kinds[kind].streams);
	experiment_directory_close(&s->directory);
	free(s->nodes);
	free(s->table);
	free(s);
}

void synthetic_mpi(struct synthetic *s, const struct mpi_named *functions, unsigned count)
{
	struct mpi_file file;
	char *buffer = malloc(MPI_DESCRIPTION_MAX);
	check(buffer != 0, MPI_FILE, ENOMEM);
	check_code(mpi_file_create(&file, &s->directory, functions, count, buffer), MPI_FILE);
	free(buffer);
}

void synthetic_end(struct synthetic *s)
{
	struct time_triple end = triple_of(s, s->last_time);
	for (unsigned kind = 0; kind < s->kind_count; kind++) {
		struct synthetic_file *file = &s->kinds[kind];
		for (uint32_t thread = 0; thread < file->stream_count; thread++)
			event_stream_release(&file->streams[thread]);
		seal_given_back(&file->file);
	}
	s->tallies[TALLY_own_faults] = s->tallies[TALLY_own_write_bytes] = 0;
	log_begin(&s->line, "event");
	log_text_attribute(&s->line, "kind", "close");
	log_time_attribute(&s->line, "tstamp", s->last_time);
	log_triple_attributes(&s->line, &end);
	check_code(log_end(&s->line, 0, &s->directory, LOG_FILE), LOG_FILE);
	free_all(s);
}

void synthetic_kill(struct synthetic *s)
{
	free_all(s);
}
