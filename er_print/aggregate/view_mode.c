/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rewriters of the view modes. */
#include "view_mode.h"

static unsigned keep_all(struct frame *frames, unsigned count)
{
	unsigned kept = 0;
	for (unsigned i = 0; i < count; i++)
		if (!frames[i].run_time)
			frames[kept++] = frames[i];
	return kept;
}

/* The kernel's work belongs to the function that called it. */
static unsigned keep_program(struct frame *frames, unsigned count)
{
	return frames[0].kernel ? 0 : keep_all(frames, count);
}

/* The outermost frame is the function whose code it is; its line is the one that the inlined code was called
 * from. */
static unsigned keep_physical(struct frame *frames, unsigned count)
{
	frames[0] = frames[count - 1];
	return 1;
}

static const struct {
	const char *name;
	unsigned (*rewrite)(struct frame *frames, unsigned count);
} modes[VIEW_MODE_COUNT] = {
	[VIEW_USER] = {"user", keep_program},
	[VIEW_EXPERT] = {"expert", keep_all},
	[VIEW_MACHINE] = {"machine", keep_physical},
};

const char *view_mode_name(enum view_mode mode)
{
	return modes[mode].name;
}

uint32_t view_mode_stack(enum view_mode mode, const struct data *data, uint32_t stack)
{
	return mode == VIEW_MACHINE ? data_native_stack(data, stack) : stack;
}

unsigned view_mode_rewrite(enum view_mode mode, struct frame *frames, unsigned count)
{
	return modes[mode].rewrite(frames, count);
}
