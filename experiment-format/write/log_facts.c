/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of log.xml and map.xml whose content is the same for every collector: host, settings, kinds,
 * process, maps. */
#include "kinds.h"
#include "log.h"
#include "system_calls.h"
#include "text.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

/* Static, because it is large and the stacks of targets may be small; one thread writes it, when a process begins. */
static struct log_line line;
static char proc_text[8192];

/* Reads the start of a file into proc_text, ended by 0, without its last newline. Returns its size; "" if
 * there is none. */
static size_t read_file(const char *path)
{
	size_t size = 0;
	int fd = sys_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	while (fd >= 0 && size < sizeof(proc_text) - 1) {
		long n = sys_read(fd, proc_text + size, sizeof(proc_text) - 1 - size);
		if (n == -EINTR)
			continue;
		if (n <= 0)
			break;
		size += (size_t)n;
	}
	if (fd >= 0)
		sys_close(fd);
	if (size && proc_text[size - 1] == '\n')
		size--;
	proc_text[size] = 0;
	return size;
}

static const char *read_link(const char *path)
{
	long size = system_call(SYS_readlinkat, AT_FDCWD, path, proc_text, sizeof(proc_text) - 1);
	proc_text[size < 0 ? 0 : size] = 0;
	return proc_text;
}

const char *process_executable(void)
{
	static char path[4096];
	if (!path[0] && system_call(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path, sizeof path - 1) < 0)
		path[0] = 0;
	return path;
}

static uint64_t read_number(const char **text)
{
	uint64_t number = 0;
	for (; **text >= '0' && **text <= '9'; ++*text)
		number = number * 10 + (uint64_t)(**text - '0');
	return number;
}

/* "0-3,8" is five. */
static uint64_t online_cpus(void)
{
	read_file("/sys/devices/system/cpu/online");
	uint64_t count = 0;
	for (const char *text = proc_text; *text >= '0' && *text <= '9';) {
		uint64_t first = read_number(&text), last = first;
		if (*text == '-') {
			text++;
			last = read_number(&text);
		}
		count += last >= first ? last - first + 1 : 0;
		text += *text == ',';
	}
	return count;
}

/* Nominal clock speed, 0 if not known. */
static uint64_t clock_mhz(void)
{
	static const char key[] = "\ncpu MHz";
	if (read_file("/sys/devices/system/cpu/cpu0/cpufreq/base_frequency")) {
		const char *kilohertz = proc_text;
		return read_number(&kilohertz) / 1000;
	}
	size_t size = read_file("/proc/cpuinfo");
	for (size_t i = 0; i + sizeof(key) < size; i++) {
		size_t k = 0;
		while (key[k] && proc_text[i + k] == key[k])
			k++;
		if (key[k])
			continue;
		const char *value = proc_text + i + k;
		while (*value == '\t' || *value == ' ' || *value == ':')
			value++;
		return read_number(&value);
	}
	return 0;
}

static int write_host(struct experiment_directory *directory)
{
	struct utsname name;
	struct sysinfo memory;
	uint64_t page_size = getauxval(AT_PAGESZ);
	log_begin(&line, "system");
	if (system_call(SYS_uname, &name) == 0) {
		log_text_attribute(&line, "hostname", name.nodename);
		log_text_attribute(&line, "os", name.sysname);
		log_text_attribute(&line, "release", name.release);
		log_text_attribute(&line, "arch", name.machine);
	}
	log_number_attribute(&line, "pagesz", page_size);
	if (page_size && system_call(SYS_sysinfo, &memory) == 0)
		log_number_attribute(&line, "npages", memory.totalram * memory.mem_unit / page_size);
	log_number_attribute(&line, "cpus", online_cpus());
	log_number_attribute(&line, "clk", clock_mhz());
	read_file("/proc/sys/kernel/random/boot_id");
	log_text_attribute(&line, "boot", proc_text);
	log_text_attribute(&line, "timens", read_link("/proc/self/ns/time"));
	return log_end(&line, 0, directory, LOG_FILE);
}

struct setting_lines {
	struct experiment_directory *directory;
	int code;
};

static void write_setting(void *context, const char *name, uint64_t number, const char *text)
{
	struct setting_lines *lines = context;
	log_begin(&line, "setting");
	log_text_attribute(&line, "name", name);
	if (text)
		log_text_attribute(&line, "value", text);
	else
		log_number_attribute(&line, "value", number);
	int code = log_end(&line, 0, lines->directory, LOG_FILE);
	lines->code = lines->code ? lines->code : code;
}

static void describe_field(const struct field_row *field)
{
	log_child(&line, "field");
	log_text_attribute(&line, "name", field->name);
	log_text_attribute(&line, "unit", field_unit_name(field->unit));
	log_text_attribute(&line, "uname", field->title);
}

static void describe_state(const struct state_row *state)
{
	log_child(&line, "state");
	log_text_attribute(&line, "field", state->field);
	log_number_attribute(&line, "value", state->value);
	log_text_attribute(&line, "name", state->name);
	log_text_attribute(&line, "uname", state->title);
}

