/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads samples and their frames out of lines for people (perf's builtin-script.c prints them). */
#include "perf_script.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A sample's line, taken apart. */
struct heading {
	char *command, *event; /* ended by a 0 once the line is known to be one; event: 0: it says none */
	size_t command_length, event_length;
	uint64_t pid, tid, cpu, time, period;
	bool has_pid, has_period;
	char *rest; /* behind the event */
};

static char *skip_blanks(const char *text)
{
	return (char *)text + strspn(text, " \t");
}

/* A number that a blank or the end follows, or `after`, which is passed over. */
static bool take_number(char **text, const char *after, uint64_t *number)
{
	char *end;
	if (!isdigit((unsigned char)**text))
		return false;
	*number = strtoull(*text, &end, 10);
	size_t length = strlen(after);
	if (strncmp(end, after, length) != 0)
		return false;
	end += length;
	if (*end && *end != ' ' && *end != '\t')
		return false;
	*text = skip_blanks(end);
	return true;
}

/* PID/TID, or TID alone. */
static bool take_thread(char **text, struct heading *heading)
{
	char *slash = *text + strspn(*text, "0123456789");
	heading->has_pid = *slash == '/' && slash > *text;
	if (heading->has_pid) {
		heading->pid = strtoull(*text, 0, 10);
		*text = slash + 1;
	}
	return take_number(text, "", &heading->tid);
}

/* "26802.407776:", in seconds, to nanoseconds. */
static bool take_time(char **text, uint64_t *time)
{
	char *point, *end;
	uint64_t seconds = strtoull(*text, &point, 10), part = 0, place = 100000000;
	if (point == *text || *point != '.')
		return false;
	for (end = point + 1; isdigit((unsigned char)*end); end++, place /= 10)
		part += (uint64_t)(*end - '0') * place;
	if (end == point + 1 || *end != ':' || seconds > UINT64_MAX / 1000000000 - 1)
		return false;
	*time = seconds * 1000000000 + part;
	*text = skip_blanks(end + 1);
	return true;
}

/* "cycles:u:" */
static bool take_event(char **text, struct heading *heading)
{
	size_t length = strcspn(*text, " \t");
	bool letter = false;
	for (size_t i = 0; i < length; i++)
		letter |= isalpha((unsigned char)(*text)[i]) != 0;
	if (length < 2 || !letter || (*text)[length - 1] != ':')
		return false;
	heading->event = *text;
	heading->event_length = length - 1;
	*text = skip_blanks(*text + length);
	return true;
}

/* The fields behind the command. */
static bool take_rest(char *text, struct heading *heading)
{
	if (!take_thread(&text, heading))
		return false;
	if (*text == '[') {
		text++;
		if (!take_number(&text, "]", &heading->cpu))
			return false;
	}
	bool timed = take_time(&text, &heading->time);
	heading->has_period = take_number(&text, "", &heading->period);
	bool named = take_event(&text, heading);
	heading->rest = text;
	return named || (timed && !heading->has_period);
}

/* A command may have blanks and numbers in its name: the line is one if it goes on as one from any of its words. */
static bool take_heading(char *line, struct heading *heading)
{
	*heading = (struct heading){.command = skip_blanks(line)};
	for (char *word = heading->command; *word; word = skip_blanks(word + strcspn(word, " \t"))) {
		if (word == heading->command || !isdigit((unsigned char)*word))
			continue;
		struct heading read = {.command = heading->command};
		if (!take_rest(word, &read))
			continue;
		*heading = read;
		while (word > heading->command && (word[-1] == ' ' || word[-1] == '\t'))
			word--;
		heading->command_length = (size_t)(word - heading->command);
		return true;
	}
	return false;
}

/* Where the last group in parentheses begins, at the end of the text; 0: there is none. */
static char *last_group(char *text)
{
	unsigned depth = 0;
	for (char *at = text + strlen(text); at > text; at--) {
		depth += at[-1] == ')';
		if (at[-1] == '(' && !--depth)
			return at - 1;
		if (!depth)
			return 0;
	}
	return 0;
}

/* "ADDRESS SYMBOL+0xOFFSET (OBJECT)", where the offset, or all of the object, may be missing. */
static bool take_frame(struct perf_script *script, char *text)
{
	struct imported_profile *profile = script->profile;
	char *end, *symbol = text = skip_blanks(text);
	strtoull(text, &end, 16);
	if (end == text || (*end != ' ' && *end != '\t'))
		return false;
	symbol = skip_blanks(end);
	char *object = last_group(symbol);
	if (!*symbol || (object && (object == symbol || object[-1] != ' ')))
		object = 0;
	const char *name = "";
	if (object) {
		object[-1] = 0;
		name = ++object;
		object[strlen(object) - 1] = 0;
	}
	struct perf_frame frame = {.inlined = !strcmp(name, "inlined")};
	char *plus = strrchr(symbol, '+');
	if (plus && plus > symbol && !strncmp(plus, "+0x", 3)) {
		uint64_t offset = strtoull(plus + 3, &end, 16);
		if (!*end && end > plus + 3) {
			*plus = 0;
			frame.offset = (uint32_t)(offset < IMPORTED_OFFSETS / 2 ? offset : IMPORTED_OFFSETS / 2 - 1);
		}
	}
	frame.name = imported_text(profile, *symbol ? symbol : "[unknown]");
	frame.object = imported_text(profile, name);
	if (script->placed)
		script->frame_count = 0;
	script->placed = false;
	script->frames = memory_room(script->frames, script->frame_count, sizeof frame);
	script->frames[script->frame_count++] = frame;
	return true;
}

/* "  file.c:12" below a frame (-F +srcline), or what perf prints there instead. False: it is neither. */
static bool take_source(struct perf_script *script, char *line)
{
	char *text = skip_blanks(line), *colon = strrchr(text, ':'), *end;
	if (text == line || !script->frame_count)
		return false;
	if (*text && text[strlen(text) - 1] == ']')
		return true; /* "[kernel.kallsyms][ffffffff81752b6a]" */
	if (!colon || !isdigit((unsigned char)colon[1]))
		return false;
	uint64_t number = strtoull(colon + 1, &end, 10);
	if ((*end && strcmp(end, " (inlined)") != 0) || number > UINT32_MAX)
		return false;
	*colon = 0;
	struct perf_frame *frame = &script->frames[script->frame_count - 1];
	if (*text && strcmp(text, "??") != 0 && number) {
		frame->source = imported_text(script->profile, text);
		frame->line = (uint32_t)number;
	}
	return true;
}

/* The file of a function: the first that was named for it. Lines of others are left out, as a function has one file. */
static bool is_of_source(struct perf_script *script, uint32_t function, uint32_t source)
{
	for (; script->source_count <= function; script->source_count++) {
		script->sources = memory_room(script->sources, script->source_count, sizeof *script->sources);
		script->sources[script->source_count] = NO_ID;
	}
	if (script->sources[function] == NO_ID)
		script->sources[function] = source;
	return script->sources[function] == source;
}

static uint32_t stack_of(struct perf_script *script)
{
	struct imported_profile *profile = script->profile;
	uint32_t stack = 0, object = 0;
	for (uint32_t i = script->frame_count; i-- > 0;) {
		const struct perf_frame *frame = &script->frames[i];
		object = frame->inlined ? object : frame->object;
		struct imported_function function = {.name = frame->name, .object = object};
		uint32_t number = imported_function(profile, &function);
		uint32_t line = frame->line && is_of_source(script, number, frame->source) ? frame->line : 0;
		stack = imported_stack(profile, &(struct imported_stack){stack, number,
							frame->offset ? frame->offset : IMPORTED_AT_LINE(line), line});
	}
	return stack;
}

static void end_sample(struct perf_script *script, uint64_t number)
{
	if (!script->open)
		return;
	script->event.stack = stack_of(script);
	if (imported_event(script->profile, &script->event))
		script->profile->records++;
	else
		imported_ignore(script->profile, "line %" PRIu64 ": there are too many samples", number);
	script->open = false;
	script->frame_count = 0;
}

/* The kernel's clocks count nanoseconds. */
static enum counter_units units_of(const char *event)
{
	size_t length = strcspn(event, ":");
	return (length == strlen("cpu-clock") && !strncmp(event, "cpu-clock", length)) ||
			       (length == strlen("task-clock") && !strncmp(event, "task-clock", length))
		       ? UNITS_NANOSECONDS
		       : UNITS_EVENTS;
}

static void begin_sample(struct perf_script *script, struct heading *heading, uint64_t number)
{
	struct imported_profile *profile = script->profile;
	char suffix[64] = "";
	heading->command[heading->command_length] = 0;
	const char *event = heading->event ? heading->event : "samples";
	if (heading->event)
		heading->event[heading->event_length] = 0;
	uint32_t counter = imported_counter(profile, event, heading->has_period ? units_of(event) : UNITS_EVENTS);
	if (counter == NO_ID) {
		imported_ignore(profile, "line %" PRIu64 ": the event %s is one more than %u", number, event,
			OVERFLOW_COUNTERS_MAX);
		return;
	}
	if (heading->has_pid)
		snprintf(suffix, sizeof suffix, " (pid %" PRIu64 ")", heading->pid);
	else
		snprintf(suffix, sizeof suffix, " (%s)", heading->command);
	script->event = (struct imported_event){.count = heading->has_period ? heading->period : 1,
		.time = heading->time,
		.counter = counter,
		.process = imported_process(profile, &(struct imported_process){.pid = heading->pid,
							     .name = imported_text(profile, heading->command),
							     .suffix = imported_text(profile, suffix)}),
		.thread = (uint32_t)heading->tid,
		.cpu = (uint32_t)heading->cpu};
	script->open = true;
	script->placed = false;
	script->placed = take_frame(script, heading->rest);
}

bool perf_script_begins(const char *line)
{
	struct heading heading;
	if (!strncmp(line, "# ========", strlen("# ========")))
		return true;
	char *copy = strdup(line);
	bool is_heading = take_heading(copy, &heading);
	free(copy);
	return is_heading;
}

void perf_script_begin(struct perf_script *script, struct imported_profile *profile)
{
	*script = (struct perf_script){.profile = profile};
	profile->what = "Output of perf script";
	profile->record = "sample";
	profile->samples = SAMPLES_EACH;
}

void perf_script_take(struct perf_script *script, char *line, size_t length, uint64_t number)
{
	struct heading heading;
	while (length && isspace((unsigned char)line[length - 1]))
		line[--length] = 0;
	if (!length) {
		end_sample(script, number);
		return;
	}
	if (*line == '#')
		return;
	if (take_heading(line, &heading)) {
		end_sample(script, number);
		begin_sample(script, &heading, number);
	} else if (!script->open || (!take_frame(script, line) && !take_source(script, line)))
		imported_ignore(script->profile, "line %" PRIu64 " is neither a sample nor a frame", number);
}

void perf_script_end(struct perf_script *script)
{
	end_sample(script, 0);
	for (uint32_t i = 0; i < script->source_count; i++)
		if (script->sources[i] != NO_ID)
			script->profile->functions[i].source = script->sources[i];
	free(script->sources);
	free(script->frames);
}
