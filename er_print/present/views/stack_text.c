/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks a stack to its root, rewrites it from there as the session shows stacks, and prints it from its leaf. */
#include "stack_text.h"
#include "base_name.h"
#include "layout.h"
#include "plain_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void print_frame(struct session *session, const struct frame *frame)
{
	struct table texts = {0};
	const struct function *function = resolver_function(session->resolver, frame->own);
	print_between(session->out, "  ", session_function_name(session, &texts, frame->function), "");
	if (!function->artificial && frame->address != NO_ADDRESS && !frame->inlined)
		fprintf(session->out, " + 0x%08" PRIX64,
			session->data->addresses[frame->address].offset - function->start);
	const struct source_line *line = frame->line ? resolver_line(session->resolver, frame->line) : 0;
	if (line && line->line) {
		const char *path = resolver_file(session->resolver, line->file);
		fprintf(session->out, ", line %" PRIu32 " in \"", line->line);
		print_plain(session->out, base_name(path));
		putc('"', session->out);
	}
	putc('\n', session->out);
	table_free(&texts);
}

static void print_end(struct session *session, enum root_kind end)
{
	if (end != ROOT_START)
		print_frame(session, &(struct frame){.function = resolver_root_function(end),
					     .own = resolver_root_function(end),
					     .address = NO_ADDRESS});
}

void stack_print(struct session *session, uint32_t stack)
{
	const struct stack *stacks = session->data->stacks;
	struct stack_view view = session_view(session);
	uint32_t *chain = 0, depth = 0, count = 0, inside = NO_OBJECT, root = stack;
	struct frame *all = 0;
	for (; root && !(stacks[root].flags & STACK_ROOT); root = stacks[root].parent) {
		chain = memory_room(chain, depth, sizeof *chain);
		chain[depth++] = root;
	}
	while (depth) {
		struct frame frames[FRAMES_MAX];
		unsigned n = resolver_frames(session->resolver, chain[--depth], frames);
		n = stack_view_rewrite(session->resolver, &view, frames, n, &inside);
		while (n) {
			all = memory_room(all, count, sizeof *all);
			all[count++] = frames[--n];
		}
	}
	if (!count)
		print_frame(session,
			&(struct frame){
				.function = FUNCTION_NO_STACK, .own = FUNCTION_NO_STACK, .address = NO_ADDRESS});
	while (count)
		print_frame(session, &all[--count]);
	if (root)
		print_end(session, (enum root_kind)stacks[root].address);
	free(chain);
	free(all);
}
