/* SPDX-License-Identifier: Apache-2.0 */
/* Which processes are recorded, by the experiments that there are, and when they are sampled: see sampler.h. */
#include "sampler.h"
#include "layout.h"
#include "log.h"
#include "monotonic.h"
#include "process_usage.h"
#include "raw_time.h"
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NANOSECONDS_PER_SECOND 1000000000u

/* A process, as long as it lives and is not another image's. */
struct sampled {
	pid_t pid;
	uint64_t start; /* CLOCK_MONOTONIC at its experiment's start */
	struct process_identity identity;
	char *experiment; /* "" or "_f1.er" */
	struct sampled *next;
};

struct sampler {
	const struct created *created;
	uint64_t due; /* CLOCK_MONOTONIC */
	struct sampled *processes;
	void *known;             /* names of experiments, a tree of tsearch(3) */
	struct timespec changed; /* of the founder's directory when it was last read */
};

static uint64_t period(const struct sampler *sampler)
{
	return sampler->created->settings.sample_interval;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Owns `name`. False: no memory, or the process is gone. */
static bool add_process(struct sampler *sampler, pid_t pid, uint64_t start, char *name)
{
	struct sampled *process = name ? calloc(1, sizeof *process) : 0;
	if (!process || !process_identify(pid, &process->identity)) {
		free(process);
		free(name);
		return false;
	}
	process->pid = pid;
	process->start = start;
	process->experiment = name;
	process->next = sampler->processes;
	sampler->processes = process;
	return true;
}

static void remove_at(struct sampled **at)
{
	struct sampled *process = *at;
	*at = process->next;
	free(process->experiment);
	free(process);
}

struct sampler *sampler_start(const struct created *created, pid_t founder)
{
	struct sampler *sampler = created->settings.sample_interval ? calloc(1, sizeof *sampler) : 0;
	if (!sampler)
		return 0;
	sampler->created = created;
	sampler->due = monotonic_now() + period(sampler);
	add_process(sampler, founder, created->start.monotonic, strdup(""));
	return sampler;
}

bool sampler_wait(const struct sampler *sampler, struct timespec *time)
{
	if (!sampler)
		return false;
	uint64_t now = monotonic_now(), left = sampler->due > now ? sampler->due - now : 0;
	*time = (struct timespec){(time_t)(left / NANOSECONDS_PER_SECOND), (long)(left % NANOSECONDS_PER_SECOND)};
	return true;
}

/* The process that an experiment is of, by the file that it begins with; 0: not known yet. */
static pid_t process_of(int directory)
{
	struct file_header header;
	int fd = openat(directory, STACKS_FILE, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	bool ok = fd >= 0 && read(fd, &header, sizeof header) == (ssize_t)sizeof header && header.magic == FILE_MAGIC;
	if (fd >= 0)
		close(fd);
	return ok ? (pid_t)header.process : 0;
}

/* The times of its log count from this one; 0: not known yet. */
static uint64_t start_of(int directory)
{
	static char text[4 * LOG_LINE_MAX];
	uint64_t start = 0;
	int fd = openat(directory, LOG_FILE, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	if (fd >= 0)
		close(fd);
	text[size > 0 ? size : 0] = '\0';
	const char *line = strstr(text, "<start raw=");
	const char *value = line ? strstr(line, "monotonic=\"") : 0;
	if (value)
		sscanf(value, "monotonic=\"%" SCNu64, &start);
	return start;
}

/* Another image of a process takes its place; its name is the longer one. False: that is there already. */
static bool takes_over(struct sampler *sampler, pid_t pid, const char *name)
{
	for (struct sampled **at = &sampler->processes; *at; at = &(*at)->next) {
		if ((*at)->pid != pid)
			continue;
		if (strlen((*at)->experiment) > strlen(name))
			return false;
		remove_at(at);
		return true;
	}
	return true;
}

/* An experiment that appeared. False: look again, it is being made. */
static bool meet(struct sampler *sampler, int founder, const char *name)
{
	int directory = openat(founder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (directory < 0)
		return true;
	pid_t pid = process_of(directory);
	uint64_t start = start_of(directory);
	close(directory);
	if (pid <= 0 || start == 0)
		return false;
	if (takes_over(sampler, pid, name))
		add_process(sampler, pid, start, strdup(name));
	return true;
}

static bool is_descendant(const char *name)
{
	size_t length = strlen(name);
	return name[0] == '_' && length > 3 && strcmp(name + length - 3, ".er") == 0;
}

static void look_at(struct sampler *sampler, int founder, const char *name)
{
	if (!is_descendant(name) || tfind(name, &sampler->known, compare_names))
		return;
	if (!meet(sampler, founder, name)) {
		sampler->changed = (struct timespec){0, 0};
		return;
	}
	char *copy = strdup(name);
	if (!copy || !tsearch(copy, &sampler->known, compare_names))
		free(copy);
}

/* New experiments change the founder's directory. */
static void look_for_processes(struct sampler *sampler)
{
	struct stat status;
	int founder = open(sampler->created->settings.founder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (founder < 0)
		return;
	bool same =
		fstat(founder, &status) == 0 && memcmp(&status.st_mtim, &sampler->changed, sizeof status.st_mtim) == 0;
	DIR *directory = same ? 0 : fdopendir(founder);
	if (!directory) {
		close(founder);
		return;
	}
	sampler->changed = status.st_mtim;
	for (struct dirent *entry; (entry = readdir(directory));)
		look_at(sampler, founder, entry->d_name);
	closedir(directory);
}

enum { TAIL = 2048 };

/* Whether recording has ended while the process goes on: the log's last line says so. */
static bool has_ended(struct experiment_directory *directory)
{
	static char text[TAIL + 1];
	static const char end[] = "<event kind=\"exit\"";
	struct stat status;
	int fd = experiment_directory_open_file(directory, LOG_FILE, O_RDONLY);
	off_t from = fd >= 0 && fstat(fd, &status) == 0 && status.st_size > TAIL ? status.st_size - TAIL : 0;
	ssize_t size = fd < 0 ? -1 : pread(fd, text, TAIL, from);
	if (fd >= 0)
		close(fd);
	if (size <= 0)
		return false;
	text[size - 1] = '\0'; /* its newline */
	const char *line = strrchr(text, '\n');
	return line && strncmp(line + 1, end, sizeof end - 1) == 0;
}

static void write_line(struct sampler *sampler, const struct sampled *process, const struct sample_values *usage,
	struct experiment_directory *directory)
{
	static struct log_line line;
	struct time_triple now;
	raw_time_triple((enum time_source)sampler->created->settings.time_source, &now);
	log_begin(&line, "event");
	log_text_attribute(&line, "kind", "sample");
	log_time_attribute(&line, "tstamp", now.monotonic > process->start ? now.monotonic - process->start : 0);
	log_triple_attributes(&line, &now);
	log_text_attribute(&line, "label", "periodic");
	for (unsigned f = 0; f < SAMPLE_FIELD_COUNT; f++)
		if (usage->known[f])
			log_number_attribute(&line, sample_field_row((enum sample_field)f)->name, usage->value[f]);
	log_end(&line, 0, directory, LOG_FILE);
}

/* The part of the use that is the collector's own work: two of the process's tallies. */
static void read_own_use(struct experiment_directory *directory, struct sample_values *usage)
{
	static const struct {
		enum tally tally;
		enum sample_field field;
	} own[] = {
		{TALLY_own_faults, SAMPLE_own_faults},
		{TALLY_own_write_bytes, SAMPLE_own_write_bytes},
	};
	struct file_header header;
	uint64_t value;
	int fd = experiment_directory_open_file(directory, TALLIES_FILE, O_RDONLY);
	bool ok =
		fd >= 0 && pread(fd, &header, sizeof header, 0) == (ssize_t)sizeof header && header.magic == FILE_MAGIC;
	for (unsigned i = 0; ok && i < sizeof own / sizeof *own; i++) {
		off_t at = (off_t)(header.header_size + own[i].tally * sizeof value);
		if (pread(fd, &value, sizeof value, at) == (ssize_t)sizeof value)
			sample_set(usage, own[i].field, value);
	}
	if (fd >= 0)
		close(fd);
}

static void write_sample(struct sampler *sampler, const struct sampled *process, struct sample_values *usage)
{
	struct experiment_directory directory;
	char path[PATH_MAX + NAME_MAX];
	int code;
	snprintf(path, sizeof path, "%s%s%s", sampler->created->settings.founder, process->experiment[0] ? "/" : "",
		process->experiment);
	if (!experiment_directory_open(&directory, path, &code))
		return;
	if (!has_ended(&directory)) {
		read_own_use(&directory, usage);
		write_line(sampler, process, usage, &directory);
	}
	experiment_directory_close(&directory);
}

void sampler_take(struct sampler *sampler)
{
	uint64_t now = monotonic_now();
	if (!sampler || now < sampler->due)
		return;
	look_for_processes(sampler);
	for (struct sampled **at = &sampler->processes; *at;) {
		struct sample_values usage;
		if (process_usage_read((*at)->pid, &(*at)->identity, &usage)) {
			write_sample(sampler, *at, &usage);
			at = &(*at)->next;
		} else {
			remove_at(at);
		}
	}
	now = monotonic_now();
	sampler->due += (1 + (now - sampler->due) / period(sampler)) * period(sampler);
}

void sampler_end(struct sampler *sampler)
{
	if (!sampler)
		return;
	while (sampler->processes)
		remove_at(&sampler->processes);
	tdestroy(sampler->known, free);
	free(sampler);
}
