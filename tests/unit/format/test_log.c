/* SPDX-License-Identifier: Apache-2.0 */
/* log.xml and map.xml: what is written is read back, is XML in the eyes of expat, and bad lines cost only themselves. */
#include "log.h"
#include "scratch.h"
#include <expat.h>

static struct experiment_directory directory;
static struct log_line line;

static void create_log(void)
{
	char absolute[8192];
	int code = 0;
	mkdir("a.er", 0755);
	snprintf(absolute, sizeof(absolute), "%s/a.er", scratch_path);
	ck_assert_msg(experiment_directory_open(&directory, absolute, &code), "%s", strerror(code));
	ck_assert_int_eq(log_create(&directory), 0);
}

static void add(const char *file, const char *text)
{
	char path[64];
	snprintf(path, sizeof(path), "a.er/%s", file);
	FILE *stream = fopen(path, "a");
	ck_assert_ptr_nonnull(stream);
	fputs(text, stream);
	fclose(stream);
}

/* Strictly, with nothing mended: the file and its closing tag. */
static void check_well_formed(const char *file)
{
	char path[64];
	size_t size;
	snprintf(path, sizeof(path), "a.er/%s", file);
	char *text = (char *)read_bytes(path, &size);
	text = realloc(text, size + 32);
	strcpy(text + size, "</experiment>\n");
	XML_Parser parser = XML_ParserCreate(0);
	ck_assert_msg(XML_Parse(parser, text, (int)strlen(text), 1) == XML_STATUS_OK, "%s",
		XML_ErrorString(XML_GetErrorCode(parser)));
	XML_ParserFree(parser);
	free(text);
}

START_TEST(any_text_comes_back)
{
	char every[256], noise[600];
	for (unsigned i = 1; i < 256; i++)
		every[i - 1] = (char)i;
	every[255] = 0;
	uint64_t state = 5;
	for (unsigned i = 0; i < sizeof(noise) - 1; i++)
		noise[i] = (char)(random_next(&state) % 255 + 1);
	noise[sizeof(noise) - 1] = 0;
	const char *texts[] = {"", "plain", "<a href=\"x\">&amp;</a>", "back\\slash \\x41 \\", "tab\there\nline\r",
		every, noise, "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
		"\xed\xa0\x80 \xef\xbf\xbe \xc0\x80 \xf5\x80\x80\x80", "cut \xe2\x82", "]]>", "  spaces  ", "%s%n"};
	create_log();
	unsigned count = sizeof(texts) / sizeof(texts[0]);
	for (unsigned i = 0; i < count; i++) {
		log_begin(&line, "event");
		log_text_attribute(&line, "kind", "comment");
		log_text_attribute(&line, "text", texts[i]);
		ck_assert_int_eq(log_end(&line, texts[i], &directory, LOG_FILE), 0);
	}
	check_well_formed(LOG_FILE);
	struct experiment *experiment = open_experiment("a.er");
	ck_assert_uint_eq(experiment->event_count, count);
	for (unsigned i = 0; i < count; i++) {
		ck_assert_str_eq(log_event_attribute(&experiment->events[i], "text"), texts[i]);
		ck_assert_str_eq(experiment->events[i].text, texts[i]);
	}
	ck_assert_uint_eq(damage_total(experiment), 0);
	experiment_close(experiment);
}
END_TEST

START_TEST(what_is_too_long_is_cut_and_stays_well_formed)
{
	static char text[3 * LOG_LINE_MAX];
	static const char *const fills[] = {"x", "<", "\x01", "\xe2\x82\xac"};
	create_log();
	for (unsigned fill = 0; fill < 4; fill++) {
		size_t step = strlen(fills[fill]);
		for (size_t i = 0; i + step < sizeof(text); i += step)
			memcpy(text + i, fills[fill], step + 1);
		log_begin(&line, "event");
		log_text_attribute(&line, "kind", "cut");
		log_text_attribute(&line, "first", text);
		for (unsigned i = 0; i < 40; i++)
			log_text_attribute(&line, "second", text);
		ck_assert(line.cut);
		ck_assert_int_eq(log_end(&line, text, &directory, LOG_FILE), 0);
		ck_assert_uint_le(line.size, LOG_LINE_MAX);
		check_well_formed(LOG_FILE);
	}
	struct experiment *experiment = open_experiment("a.er");
	ck_assert_uint_eq(experiment->event_count, 4);
	ck_assert_uint_eq(damage_total(experiment), 0);
	const char *first = log_event_attribute(&experiment->events[0], "first");
	ck_assert_uint_gt(strlen(first), LOG_LINE_MAX / 2);
	ck_assert_uint_eq(strspn(first, "x"), strlen(first));
	experiment_close(experiment);
}
END_TEST

