/* SPDX-License-Identifier: Apache-2.0 */
/* log.xml: host, settings, process, kinds, start and events of the run. Elements and attributes that are not known here
   are of a later minor version and ignored. */
#include "input.h"
#include "parts.h"
#include "xml_lines.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a founder's log in which its head is looked for: at first, and at most. */
enum { HEAD_FIRST = 1 << 15, HEAD_MAX = 1 << 20 };

/* The state of one visit of the log. */
struct log_visit {
	struct experiment *experiment;
	bool begun;         /* the root was there */
	bool foreign;       /* another major version */
	bool founders_head; /* host, settings and kinds are in the founder's log */
	char version[32];
};

static const char *keep(struct arena *strings, char *text)
{
	const char *kept = text ? arena_string(strings, text, strlen(text)) : "";
	free(text);
	return kept;
}

static const char *text_of(struct arena *strings, const struct xml_element *element, const char *name)
{
	return keep(strings, xml_attribute(element, name));
}

static void visit_root(void *context, const struct xml_element *element)
{
	struct log_visit *visit = context;
	visit->begun = true;
	char *version = xml_attribute(element, "version");
	unsigned major, minor;
	if (!version || sscanf(version, "%u.%u", &major, &minor) != 2) {
		damage_count(visit->experiment, &visit->experiment->damage.log_lines_bad, 1,
			"%s does not say its version", LOG_FILE);
	} else if (major != FORMAT_MAJOR) {
		visit->foreign = true;
		snprintf(visit->version, sizeof(visit->version), "%u.%u", major, minor);
	}
	free(version);
	char *head = xml_attribute(element, "head");
	visit->founders_head = head && !strcmp(head, "founder");
	free(head);
}

static void read_system(struct log_head *head, const struct xml_element *element)
{
	head->system = (struct system_info){
		.host = text_of(&head->strings, element, "hostname"),
		.os = text_of(&head->strings, element, "os"),
		.release = text_of(&head->strings, element, "release"),
		.architecture = text_of(&head->strings, element, "arch"),
		.boot_id = text_of(&head->strings, element, "boot"),
		.time_namespace = text_of(&head->strings, element, "timens"),
		.page_size = xml_number(element, "pagesz"),
		.pages = xml_number(element, "npages"),
		.cpus = xml_number(element, "cpus"),
		.clock_mhz = xml_number(element, "clk"),
	};
}

static void read_process(struct experiment *experiment, const struct xml_element *element)
{
	experiment->process = (struct process_info){
		.pid = xml_number(element, "pid"),
		.ppid = xml_number(element, "ppid"),
		.outer_pid = xml_number(element, "outer_pid"),
		.pgrp = xml_number(element, "pgrp"),
		.sid = xml_number(element, "sid"),
		.word_size = xml_number(element, "wsize"),
		.cwd = text_of(experiment_strings(experiment), element, "cwd"),
		.executable = text_of(experiment_strings(experiment), element, "executable"),
		.command = keep(experiment_strings(experiment), xml_content(element)),
	};
}

static void read_setting(struct experiment *experiment, const struct xml_element *element)
{
	char *name = xml_attribute(element, "name"), *value = xml_attribute(element, "value"), *text = 0;
	unsigned line;
	int size = name && value ? asprintf(&text, "%s=%s", name, value) : -1;
	if (size < 0 || strchr(text, '\n') ||
		!settings_decode(&experiment_head(experiment)->settings, text, (size_t)size, &line))
		damage_count(experiment, &experiment->damage.log_lines_bad, 1, "%s: a setting is damaged", LOG_FILE);
	if (size >= 0)
		free(text);
	free(name);
	free(value);
}

static void copy_attribute(char *to, size_t size, const struct xml_element *element, const char *name)
{
	char *value = xml_attribute(element, name);
	snprintf(to, size, "%s", value ? value : "");
	free(value);
}

