/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps functions and stacks once, counters and processes by their names. */
#include "imported_profile.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct imported_profile *imported_profile_create(void)
{
	struct imported_profile *profile = memory_new(1, sizeof *profile);
	imported_text(profile, "");
	profile->stacks = memory_room(profile->stacks, 0, sizeof *profile->stacks);
	profile->stacks[profile->stack_count++] = (struct imported_stack){0};
	return profile;
}

void imported_profile_free(struct imported_profile *profile)
{
	strings_free(&profile->texts);
	id_table_free(&profile->function_table);
	id_table_free(&profile->stack_table);
	for (uint32_t i = 0; i < profile->code_count; i++)
		code_blocks_free(&profile->code[i]);
	free(profile->code);
	free(profile->readings);
	free(profile->functions);
	free(profile->stacks);
	free(profile->processes);
	free(profile->events);
	free(profile);
}

uint32_t imported_text(struct imported_profile *profile, const char *text)
{
	return strings_number(&profile->texts, text);
}

static bool same_function(const void *context, uint32_t id, const void *key)
{
	const struct imported_function *a = &((const struct imported_profile *)context)->functions[id], *b = key;
	return a->name == b->name && a->object == b->object && a->source == b->source;
}

uint32_t imported_function(struct imported_profile *profile, const struct imported_function *function)
{
	uint64_t hash = hash_pair((uint64_t)function->name << 32 | function->object, function->source);
	uint32_t id = id_table_find(&profile->function_table, hash, same_function, profile, function);
	if (id != NO_ID)
		return id;
	profile->functions = memory_room(profile->functions, profile->function_count, sizeof *function);
	profile->functions[profile->function_count] = *function;
	id_table_add(&profile->function_table, hash, profile->function_count);
	return profile->function_count++;
}

static bool same_stack(const void *context, uint32_t id, const void *key)
{
	const struct imported_stack *a = &((const struct imported_profile *)context)->stacks[id], *b = key;
	return a->parent == b->parent && a->function == b->function && a->offset == b->offset && a->line == b->line;
}

uint32_t imported_stack(struct imported_profile *profile, const struct imported_stack *stack)
{
	uint64_t hash =
		hash_pair((uint64_t)stack->parent << 32 | stack->function, (uint64_t)stack->offset << 32 | stack->line);
	uint32_t id = id_table_find(&profile->stack_table, hash, same_stack, profile, stack);
	if (id != NO_ID)
		return id;
	profile->stacks = memory_room(profile->stacks, profile->stack_count, sizeof *stack);
	profile->stacks[profile->stack_count] = *stack;
	id_table_add(&profile->stack_table, hash, profile->stack_count);
	return profile->stack_count++;
}

/* Words of small letters, digits, '-' and '_'. */
static void make_name(char *name, size_t size, const char *title)
{
	size_t length = 0;
	for (; *title && length + 1 < size; title++) {
		unsigned char c = (unsigned char)*title;
		bool usual = c < 0x80 && (isalnum(c) || c == '-');
		if (usual || (length && name[length - 1] != '_'))
			name[length++] = (char)(usual ? tolower(c) : '_');
	}
	while (length && name[length - 1] == '_')
		length--;
	name[length] = 0;
	if (!length)
		snprintf(name, size, "events");
}

uint32_t imported_counter(struct imported_profile *profile, const char *title, enum counter_units units)
{
	struct overflow_counter made = {.units = units};
	snprintf(made.title, sizeof made.title, "%s", title);
	make_name(made.name, sizeof made.name, title);
	for (unsigned i = 0; i < profile->counter_count; i++)
		if (!strcmp(profile->counters[i].name, made.name))
			return i;
	if (profile->counter_count == OVERFLOW_COUNTERS_MAX)
		return NO_ID;
	profile->counters[profile->counter_count] = made;
	return profile->counter_count++;
}

uint32_t imported_process(struct imported_profile *profile, const struct imported_process *process)
{
	for (uint32_t i = 0; i < profile->process_count; i++) {
		struct imported_process *known = &profile->processes[i];
		if (known->pid != process->pid || known->suffix != process->suffix)
			continue;
		known->name = process->name;
		return i;
	}
	profile->processes = memory_room(profile->processes, profile->process_count, sizeof *process);
	profile->processes[profile->process_count] = *process;
	return profile->process_count++;
}

bool imported_event(struct imported_profile *profile, const struct imported_event *event)
{
	if (profile->event_count == UINT32_MAX)
		return false;
	profile->events = memory_room(profile->events, profile->event_count, sizeof *event);
	profile->events[profile->event_count++] = *event;
	return true;
}

void imported_ignore(struct imported_profile *profile, const char *format, ...)
{
	va_list arguments;
	if (profile->ignored++)
		return;
	va_start(arguments, format);
	vsnprintf(profile->first_ignored, sizeof profile->first_ignored, format, arguments);
	va_end(arguments);
}

bool imported_scale_counts(struct imported_profile *profile)
{
	bool has_fractions[OVERFLOW_COUNTERS_MAX] = {false};
	uint64_t sum = 0;
	for (uint32_t i = 0; i < profile->event_count; i++)
		has_fractions[profile->events[i].counter] |= profile->events[i].millionths != 0;
	for (unsigned c = 0; c < profile->counter_count; c++)
		if (has_fractions[c])
			profile->counters[c].units = UNITS_MILLIONTHS;
	for (uint32_t i = 0; i < profile->event_count; i++) {
		struct imported_event *event = &profile->events[i];
		uint64_t factor = has_fractions[event->counter] ? IMPORTED_MILLION : 1;
		if (__builtin_mul_overflow(event->count, factor, &event->count) ||
			__builtin_add_overflow(event->count, event->millionths, &event->count) ||
			__builtin_add_overflow(sum, event->count, &sum))
			return false;
	}
	return sum <= INT64_MAX;
}
