/* SPDX-License-Identifier: Apache-2.0 */
/* Damaged experiments: the reader never crashes, counts what is damaged, and still reads what is not. Made to be run with
   sanitizers as well. */
#include "event_stream.h"
#include "scratch.h"
#include "synthetic.h"

enum { SEALED_EVENTS = 100, OPEN_EVENTS = 50, EVENTS = SEALED_EVENTS + OPEN_EVENTS, IN_BLOCK = 50 };

static const uint64_t whole_sum = (uint64_t)EVENTS * (EVENTS + 1) / 2;

/* Three blocks of one thread each, none sealed; a few stacks. Event i has user time i, from 1. */
static void write_experiment(const char *path)
{
	struct synthetic *s = synthetic_begin(path);
	synthetic_map_object(s, 0x1000, 0x1000, 0, 0x1000, "/bin/a");
	uint32_t stack = synthetic_stack(s, (uint64_t[]){0x1100, 0x1200, 0x1300}, 3, 0);
	for (unsigned i = 1; i <= EVENTS; i++)
		synthetic_clock(s, i <= SEALED_EVENTS ? 1 + i % 2 : 3, i * 1000, stack, i, 0);
	synthetic_log(s, "comment", 5000, "a comment");
	synthetic_kill(s);
}

/* Seals a block as its writer would have. */
static void seal(unsigned char *bytes, size_t offset)
{
	struct block_header header;
	memcpy(&header, bytes + offset, sizeof(header));
	header.flags = BLOCK_SEALED;
	header.checksum = block_checksum(bytes + offset + BLOCK_HEADER_SIZE, header.used);
	memcpy(bytes + offset, &header, sizeof(header));
}

static unsigned char *clock_bytes;
static size_t clock_size;

/* With THOROUGH in the environment (make verify) each damage is tried, else every 11th: 11 and 8 have no common factor, so
   that each bit of a byte has its turn. */
static size_t every(void)
{
	return getenv("THOROUGH") ? 1 : 11;
}

/* The first two of the blocks are sealed. */
static void write_experiment_with_sealed_blocks(const char *path)
{
	char name[64];
	write_experiment(path);
	snprintf(name, sizeof(name), "%s/clock.events", path);
	clock_bytes = read_bytes(name, &clock_size);
	ck_assert_uint_eq(clock_size, 4 * 4096); /* header and three blocks */
	seal(clock_bytes, 4096);
	seal(clock_bytes, 2 * 4096);
	write_bytes(name, clock_bytes, clock_size);
}

struct result {
	bool opened;
	uint64_t events, user, damage, lost_blocks;
	uint32_t stack_depth; /* of the deepest stack that is whole */
};

static uint32_t depth_of(const struct experiment *experiment, uint32_t id)
{
	uint32_t depth = 0;
	const struct stack_node *node = experiment_stack_node(experiment, id);
	for (; node && !(node->flags & NODE_ROOT); node = experiment_stack_node(experiment, node->parent))
		depth++;
	return node ? depth : 0;
}

static void check_rows(const struct event_batch *whole, uint32_t from, const struct event_batch *part)
{
	bool same = from + part->count <= whole->count;
	for (uint32_t i = 0; same && i < part->count; i++) {
		same = part->time[i] == whole->time[from + i] && part->thread[i] == whole->thread[from + i] &&
		       part->cpu[i] == whole->cpu[from + i] && part->stack[i] == whole->stack[from + i];
		for (unsigned f = 0; f < part->source->field_count; f++)
			same &= part->field[f][i] == whole->field[f][from + i];
	}
	if (!same)
		ck_abort_msg("a part has other events than the whole block");
}

/* A block by parts has the same events as the whole, whatever is damaged, and whatever the size of the parts. */
static void check_parts(
	struct experiment *experiment, struct event_source *source, unsigned block, const struct event_batch *whole)
{
	struct event_batch part = {0};
	struct event_cursor cursor = {0};
	uint32_t events = 0, most = 1 + whole->count % 7;
	while (event_source_read_part(experiment, source, block, &cursor, most, &part)) {
		if (part.count > most)
			ck_abort_msg("a part has %u events", part.count);
		check_rows(whole, events, &part);
		events += part.count;
		most = most * 3 % 61;
	}
	if (events != whole->count)
		ck_abort_msg("all parts have %u events, the whole block %u", events, whole->count);
	event_batch_free(&part);
}