static void read_profile(struct log_head *head, const struct xml_element *element)
{
	struct event_source profile = {.field_count = 0};
	copy_attribute(profile.name, sizeof(profile.name), element, "name");
	copy_attribute(profile.title, sizeof(profile.title), element, "uname");
	for (const struct xml_element *child = element->children; child && profile.field_count < FIELDS_MAX;
		child = child->next) {
		if (strcmp(child->name, "field"))
			continue;
		struct event_field *field = &profile.fields[profile.field_count++];
		char unit[32];
		copy_attribute(field->name, sizeof(field->name), child, "name");
		copy_attribute(field->title, sizeof(field->title), child, "uname");
		copy_attribute(unit, sizeof(unit), child, "unit");
		field->unit = field_unit_of(unit);
	}
	head->profiles = memory_room(head->profiles, head->profile_count, sizeof(profile));
	head->profiles[head->profile_count++] = profile;
}

static void read_counters(struct log_head *head, const struct xml_element *element)
{
	for (const struct xml_element *child = element->children; child; child = child->next) {
		char class[32];
		copy_attribute(class, sizeof(class), child, "class");
		head->tallies = memory_room(head->tallies, head->tally_count, sizeof(*head->tallies));
		head->tallies[head->tally_count++] = (struct tally_value){
			.name = text_of(&head->strings, child, "name"),
			.class = tally_class_of(class),
			.text = text_of(&head->strings, child, "uname"),
		};
	}
}

static struct time_triple read_triple(const struct xml_element *element)
{
	return (struct time_triple){
		xml_number(element, "raw"), xml_number(element, "monotonic"), xml_number(element, "realtime")};
}

static void read_attributes(struct experiment *experiment, const struct xml_element *element, struct log_event *event)
{
	event->attributes =
		arena_new(experiment_strings(experiment), element->attribute_count * sizeof(*event->attributes));
	for (unsigned i = 0; i < element->attribute_count; i++) {
		const char *name = element->attributes[i].name;
		event->attributes[event->attribute_count++] = (struct log_attribute){
			.name = arena_string(experiment_strings(experiment), name, strlen(name)),
			.value = text_of(experiment_strings(experiment), element, name),
		};
	}
}

/* Closed from outside, or by its own process; which goes on after an exec that failed. */
static void note_end(struct experiment *experiment, const char *kind)
{
	if (!strcmp(kind, "close") || !strcmp(kind, "exit"))
		experiment->closed = true;
	else if (!strcmp(kind, "run") || !strcmp(kind, "exec_error"))
		experiment->closed = false;
}

static void read_event(struct experiment *experiment, const struct xml_element *element)
{
	struct log_event event = {
		.time = xml_time(element, "tstamp"),
		.text = keep(experiment_strings(experiment), xml_content(element)),
	};
	read_attributes(experiment, element, &event);
	const char *kind = log_event_attribute(&event, "kind");
	event.kind = kind ? kind : "";
	experiment->events = memory_room(experiment->events, experiment->event_count, sizeof(event));
	experiment->events[experiment->event_count++] = event;
	note_end(experiment, event.kind);
}

/* The facts that hold for a founder's descendants as well. */
static void visit_head(void *context, const struct xml_element *element)
{
	struct experiment *experiment = ((struct log_visit *)context)->experiment;
	if (!strcmp(element->name, "setting"))
		read_setting(experiment, element);
	else if (!strcmp(element->name, "system"))
		read_system(experiment_head(experiment), element);
	else if (!strcmp(element->name, "profile"))
		read_profile(experiment_head(experiment), element);
	else if (!strcmp(element->name, "counters"))
		read_counters(experiment_head(experiment), element);
}

static void visit_element(void *context, const struct xml_element *element)
{
	struct experiment *experiment = ((struct log_visit *)context)->experiment;
	const char *name = element->name;
	struct time_triple triple = read_triple(element);
	visit_head(context, element);
	if (!strcmp(name, "event"))
		read_event(experiment, element);
	else if (!strcmp(name, "process"))
		read_process(experiment, element);
	else if (!strcmp(name, "start"))
		experiment->start = triple;
	if (triple.monotonic)
		triple_seen(experiment, &triple);
}