START_TEST(host_process_and_settings_are_those_of_this_machine)
{
	struct settings settings;
	struct time_triple start = {11, 22, 33};
	settings_default(&settings);
	settings.clock_interval = 997000;
	settings.time_source = 1;
	create_log();
	ck_assert_int_eq(log_write_system(&directory, &settings, &start), 0);
	ck_assert_int_eq(log_write_process(&directory), 0);
	check_well_formed(LOG_FILE);
	struct experiment *experiment = open_experiment("a.er");
	char host[256], cwd[4096];
	gethostname(host, sizeof(host));
	ck_assert_str_eq(experiment->system->host, host);
	ck_assert_str_eq(experiment->system->os, "Linux");
	ck_assert_uint_eq(experiment->system->page_size, (uint64_t)sysconf(_SC_PAGESIZE));
	ck_assert_uint_eq(experiment->system->pages, (uint64_t)sysconf(_SC_PHYS_PAGES));
	ck_assert_uint_eq(experiment->system->cpus, (uint64_t)sysconf(_SC_NPROCESSORS_ONLN));
	ck_assert_uint_eq(strlen(experiment->system->boot_id), 36);
	ck_assert_uint_eq(experiment->process.pid, (uint64_t)getpid());
	ck_assert_uint_eq(experiment->process.ppid, (uint64_t)getppid());
	ck_assert_uint_eq(experiment->process.pgrp, (uint64_t)getpgrp());
	ck_assert_uint_eq(experiment->process.sid, (uint64_t)getsid(0));
	ck_assert_uint_eq(experiment->process.word_size, 64);
	ck_assert_str_eq(experiment->process.cwd, getcwd(cwd, sizeof(cwd)));
	ck_assert_ptr_nonnull(strstr(experiment->process.command, "test_log"));
	ck_assert_uint_eq(experiment->settings->clock_interval, 997000);
	ck_assert_uint_eq(experiment->settings->time_source, 1);
	ck_assert_uint_eq(experiment->settings->stack_limit, settings.stack_limit);
	ck_assert_mem_eq(&experiment->start, &start, sizeof(start));
	ck_assert_uint_eq(damage_total(experiment), 0);
	experiment_close(experiment);
}
END_TEST

START_TEST(bad_lines_cost_only_themselves)
{
	static const char *const bad[] = {"<event kind=\"x\"\n", "</experiment><x>\n", "text & more\n",
		"<a><b></a></b>\n", "\x01\x02\n", "<event kind='\xff'/>\n",
		"<!DOCTYPE lolz [<!ENTITY a \"lol\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>\n",
		"<event kind=\"x\">&b;</event>\n", "<!DOCTYPE a SYSTEM \"file:///etc/passwd\">\n",
		"<event kind=\"x\">&undefined;</event>\n", "</lines>\n", "<event kind=\"1\" kind=\"2\"/>\n"};
	unsigned count = sizeof(bad) / sizeof(bad[0]);
	create_log();
	for (unsigned i = 0; i < count; i++) {
		add(LOG_FILE, bad[i]);
		add(LOG_FILE, "<event kind=\"good\" tstamp=\"1.000000002\">text</event>\n");
	}
	struct experiment *experiment = open_experiment("a.er");
	ck_assert_uint_eq(experiment->damage.log_lines_bad, count);
	ck_assert_uint_eq(experiment->event_count, count);
	for (unsigned i = 0; i < count; i++) {
		ck_assert_str_eq(experiment->events[i].kind, "good");
		ck_assert_str_eq(experiment->events[i].text, "text");
		ck_assert_uint_eq(experiment->events[i].time, 1000000002);
	}
	experiment_close(experiment);
}
END_TEST