static int write_kind(struct experiment_directory *directory, enum kind kind)
{
	char file[64];
	struct text name = {.bytes = file, .capacity = sizeof(file) - 1};
	const struct kind_row *row = kind_row(kind);
	unsigned count;
	const struct state_row *states = state_rows(&count);
	text_string(&name, row->name);
	text_string(&name, EVENT_FILE_SUFFIX);
	file[name.size] = 0;
	log_begin(&line, "profile");
	log_text_attribute(&line, "name", row->name);
	log_text_attribute(&line, "uname", row->title);
	log_text_attribute(&line, "fname", file);
	for (unsigned i = 0; i < row->field_count; i++)
		describe_field(&row->fields[i]);
	for (unsigned i = 0; i < count; i++)
		if (states[i].kind == kind)
			describe_state(&states[i]);
	return log_end(&line, 0, directory, LOG_FILE);
}

/* The tallies of a file without a description. */
static int write_counters(struct experiment_directory *directory)
{
	log_begin(&line, "counters");
	for (unsigned i = 0; i < TALLY_COUNT; i++) {
		const struct tally_row *row = tally_row((enum tally)i);
		log_child(&line, "counter");
		log_text_attribute(&line, "name", row->name);
		log_text_attribute(&line, "class", tally_class_name(row->class));
		log_text_attribute(&line, "uname", row->text);
	}
	return log_end(&line, 0, directory, LOG_FILE);
}

int log_write_system(
	struct experiment_directory *directory, const struct settings *settings, const struct time_triple *start)
{
	struct setting_lines lines = {.directory = directory};
	int code = write_host(directory);
	settings_visit(settings, write_setting, &lines);
	code = code ? code : lines.code;
	for (unsigned kind = 0; kind < KIND_COUNT && !code; kind++)
		code = write_kind(directory, kind);
	code = code ? code : write_counters(directory);
	int started = log_write_start(directory, start);
	return code ? code : started;
}

int log_write_start(struct experiment_directory *directory, const struct time_triple *start)
{
	log_begin(&line, "start");
	log_triple_attributes(&line, start);
	return log_end(&line, 0, directory, LOG_FILE);
}

/* The arguments with spaces between them. */
static const char *command_line(void)
{
	size_t size = read_file("/proc/self/cmdline");
	if (size && !proc_text[size - 1])
		size--;
	for (size_t i = 0; i < size; i++)
		if (!proc_text[i])
			proc_text[i] = ' ';
	return proc_text;
}

/* The process's number in the namespace around its own: the last but one of /proc/self/status's NSpid. 0: not known there. */
static uint64_t outer_pid(void)
{
	static const char name[] = "\nNSpid:";
	uint64_t outer = 0, inner = 0;
	const char *found = read_file("/proc/self/status") ? strstr(proc_text, name) : 0;
	for (const char *at = found ? found + sizeof name - 1 : ""; *at == '\t';) {
		at++;
		outer = inner;
		inner = read_number(&at);
	}
	return outer;
}

int log_write_process(struct experiment_directory *directory)
{
	uint64_t parent = (uint64_t)system_call(SYS_getppid), outer = parent ? 0 : outer_pid();
	log_begin(&line, "process");
	log_number_attribute(&line, "pid", (uint64_t)system_call(SYS_getpid));
	if (outer)
		log_number_attribute(&line, "outer_pid", outer);
	log_number_attribute(&line, "ppid", parent);
	log_number_attribute(&line, "pgrp", (uint64_t)system_call(SYS_getpgid, 0));
	log_number_attribute(&line, "sid", (uint64_t)system_call(SYS_getsid, 0));
	log_number_attribute(&line, "wsize", sizeof(void *) * 8);
	if (system_call(SYS_getcwd, proc_text, sizeof(proc_text)) > 0)
		log_text_attribute(&line, "cwd", proc_text);
	log_text_attribute(&line, "executable", process_executable());
	return log_end(&line, command_line(), directory, LOG_FILE);
}

int log_write_map(struct log_line *map, struct experiment_directory *directory, const struct map_segment *segment)
{
	log_begin(map, "event");
	log_text_attribute(map, "kind", "map");
	log_time_attribute(map, "tstamp", segment->time);
	log_hex_attribute(map, "vaddr", segment->address);
	log_hex_attribute(map, "size", segment->size);
	log_hex_attribute(map, "foffset", segment->file_offset);
	log_hex_attribute(map, "faddr", segment->file_address);
	log_number_attribute(map, "generation", segment->generation);
	if (segment->build_id)
		log_text_attribute(map, "buildid", segment->build_id);
	if (segment->checksum)
		log_text_attribute(map, "chksum", segment->checksum);
	log_text_attribute(map, "name", segment->path);
	return log_end(map, 0, directory, MAP_XML_FILE);
}

int log_write_unmap(struct log_line *map, struct experiment_directory *directory, uint64_t address, uint32_t generation,
	uint64_t time)
{
	log_begin(map, "event");
	log_text_attribute(map, "kind", "unmap");
	log_time_attribute(map, "tstamp", time);
	log_hex_attribute(map, "vaddr", address);
	log_number_attribute(map, "generation", generation);
	return log_end(map, 0, directory, MAP_XML_FILE);
}