static void visit_bad_line(void *context)
{
	struct experiment *experiment = ((struct log_visit *)context)->experiment;
	damage_count(experiment, &experiment->damage.log_lines_bad, 1, "%s: a line is no XML", LOG_FILE);
}

static void visit_cut(void *context)
{
	struct experiment *experiment = ((struct log_visit *)context)->experiment;
	damage_count(experiment, &experiment->damage.log_lines_bad, 1, "%s is cut", LOG_FILE);
}

/* The text up to the line that says when the experiment began, which the head ends with; the whole, where that is not there.
   The caller frees it. 0: it cannot be read. */
static char *read_head(const char *directory, size_t *size)
{
	size_t most = HEAD_FIRST;
	char *text = input_start(directory, LOG_FILE, most, size), *start;
	while (text && !(start = memmem(text, *size, "\n<start ", sizeof "\n<start " - 1)) && *size == most &&
		most < HEAD_MAX) {
		free(text);
		most *= 2;
		text = input_start(directory, LOG_FILE, most, size);
	}
	if (text && start)
		*size = (size_t)(start + 1 - text);
	return text;
}

static void read_founders_head(struct experiment *experiment)
{
	struct log_visit visit = {.experiment = experiment};
	struct xml_lines lines = {visit_head, 0, visit_bad_line, 0, &visit};
	char *founder, *text = 0;
	size_t size;
	if (asprintf(&founder, "%s/..", experiment->path) >= 0) {
		text = read_head(founder, &size);
		free(founder);
	}
	if (text)
		xml_lines_visit(&lines, text, size);
	else
		damage_count(experiment, &experiment->damage.log_lines_bad, 1,
			"the %s of its founder, which has the host and the settings, cannot be read", LOG_FILE);
	free(text);
}

struct log_head *log_head_new(void)
{
	struct log_head *head = memory_new(1, sizeof(*head));
	head->system = (struct system_info){
		.host = "", .os = "", .release = "", .architecture = "", .boot_id = "", .time_namespace = ""};
	settings_default(&head->settings);
	return head;
}

void log_head_release(struct log_head *head)
{
	if (!head || __atomic_sub_fetch(&head->users, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	free(head->profiles);
	free(head->tallies);
	arena_free(&head->strings);
	free(head);
}

void log_head_share(struct experiment *experiment, struct log_head *head)
{
	struct experiment_private *private = experiment->private;
	__atomic_add_fetch(&head->users, 1, __ATOMIC_RELAXED);
	log_head_release(private->head);
	private->head = head;
	experiment->settings = &head->settings;
	experiment->system = &head->system;
}

bool log_read(struct experiment *experiment, const struct experiment *founder, struct error *error)
{
	struct log_visit visit = {.experiment = experiment};
	struct xml_lines lines = {visit_element, visit_root, visit_bad_line, visit_cut, &visit};
	size_t size;
	char *text = input_lines(experiment->path, LOG_FILE, &size);
	if (!text)
		return error_set(error, "%s: not an experiment: cannot read its %s: %s", experiment->path, LOG_FILE,
			strerror(errno));
	xml_lines_visit(&lines, text, size);
	free(text);
	if (visit.founders_head && founder)
		log_head_share(experiment, experiment_head(founder));
	else if (visit.founders_head)
		read_founders_head(experiment);
	if (!visit.begun)
		damage_count(experiment, &experiment->damage.log_lines_bad, 1, "%s has no beginning", LOG_FILE);
	if (visit.foreign)
		return error_set(error,
			"%s: experiment format %s, but this program reads format %u: use the er_print that came with "
			"the "
			"collect that wrote it",
			experiment->path, visit.version, FORMAT_MAJOR);
	return true;
}

const char *log_event_attribute(const struct log_event *event, const char *name)
{
	for (unsigned i = 0; i < event->attribute_count; i++)
		if (!strcmp(event->attributes[i].name, name))
			return event->attributes[i].value;
	return 0;
}