/* With the declaration where a whole-file parser would take it: expanded, it would be 10^9 times "lol". */
START_TEST(entities_are_never_expanded_and_nothing_is_fetched)
{
	char text[4096] = "<?xml version=\"1.0\"?>\n<!DOCTYPE experiment [<!ENTITY l0 \"lol\">";
	for (unsigned i = 1; i < 10; i++) {
		size_t size = strlen(text);
		size += (size_t)snprintf(text + size, sizeof(text) - size, "<!ENTITY l%u \"", i);
		for (unsigned k = 0; k < 10; k++)
			size += (size_t)snprintf(text + size, sizeof(text) - size, "&l%u;", i - 1);
		snprintf(text + size, sizeof(text) - size, "\">");
	}
	strcat(text,
		"<!ENTITY x SYSTEM \"file:///etc/hostname\">]>\n<experiment version=\"1.0\">\n"
		"<event kind=\"laughs\">&l9;</event>\n<event kind=\"fetch\">&x;</event>\n<event kind=\"good\"/>\n");
	mkdir("a.er", 0755);
	write_bytes("a.er/log.xml", text, strlen(text));
	struct experiment *experiment = open_experiment("a.er");
	ck_assert_uint_eq(experiment->event_count, 1);
	ck_assert_str_eq(experiment->events[0].kind, "good");
	ck_assert_uint_ge(experiment->damage.log_lines_bad, 3);
	experiment_close(experiment);
}
END_TEST

START_TEST(a_line_without_its_end_is_left_out_and_counted)
{
	create_log();
	add(LOG_FILE, "<event kind=\"one\"/>\n<event kind=\"two");
	struct experiment *experiment = open_experiment("a.er");
	ck_assert_uint_eq(experiment->event_count, 1);
	ck_assert_uint_eq(damage_total(experiment), 1);
	ck_assert_str_eq(experiment->damage.first, "log.xml is cut");
	experiment_close(experiment);
	add(LOG_FILE, "\"/>\n</experiment>\n");
	experiment = open_experiment("a.er");
	ck_assert_uint_eq(experiment->event_count, 2);
	ck_assert_str_ne(experiment->damage.first, "log.xml is cut");
	experiment_close(experiment);
}
END_TEST

START_TEST(what_a_later_minor_version_adds_is_ignored)
{
	mkdir("a.er", 0755);
	static const char text[] =
		"<?xml version=\"1.0\"?>\n<experiment version=\"1.7\" later=\"x\">\n"
		"<weather sky=\"blue\"><cloud/></weather>\n"
		"<event kind=\"new\" also=\"x\"/>\n<setting name=\"of_tomorrow\" value=\"many words\"/>\n";
	write_bytes("a.er/log.xml", text, sizeof(text) - 1);
	struct experiment *experiment = open_experiment("a.er");
	ck_assert_uint_eq(experiment->event_count, 1);
	ck_assert_str_eq(log_event_attribute(&experiment->events[0], "also"), "x");
	ck_assert_ptr_null(log_event_attribute(&experiment->events[0], "other"));
	ck_assert_uint_eq(damage_total(experiment), 0);
	experiment_close(experiment);
}
END_TEST

START_TEST(another_major_version_is_refused_with_one_clear_line)
{
	struct error error;
	mkdir("a.er", 0755);
	static const char text[] = "<?xml version=\"1.0\"?>\n<experiment version=\"2.0\">\n<event kind=\"x\"/>\n";
	write_bytes("a.er/log.xml", text, sizeof(text) - 1);
	ck_assert_ptr_null(experiment_open("a.er", &error));
	ck_assert_ptr_nonnull(strstr(error.text, "a.er"));
	ck_assert_ptr_nonnull(strstr(error.text, "2.0"));
	ck_assert_ptr_null(strchr(error.text, '\n'));
	ck_assert_ptr_null(experiment_open("nowhere.er", &error));
	ck_assert_ptr_nonnull(strstr(error.text, "nowhere.er"));
	mkdir("empty.er", 0755);
	ck_assert_ptr_null(experiment_open("empty.er", &error));
	ck_assert_ptr_nonnull(strstr(error.text, "log.xml"));
}
END_TEST