static void read_source(struct experiment *experiment, struct event_source *source, struct result *result)
{
	struct event_batch batch = {0};
	for (unsigned block = 0; block < source->block_count; block++) {
		event_source_read(experiment, source, block, &batch);
		check_parts(experiment, source, block, &batch);
		for (uint32_t k = 0; k < batch.count; k++) {
			uint32_t depth = depth_of(experiment, batch.stack[k]);
			result->stack_depth = depth > result->stack_depth ? depth : result->stack_depth;
			result->user += source->field_count ? batch.field[0][k] : 0;
		}
		result->events += batch.count;
	}
	event_batch_free(&batch);
}

static struct result read_all(const char *path)
{
	struct error error;
	struct result result = {0};
	struct experiment *experiment = experiment_open(path, &error);
	if (!experiment)
		return result;
	result.opened = true;
	for (unsigned i = 0; i < experiment->source_count; i++)
		read_source(experiment, &experiment->sources[i], &result);
	result.damage = damage_total(experiment);
	result.lost_blocks = experiment->damage.blocks_bad;
	if ((result.damage > 0) != (experiment->damage.first[0] != 0))
		ck_abort_msg("damage is counted without words, or the other way round");
	experiment_close(experiment);
	return result;
}

START_TEST(without_damage_there_is_none)
{
	write_experiment_with_sealed_blocks("a.er");
	struct result result = read_all("a.er");
	ck_assert_uint_eq(result.events, EVENTS);
	ck_assert_uint_eq(result.user, whole_sum);
	ck_assert_uint_eq(result.stack_depth, 3);
	ck_assert_uint_eq(result.damage, 0);
}
END_TEST

static void flip(const char *path, size_t offset, unsigned char bits)
{
	unsigned char byte;
	int fd = open(path, O_RDWR);
	if (fd < 0 || pread(fd, &byte, 1, (off_t)offset) != 1)
		ck_abort_msg("%s at %zu", path, offset);
	byte ^= bits;
	if (pwrite(fd, &byte, 1, (off_t)offset) != 1)
		ck_abort_msg("%s at %zu", path, offset);
	close(fd);
}

/* The conditions that hold with one bit of the event file flipped. */
static void judge_flip(size_t offset, uint32_t used, const struct result *result)
{
	bool whole = result->events == EVENTS && result->user == whole_sum;
	if (!result->opened || result->events < EVENTS - IN_BLOCK || result->events > EVENTS + used)
		ck_abort_msg("bit at %zu: %lu events", offset, (unsigned long)result->events);
	if (offset < 4096 && !whole)
		ck_abort_msg("bit at %zu of the header: events are lost", offset);
	if (offset < 3 * 4096 && !result->damage && !whole)
		ck_abort_msg("bit at %zu: damage was not noticed", offset);
}

/* Whatever bit of an event file is flipped, the other blocks are read whole; and it is noticed wherever something that a
   checksum covers is lost. */
START_TEST(a_flipped_bit_in_an_event_file_costs_one_block)
{
	write_experiment_with_sealed_blocks("a.er");
	for (size_t offset = 0; offset < clock_size; offset += every()) {
		uint32_t used = ((struct block_header *)(clock_bytes + offset / 4096 * 4096))->used;
		size_t content = offset < 4096 ? ((struct file_header *)clock_bytes)->description_size : used;
		if (offset % 4096 >= 64 + content + 8)
			continue; /* padding */
		unsigned char bits = (unsigned char)(1u << offset % 8);
		flip("a.er/clock.events", offset, bits);
		struct result result = read_all("a.er");
		flip("a.er/clock.events", offset, bits);
		judge_flip(offset, used, &result);
	}
}
END_TEST

