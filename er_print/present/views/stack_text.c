/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks a stack to its root, rewrites it from there as the session shows stacks, and prints it from its leaf. */
#include "stack_text.h"
#include "base_name.h"
#include "layout.h"
#include "plain_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void print_frame(struct session *session, const struct frame *frame, FILE *file)
{
	struct table texts = {0};
	const struct function *function = resolver_function(session->resolver, frame->own);
	print_between(file, "  ", session_function_name(session, &texts, frame->function), "");
	if (!function->artificial && frame->address != NO_ADDRESS && !frame->inlined)
		fprintf(file, " + 0x%08" PRIX64, session->data->addresses[frame->address].offset - function->start);
	const struct source_line *line = frame->line ? resolver_line(session->resolver, frame->line) : 0;
	if (line && line->line) {
		const char *path = resolver_file(session->resolver, line->file);
		fprintf(file, ", line %" PRIu32 " in \"", line->line);
		print_plain(file, base_name(path));
		putc('"', file);
	}
	putc('\n', file);
	table_free(&texts);
}

/* The frames of a stack as the session shows it, outermost first. */
struct shown_stack {
	struct frame *frames;
	uint32_t count;
};

static void add_frame(struct shown_stack *shown, const struct frame *frame)
{
	shown->frames = memory_room(shown->frames, shown->count, sizeof *shown->frames);
	shown->frames[shown->count++] = *frame;
}

static void add_artificial(struct shown_stack *shown, uint32_t function)
{
	add_frame(shown, &(struct frame){.function = function, .own = function, .address = NO_ADDRESS});
}

static struct shown_stack show_stack(struct session *session, uint32_t stack)
{
	const struct stack *stacks = session->data->stacks;
	struct stack_view view = session_view(session);
	session_tell_names_apart(session);
	struct shown_stack shown = {0};
	uint32_t *chain = 0, depth = 0, inside = NO_OBJECT, root = view_mode_stack(view.mode, session->data, stack);
	for (; root && !(stacks[root].flags & STACK_ROOT); root = stacks[root].parent) {
		chain = memory_room(chain, depth, sizeof *chain);
		chain[depth++] = root;
	}
	if (root && stacks[root].address != ROOT_START)
		add_artificial(&shown, resolver_root_function(stacks[root].address));
	uint32_t roots = shown.count;
	while (depth) {
		struct frame frames[FRAMES_MAX];
		unsigned n = resolver_frames(session->resolver, chain[--depth], frames);
		n = stack_view_rewrite(session->resolver, &view, frames, n, &inside);
		while (n)
			add_frame(&shown, &frames[--n]);
	}
	if (shown.count == roots)
		add_artificial(&shown, FUNCTION_NO_STACK);
	free(chain);
	return shown;
}

/* Takes away the functions by which the C library starts a program. */
static void begin_at_main(struct session *session, struct shown_stack *shown)
{
	uint32_t first = 0;
	while (first + 1 < shown->count) {
		const char *name = resolver_function(session->resolver, shown->frames[first].function)->short_name;
		if (strcmp(name, "_start") != 0 && strncmp(name, "__libc_start_", 13) != 0)
			break;
		first++;
	}
	shown->count -= first;
	memmove(shown->frames, shown->frames + first, shown->count * sizeof *shown->frames);
}

/* Frees the frames. */
static const char *lines_of(struct session *session, struct table *table, struct shown_stack shown)
{
	char *text = 0;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	for (uint32_t left = shown.count; file && left;)
		print_frame(session, &shown.frames[--left], file);
	free(shown.frames);
	if (!file)
		return "";
	fclose(file);
	const char *kept = arena_string(&table->arena, text, size);
	free(text);
	return kept;
}

/* Frees the frames. */
static const char *folded(struct session *session, struct table *table, struct shown_stack shown)
{
	const char **names = memory_new(shown.count, sizeof *names);
	size_t size = 0;
	for (uint32_t i = 0; i < shown.count; i++) {
		names[i] = table_plain(table, session_function_name(session, table, shown.frames[i].function));
		size += strlen(names[i]) + 1;
	}
	char *text = arena_new(&table->arena, size + 1), *to = text;
	for (uint32_t i = 0; i < shown.count; i++)
		to += sprintf(to, "%s%s", i ? ";" : "", names[i]);
	free(names);
	free(shown.frames);
	return text;
}

const char *stack_lines(struct session *session, struct table *table, uint32_t stack)
{
	return lines_of(session, table, show_stack(session, stack));
}

const char *stack_folded(struct session *session, struct table *table, uint32_t stack)
{
	return folded(session, table, show_stack(session, stack));
}

const char *stack_lines_from_main(struct session *session, struct table *table, uint32_t stack)
{
	struct shown_stack shown = show_stack(session, stack);
	begin_at_main(session, &shown);
	return lines_of(session, table, shown);
}

const char *stack_folded_from_main(struct session *session, struct table *table, uint32_t stack)
{
	struct shown_stack shown = show_stack(session, stack);
	begin_at_main(session, &shown);
	return folded(session, table, shown);
}