START_TEST(segments_live_from_map_to_unmap)
{
	create_log();
	struct map_segment segment = {0x1000, 0x500, 0x200, 0x7000, 0, 5, "/lib/<a> b.so", "ab12", "10:20"};
	ck_assert_int_eq(log_write_map(&line, &directory, &segment), 0);
	segment.address = 0x9000;
	segment.path = "[vdso]";
	segment.build_id = segment.checksum = 0;
	ck_assert_int_eq(log_write_map(&line, &directory, &segment), 0);
	ck_assert_int_eq(log_write_unmap(&line, &directory, 0x1000, 3, 1500000000), 0);
	ck_assert_int_eq(log_write_unmap(&line, &directory, 0x5555, 3, 1500000000), 0); /* never mapped */
	segment.address = 0x1000;
	segment.generation = 4;
	segment.path = "/lib/b.so";
	ck_assert_int_eq(log_write_map(&line, &directory, &segment), 0);
	segment.generation = 6; /* over it, without an unmap */
	ck_assert_int_eq(log_write_map(&line, &directory, &segment), 0);
	check_well_formed(MAP_XML_FILE);
	struct experiment *experiment = open_experiment("a.er");
	ck_assert_uint_eq(experiment->segment_count, 4);
	const struct mapped_segment *first = &experiment->segments[0];
	ck_assert_str_eq(first->path, "/lib/<a> b.so");
	ck_assert_uint_eq(first->address, 0x1000);
	ck_assert_uint_eq(first->size, 0x500);
	ck_assert_uint_eq(first->file_offset, 0x200);
	ck_assert_uint_eq(first->file_address, 0x7000);
	ck_assert_str_eq(first->build_id, "ab12");
	ck_assert_str_eq(first->checksum, "10:20");
	ck_assert_uint_eq(first->from_time, 5);
	ck_assert_uint_eq(first->to_generation, 3);
	ck_assert_uint_eq(first->to_time, 1500000000);
	ck_assert_str_eq(experiment->segments[1].build_id, "");
	ck_assert_uint_eq(experiment->segments[1].to_generation, UINT32_MAX);
	ck_assert_uint_eq(experiment->segments[2].from_generation, 4);
	ck_assert_uint_eq(experiment->segments[2].to_generation, 6);
	ck_assert_uint_eq(experiment->segments[3].to_generation, UINT32_MAX);
	experiment_close(experiment);
}
END_TEST

/* Closed from outside or by itself; an exec that fails goes on. */
START_TEST(the_log_says_whether_an_experiment_was_closed)
{
	static const struct {
		const char *kind;
		bool closed;
	} steps[] = {{"run", false}, {"exit", true}, {"exec_error", false}, {"cwarn", false}, {"exit", true},
		{"run", false}, {"close", true}, {"comment", true}};
	create_log();
	for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		char text[64];
		snprintf(text, sizeof(text), "<event kind=\"%s\"/>\n", steps[i].kind);
		add(LOG_FILE, text);
		struct experiment *experiment = open_experiment("a.er");
		ck_assert_msg(experiment->closed == steps[i].closed, "after %s", steps[i].kind);
		experiment_close(experiment);
	}
}
END_TEST

/* The table of what is mapped now grows; each segment ends with its own unmap. */
START_TEST(hours_of_mapping_and_unmapping_are_followed)
{
	enum { COUNT = 3000, LIFE = 600, PLACES = 700 };
	create_log();
	for (uint32_t i = 0; i < COUNT; i++) {
		struct map_segment segment = {
			.address = 0x1000 * (1 + i % PLACES), .size = 0x1000, .generation = i, .path = "/a"};
		int code = log_write_map(&line, &directory, &segment);
		if (i >= LIFE && !code)
			code = log_write_unmap(&line, &directory, 0x1000 * (1 + (i - LIFE) % PLACES), i + 1, i);
		ck_assert_int_eq(code, 0);
	}
	struct experiment *experiment = open_experiment("a.er");
	ck_assert_uint_eq(experiment->segment_count, COUNT);
	for (uint32_t i = 0; i < COUNT; i++) {
		uint32_t expected = i < COUNT - LIFE ? i + LIFE + 1 : UINT32_MAX;
		ck_assert_uint_eq(experiment->segments[i].from_generation, i);
		ck_assert_uint_eq(experiment->segments[i].to_generation, expected);
	}
	experiment_close(experiment);
}
END_TEST

int main(void)
{
	const TTest *tests[] = {any_text_comes_back, what_is_too_long_is_cut_and_stays_well_formed,
		host_process_and_settings_are_those_of_this_machine, bad_lines_cost_only_themselves,
		entities_are_never_expanded_and_nothing_is_fetched, a_line_without_its_end_is_left_out_and_counted,
		what_a_later_minor_version_adds_is_ignored, another_major_version_is_refused_with_one_clear_line,
		the_log_says_whether_an_experiment_was_closed, segments_live_from_map_to_unmap,
		hours_of_mapping_and_unmapping_are_followed};
	return RUN_TESTS("log", tests);
}