/* Any single flipped bit in a node is found. */
START_TEST(a_flipped_bit_in_a_stack_is_found)
{
	write_experiment("a.er");
	for (size_t bit = 0; bit < 4 * sizeof(struct stack_node) * 8; bit++) {
		size_t offset = 4096 + 64 + bit / 8;
		struct error error;
		flip("a.er/stacks", offset, (unsigned char)(1u << bit % 8));
		struct experiment *experiment = experiment_open("a.er", &error);
		if (!experiment || !experiment->damage.nodes_bad)
			ck_abort_msg("bit %zu was not noticed", bit);
		experiment_close(experiment);
		flip("a.er/stacks", offset, (unsigned char)(1u << bit % 8));
	}
	ck_assert_uint_eq(read_all("a.er").damage, 0);
}
END_TEST

/* Nodes that are whole but cannot be: a reader that followed them would not come to an end. */
START_TEST(a_stack_that_cannot_be_is_damage)
{
	static const struct {
		uint32_t parent;
		uint16_t flags;
	} cases[] = {{3, 0}, {4, 0}, {UINT32_MAX, 0}, {0, 0}, {2, NODE_ROOT}};
	write_experiment("a.er");
	size_t size;
	unsigned char *bytes = read_bytes("a.er/stacks", &size);
	struct stack_node *third = (struct stack_node *)(bytes + 4096 + 64) + 2;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		*third = (struct stack_node){
			7, cases[i].parent, cases[i].flags, stack_node_check(7, cases[i].parent, cases[i].flags)};
		write_bytes("a.er/stacks", bytes, size);
		struct experiment *experiment = open_experiment("a.er");
		ck_assert_uint_eq(experiment->damage.nodes_bad, 2); /* it and, for its callee, its absence */
		ck_assert_ptr_null(experiment_stack_node(experiment, 3));
		ck_assert_ptr_nonnull(experiment_stack_node(experiment, 2));
		experiment_close(experiment);
	}
	free(bytes);
}
END_TEST

/* Text may say anything; the events stay. */
START_TEST(a_flipped_bit_in_text_or_counters_is_survived)
{
	static const char *const files[] = {"a.er/log.xml", "a.er/map.xml", "a.er/counters", "a.er/stacks"};
	write_experiment("a.er");
	unsigned refused = 0;
	for (unsigned i = 0; i < 4; i++) {
		size_t size;
		unsigned char *bytes = read_bytes(files[i], &size);
		for (size_t offset = 0; offset < size; offset += every()) {
			if (!bytes[offset] && offset % 509)
				continue;
			unsigned char bits = (unsigned char)(1u << offset % 8);
			flip(files[i], offset, bits);
			struct result result = read_all("a.er");
			flip(files[i], offset, bits);
			refused += !result.opened;
			if (result.opened && (result.events != EVENTS || result.user != whole_sum))
				ck_abort_msg("%s at %zu: events are lost", files[i], offset);
		}
		free(bytes);
	}
	ck_assert_uint_le(refused, 1); /* the digit of the major version */
}
END_TEST

START_TEST(a_file_may_end_anywhere)
{
	static const char *const files[] = {"clock.events", "stacks", "counters", "map.xml", "log.xml"};
	write_experiment_with_sealed_blocks("a.er");
	for (unsigned i = 0; i < 5; i++) {
		char path[64];
		size_t size;
		snprintf(path, sizeof(path), "a.er/%s", files[i]);
		unsigned char *bytes = read_bytes(path, &size);
		uint64_t before = 0;
		for (size_t length = 0; length < size; length += length % 4096 < 1200 ? every() : 397) {
			write_bytes(path, bytes, length);
			struct result result = read_all("a.er");
			if (!result.opened)
				ck_abort_msg("%s cut at %zu is refused", path, length);
			if (i == 0 && (result.events < before || !result.damage))
				ck_abort_msg("cut at %zu: %lu events, damage %lu", length, (unsigned long)result.events,
					(unsigned long)result.damage);
			before = result.events;
		}
		write_bytes(path, bytes, size);
		free(bytes);
	}
	ck_assert_uint_eq(read_all("a.er").damage, 0);
}
END_TEST

