/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of collectorAPI.h, by which the program itself asks for something. */
#include "announced_code.h"
#include "collector.h"
#include "collectorAPI.h"
#include "interpose.h"
#include "lifetime.h"
#include "recording.h"
#include "sample.h"

/* Not before the beginning, after the end, or in a child that shares this memory until it execs. */
static bool is_heard(void)
{
	return collector_recording() && collector_is_recorded_process();
}

INTERPOSE void collector_sample(const char *label)
{
	if (is_heard())
		sample_take_for_program(label ? label : "");
}

INTERPOSE void collector_pause(void)
{
	if (is_heard())
		recording_pause(__builtin_frame_address(0));
}

INTERPOSE void collector_resume(void)
{
	if (is_heard())
		recording_resume(__builtin_frame_address(0));
}

INTERPOSE void collector_thread_pause(unsigned thread)
{
	if (is_heard())
		recording_pause_thread((pid_t)thread, true, __builtin_frame_address(0));
}

INTERPOSE void collector_thread_resume(unsigned thread)
{
	if (is_heard())
		recording_pause_thread((pid_t)thread, false, __builtin_frame_address(0));
}

INTERPOSE void collector_terminate_expt(void)
{
	if (is_heard())
		collector_close("collector_terminate_expt");
}

INTERPOSE void collector_func_load(
	const char *name, const char *alias, const char *source, void *address, int size, int line_count, Lineno *lines)
{
	if (!is_heard() || size <= 0)
		return;
	struct announced_code code = {.name = name,
		.alias = alias,
		.source = source,
		.address = (uintptr_t)address,
		.size = (uint64_t)size,
		.lines = lines,
		.lines_size = lines && line_count > 0 ? (uint64_t)line_count * sizeof *lines : 0};
	announced_code_add(&code);
}

INTERPOSE void collector_func_unload(void *address)
{
	if (is_heard())
		announced_code_remove((uintptr_t)address);
}
