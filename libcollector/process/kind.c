/* SPDX-License-Identifier: Apache-2.0 */
/* Calls each data kind at the turns of a process's life. */
#include "kind.h"

static const struct kind_operations *const *operations; /* by kind; 0 before they are named */
/* Those that have something to do in our handler, later rows of the table first: a counter is asked before the clock, which
   takes what carries a descriptor of ours and is nobody else's. */
static const struct kind_operations *in_handler[KIND_COUNT];
static unsigned in_handler_count;

static bool acts_in_handler(const struct kind_operations *kind)
{
	return kind->owns || kind->may_fall_back || kind->handler_ends || kind->ticked;
}

void kinds_are(const struct kind_operations *const table[KIND_COUNT])
{
	operations = table;
	in_handler_count = 0;
	for (unsigned kind = KIND_COUNT; kind-- > 0;)
		if (acts_in_handler(table[kind]))
			in_handler[in_handler_count++] = table[kind];
}

bool kind_wanted(enum kind kind)
{
	return operations && (!operations[kind]->wanted || operations[kind]->wanted());
}

bool kind_has_file_at_start(enum kind kind)
{
	return kind_wanted(kind) && !operations[kind]->file_is_late;
}

void kinds_start(void)
{
	for (unsigned kind = 0; kind < KIND_COUNT; kind++)
		if (kind_wanted(kind) && operations[kind]->start)
			operations[kind]->start();
}

void kinds_stop(void)
{
	for (unsigned kind = KIND_COUNT; kind-- > 0;)
		if (kind_wanted(kind) && operations[kind]->stop)
			operations[kind]->stop();
}

void kinds_thread_start(struct thread *thread)
{
	for (unsigned kind = 0; kind < KIND_COUNT; kind++)
		if (kind_wanted(kind) && operations[kind]->thread_start)
			operations[kind]->thread_start(thread);
}

void kinds_thread_stop(struct thread *thread)
{
	for (unsigned kind = KIND_COUNT; kind-- > 0;)
		if (kind_wanted(kind) && operations[kind]->thread_stop)
			operations[kind]->thread_stop(thread);
}

void kinds_thread_abandon(struct thread *thread)
{
	for (unsigned kind = KIND_COUNT; kind-- > 0;)
		if (kind_wanted(kind) && operations[kind]->thread_abandon)
			operations[kind]->thread_abandon(thread);
}

void kinds_thread_cut(struct thread *thread, const void *frame_address)
{
	for (unsigned kind = 0; kind < KIND_COUNT; kind++)
		if (kind_wanted(kind) && operations[kind]->thread_cut)
			operations[kind]->thread_cut(thread, frame_address);
}

void kinds_thread_silence(struct thread *thread)
{
	for (unsigned kind = 0; kind < KIND_COUNT; kind++)
		if (kind_wanted(kind) && operations[kind]->thread_silence)
			operations[kind]->thread_silence(thread);
}

void kinds_sample(struct sample_values *values)
{
	for (unsigned kind = 0; kind < KIND_COUNT; kind++)
		if (kind_wanted(kind) && operations[kind]->sample)
			operations[kind]->sample(values);
}

__attribute__((hot)) const struct kind_operations *kinds_owner(const struct thread *thread, const siginfo_t *info)
{
	for (unsigned i = 0; i < in_handler_count; i++)
		if (in_handler[i]->owns && in_handler[i]->owns(thread, info))
			return in_handler[i];
	return 0;
}

bool kinds_may_fall_back(const struct thread *thread)
{
	for (unsigned i = 0; i < in_handler_count; i++)
		if (in_handler[i]->may_fall_back && in_handler[i]->may_fall_back(thread))
			return true;
	return false;
}

void kinds_take_fallen_back(struct thread *thread, const ucontext_t *context)
{
	for (unsigned i = 0; i < in_handler_count; i++)
		if (in_handler[i]->may_fall_back && in_handler[i]->may_fall_back(thread))
			in_handler[i]->take_fallen_back(thread, context);
}

void kinds_skip_fallen_back(struct thread *thread, const siginfo_t *info)
{
	for (unsigned i = 0; i < in_handler_count; i++)
		if (in_handler[i]->may_fall_back && in_handler[i]->may_fall_back(thread))
			in_handler[i]->skip(thread, info);
}

__attribute__((hot)) void kinds_handler_ends(struct thread *thread)
{
	for (unsigned i = 0; i < in_handler_count; i++)
		if (in_handler[i]->handler_ends)
			in_handler[i]->handler_ends(thread);
}

__attribute__((hot)) void kinds_ticked(struct thread *thread, const ucontext_t *context, uint32_t stack)
{
	for (unsigned i = 0; i < in_handler_count; i++)
		if (in_handler[i]->ticked)
			in_handler[i]->ticked(thread, context, stack);
}

void kinds_tell_waits(void)
{
	for (unsigned kind = 0; kind < KIND_COUNT; kind++)
		if (operations[kind]->tell_waits)
			operations[kind]->tell_waits();
}
