/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a big synthetic experiment with the format's own writer: many clock events over many stacks in one real load object.
 *
 *   many_events EXPERIMENT EVENTS STACKS OBJECT
 *
 * Stacks are 8 to 40 frames deep and share their root ends as real ones do; program counters are spread over the object's
 * code. Prints the sum of the events' CPU time in nanoseconds. */
#include "event_file.h"
#include "event_stream.h"
#include "experiment_directory.h"
#include "kinds.h"
#include "log.h"
#include "seal.h"
#include "settings.h"
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOAD_ADDRESS 0x7f0000000000ull
#define THREADS      8
#define DEPTH_MIN    8
#define DEPTH_SPREAD 33
#define CALL_SITES   20000
#define NEW_MAX      12 /* frames in which a stack differs from the one before it, at most, where depths allow */

static struct experiment_directory directory;
static struct event_file stacks_file, clock_file;
static struct event_stream streams[THREADS];
static uint64_t code_start, code_size; /* addresses of the object's executable segment */
static uint64_t random_state = 1;

static uint64_t random_below(uint64_t limit)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state % limit;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void time_now(struct time_triple *now)
{
	now->raw = now->monotonic = clock_ns(CLOCK_MONOTONIC);
	now->realtime = clock_ns(CLOCK_REALTIME);
}

static void write_settings(struct settings *settings, const char *path)
{
	static char text[SETTINGS_TEXT_MAX];
	settings_default(settings);
	snprintf(settings->founder, sizeof(settings->founder), "%s", path);
	size_t size = settings_encode(settings, text, sizeof(text));
	int fd = experiment_directory_open_file(&directory, SETTINGS_FILE, O_WRONLY | O_CREAT);
	if (!size || fd < 0 || write(fd, text, size) != (ssize_t)size)
		fail("settings");
	close(fd);
}

/* One line of map.xml for the object's executable segment. */
static void write_map(const char *object)
{
	static struct log_line line;
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	struct stat status;
	char path[4096], identity[64];
	int fd = open(object, O_RDONLY);
	if (fd < 0 || !realpath(object, path) || fstat(fd, &status) ||
		read(fd, &header, sizeof(header)) != sizeof(header))
		fail(object);
	for (unsigned i = 0; i < header.e_phnum; i++) {
		if (pread(fd, &segment, sizeof(segment), (off_t)(header.e_phoff + i * sizeof(segment))) !=
			sizeof(segment))
			fail(object);
		if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X))
			continue;
		code_start = LOAD_ADDRESS + segment.p_vaddr;
		code_size = segment.p_memsz;
		snprintf(
			identity, sizeof(identity), "%lld:%lld", (long long)status.st_size, (long long)status.st_mtime);
		struct map_segment map = {
			.address = code_start,
			.size = code_size,
			.file_offset = segment.p_offset,
			.file_address = segment.p_vaddr,
			.path = path,
			.checksum = identity,
		};
		if (log_write_map(&line, &directory, &map))
			fail("map.xml");
	}
	close(fd);
}

/* Appends a node to the tree of calling contexts. Returns its id. */
static uint32_t add_node(uint64_t pc, uint32_t parent, uint16_t flags)
{
	static struct stack_node *next;
	static uint32_t left, count, block;
	if (!left) {
		struct block_header *header = event_file_take_stack_block(&stacks_file, &block);
		if (!header)
			fail("stacks");
		next = (struct stack_node *)((char *)header + BLOCK_HEADER_SIZE);
		left = STACK_NODES_PER_BLOCK;
	}
	*next = (struct stack_node){pc, parent, flags, stack_node_check(pc, parent, flags)};
	next++;
	left--;
	return ++count;
}

static uint32_t *make_stacks(uint32_t count)
{
	static uint64_t call_sites[CALL_SITES];
	uint32_t path[DEPTH_MIN + DEPTH_SPREAD + 1];
	unsigned depth = 0;
	uint32_t *leaves = calloc(count, sizeof(*leaves));
	if (!leaves)
		fail("stacks");
	for (unsigned i = 0; i < CALL_SITES; i++)
		call_sites[i] = code_start + random_below(code_size);
	path[0] = add_node(1 + ROOT_START, 0, NODE_ROOT);
	for (uint32_t i = 0; i < count; i++) {
		unsigned wanted = DEPTH_MIN + (unsigned)random_below(DEPTH_SPREAD);
		unsigned limit = depth < wanted ? depth : wanted - 1;
		unsigned shared = limit - (unsigned)random_below((limit < NEW_MAX ? limit : NEW_MAX) + 1);
		for (depth = shared + 1; depth < wanted; depth++)
			path[depth] = add_node(call_sites[random_below(CALL_SITES)], path[depth - 1], 0);
		leaves[i] = add_node(code_start + random_below(code_size), path[depth - 1], NODE_EXACT);
		depth--;
	}
	return leaves;
}

static uint64_t write_events(uint64_t count, const uint32_t *leaves, uint32_t stack_count, uint64_t start)
{
	uint64_t sum = 0;
	for (uint64_t i = 0; i < count; i++) {
		uint64_t fields[FIELDS_MAX] = {0};
		struct event_head head = {
			.time = start + i * 1000,
			.cpu = (uint32_t)(i / 64 % 4),
			.stack = leaves[random_below(stack_count)],
		};
		fields[FIELD_INDEX(CLOCK, user)] = 900000 + random_below(200000);
		fields[FIELD_INDEX(CLOCK, system)] = i % 16 ? 0 : 100000;
		fields[FIELD_INDEX(CLOCK, mode)] = 1;
		sum += fields[FIELD_INDEX(CLOCK, user)] + fields[FIELD_INDEX(CLOCK, system)];
		if (!event_append(&streams[i / 256 % THREADS], &head, fields))
			fail("clock.events");
	}
	return sum;
}

int main(int argc, char **argv)
{
	static char description[65536];
	struct settings settings;
	struct time_triple start;
	char path[4096];
	int code = 0;
	if (argc != 5) {
		fprintf(stderr, "usage: many_events EXPERIMENT EVENTS STACKS OBJECT\n");
		return 2;
	}
	if (mkdir(argv[1], 0755) || !realpath(argv[1], path) || !experiment_directory_open(&directory, path, &code))
		fail(argv[1]);
	time_now(&start);
	write_settings(&settings, path);
	if (log_create(&directory) || log_write_system(&directory, &settings, &start) || log_write_process(&directory))
		fail("log.xml");
	write_map(argv[4]);
	if (!tallies_create(&directory, true, &code) ||
		!event_file_create(&stacks_file, &directory, STACKS_FILE, description,
			(uint32_t)stacks_describe(description, sizeof(description)), time_now, &code) ||
		!event_file_create(&clock_file, &directory, "clock.events", description,
			(uint32_t)kind_describe(KIND_CLOCK, description, sizeof(description)), time_now, &code))
		fail(path);
	uint32_t stack_count = (uint32_t)strtoul(argv[3], 0, 10);
	uint32_t *leaves = make_stacks(stack_count);
	for (unsigned i = 0; i < THREADS; i++)
		event_stream_init(&streams[i], &clock_file, i + 1);
	uint64_t sum = write_events(strtoull(argv[2], 0, 10), leaves, stack_count, start.raw);
	for (unsigned i = 0; i < THREADS; i++)
		event_stream_release(&streams[i]);
	seal_given_back(&clock_file);
	free(leaves);
	printf("%" PRIu64 "\n", sum);
	return 0;
}