START_TEST(a_page_of_zeros_costs_its_block)
{
	static const char zeros[4096];
	write_experiment_with_sealed_blocks("a.er");
	for (size_t page = 0; page < clock_size / 4096; page++) {
		int fd = open("a.er/clock.events", O_RDWR);
		ck_assert_int_eq(pwrite(fd, zeros, 4096, (off_t)(page * 4096)), 4096);
		struct result result = read_all("a.er");
		ck_assert_int_eq(pwrite(fd, clock_bytes + page * 4096, 4096, (off_t)(page * 4096)), 4096);
		close(fd);
		/* The header is made up for by log.xml; a missing block is noticed, the last one as well. */
		ck_assert_uint_eq(result.events, page == 0 ? EVENTS : EVENTS - IN_BLOCK);
		ck_assert_uint_eq(result.lost_blocks, 1);
	}
	int fd = open("a.er/stacks", O_RDWR);
	ck_assert_int_eq(pwrite(fd, zeros, 4096, 0), 4096);
	close(fd);
	struct result result = read_all("a.er");
	ck_assert_uint_eq(result.stack_depth, 3);
	ck_assert_uint_eq(result.damage, 1);
}
END_TEST

/* Pages full of anything, many times. */
/* As a kill leaves a block just before its magic is stored. With a payload it is no such thing. */
START_TEST(a_header_without_its_magic_is_no_damage)
{
	struct block_header header = {.size = 4096, .sequence = 3, .thread = 2, .time = {1000, 1000, 1000}};
	unsigned char page[4096] = {0};
	memcpy(page, &header, sizeof(header));
	for (unsigned payload = 0; payload < 2; payload++) {
		write_experiment("a.er");
		page[BLOCK_HEADER_SIZE] = (unsigned char)payload;
		int fd = open("a.er/clock.events", O_WRONLY | O_APPEND);
		ck_assert_int_eq(write(fd, page, sizeof(page)), sizeof(page));
		close(fd);
		struct experiment *experiment = open_experiment("a.er");
		ck_assert_uint_eq(experiment->damage.bytes_skipped, payload ? 4096 : 0);
		experiment_close(experiment);
		ck_assert_int_eq(system("rm -rf a.er"), 0);
	}
}
END_TEST

START_TEST(random_content_is_survived)
{
	uint64_t state = 7;
	write_experiment_with_sealed_blocks("a.er");
	for (unsigned round = 0; round < 300 / every(); round++) {
		unsigned char page[4096];
		for (unsigned i = 0; i < sizeof(page); i++)
			page[i] = (unsigned char)(random_next(&state) >> (round % 3 ? 32 : 60));
		int fd = open(round % 2 ? "a.er/clock.events" : "a.er/stacks", O_RDWR);
		size_t offset = (random_next(&state) % 4) * 4096 + (round % 5 ? 64 : 0);
		ck_assert_int_gt(pwrite(fd, page, sizeof(page) - 64, (off_t)offset), 0);
		close(fd);
		ck_assert(read_all("a.er").opened);
		write_bytes("a.er/clock.events", clock_bytes, clock_size);
	}
}
END_TEST

static unsigned char malicious_byte(unsigned round, uint64_t noise)
{
	switch (round % 4) {
	case 0:
		return (unsigned char)(noise >> 32);
	case 1:
		return 0xff;
	default: /* mostly records of known types */
		return (unsigned char)(noise % 5 ? noise >> 62 : noise >> 56);
	}
}

