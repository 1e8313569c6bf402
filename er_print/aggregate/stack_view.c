/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rewrites stacks for the view mode and for load objects that are not shown. */
#include "stack_view.h"

unsigned stack_view_rewrite(struct resolver *resolver, const struct stack_view *view, struct frame *frames,
	unsigned count, uint32_t *inside)
{
	count = view_mode_rewrite(view->mode, frames, count);
	if (!view->expansion)
		return count;
	struct frame kept[FRAMES_MAX]; /* outermost first */
	unsigned kept_count = 0;
	for (unsigned i = count; i-- > 0;) {
		uint32_t object = resolver_function_object(resolver, frames[i].function);
		enum object_expansion expansion = view->expansion[object];
		/* A load object that is not shown has one frame: its first function stands for all that it calls within it; a
		   call that comes back from outside begins anew. */
		bool vanishes = expansion != OBJECT_SHOWN && *inside == object;
		*inside = expansion == OBJECT_SHOWN ? NO_OBJECT : object;
		if (vanishes)
			continue;
		kept[kept_count] = frames[i];
		if (expansion == OBJECT_HIDDEN)
			resolver_object_frame(resolver, object, &kept[kept_count]);
		kept_count++;
	}
	for (unsigned i = 0; i < kept_count; i++)
		frames[i] = kept[kept_count - 1 - i];
	return kept_count;
}