/* A payload of random bytes under a right header and checksum, as only malice makes it. */
START_TEST(records_that_make_no_sense_end_their_block)
{
	uint64_t state = 11;
	write_experiment_with_sealed_blocks("a.er");
	unsigned char *bytes = malloc(clock_size);
	for (unsigned round = 0; round < 3000 / every(); round++) {
		memcpy(bytes, clock_bytes, clock_size);
		struct block_header *header = (struct block_header *)(bytes + 4096);
		header->used = (uint32_t)(random_next(&state) % (4096 - 64 + 1));
		for (uint32_t i = 0; i < header->used; i++)
			bytes[4096 + 64 + i] = malicious_byte(round, random_next(&state));
		seal(bytes, 4096);
		write_bytes("a.er/clock.events", bytes, clock_size);
		struct result result = read_all("a.er");
		if (!result.opened || result.events < EVENTS - IN_BLOCK || result.events > EVENTS + 4096)
			ck_abort_msg("round %u: %lu events", round, (unsigned long)result.events);
	}
	free(bytes);
}
END_TEST

/* A file that seems huge takes neither memory nor time. */
START_TEST(holes_are_not_read)
{
	static const char *const files[] = {"clock.events", "stacks", "counters", "map.xml", "log.xml"};
	for (unsigned i = 0; i < 5; i++) {
		char experiment[16], path[64];
		snprintf(experiment, sizeof(experiment), "%u.er", i);
		write_experiment(experiment);
		snprintf(path, sizeof(path), "%s/%s", experiment, files[i]);
		ck_assert_int_eq(truncate(path, (off_t)1 << 40), 0);
		struct result result = read_all(experiment);
		ck_assert_uint_eq(result.events, EVENTS);
		ck_assert_uint_eq(result.stack_depth, 3);
	}
}
END_TEST

START_TEST(what_is_no_file_is_not_read)
{
	write_experiment("a.er");
	ck_assert_int_eq(unlink("a.er/clock.events"), 0);
	ck_assert_int_eq(symlink("/dev/zero", "a.er/clock.events"), 0);
	ck_assert_int_eq(unlink("a.er/stacks"), 0);
	ck_assert_int_eq(mkfifo("a.er/stacks", 0644), 0);
	ck_assert_int_eq(unlink("a.er/map.xml"), 0);
	ck_assert_int_eq(mkdir("a.er/map.xml", 0755), 0);
	ck_assert_int_eq(symlink("log.xml", "a.er/thread.events"), 0);
	struct result result = read_all("a.er");
	ck_assert(result.opened);
	ck_assert_uint_eq(result.events, 0);
	ck_assert_uint_eq(result.lost_blocks, 3); /* two files that are none, three blocks that were counted */
	ck_assert_int_eq(rename("a.er/log.xml", "log.xml"), 0);
	ck_assert_int_eq(symlink("../log.xml", "a.er/log.xml"), 0);
	ck_assert(!read_all("a.er").opened);
}
END_TEST

/* Cut between opening and reading: short reads, and the damage is counted once however often it is read. */
START_TEST(a_file_that_shrinks_while_it_is_read_is_survived)
{
	struct event_batch batch = {0};
	write_experiment("a.er");
	struct experiment *experiment = open_experiment("a.er");
	struct event_source *source = find_source(experiment, "clock");
	ck_assert_int_eq(truncate("a.er/clock.events", 4096 + 100), 0);
	for (unsigned round = 0; round < 3; round++)
		for (unsigned block = 0; block < source->block_count; block++)
			ck_assert(!event_source_read(experiment, source, block, &batch));
	ck_assert_uint_eq(experiment->damage.blocks_bad, 3);
	event_batch_free(&batch);
	experiment_close(experiment);
}
END_TEST

int main(void)
{
	const TTest *tests[] = {without_damage_there_is_none, a_flipped_bit_in_an_event_file_costs_one_block,
		a_flipped_bit_in_a_stack_is_found, a_stack_that_cannot_be_is_damage,
		a_flipped_bit_in_text_or_counters_is_survived, a_file_may_end_anywhere, a_page_of_zeros_costs_its_block,
		a_header_without_its_magic_is_no_damage, random_content_is_survived,
		records_that_make_no_sense_end_their_block, holes_are_not_read, what_is_no_file_is_not_read,
		a_file_that_shrinks_while_it_is_read_is_survived};
	return RUN_TESTS("damage", tests);
}
