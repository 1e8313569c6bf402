/* SPDX-License-Identifier: Apache-2.0 */
/* Calls each data kind at the turns of a process's life. */
#include "kind.h"

#define KIND(identifier, name, title) extern const struct kind_operations name##_operations;
#include "kinds.def"

static const struct kind_operations *const operations[KIND_COUNT] = {
#define KIND(identifier, name, title) [KIND_##identifier] = &name##_operations,
#include "kinds.def"
};

bool kind_wanted(enum kind kind)
{
	return !operations[kind]->wanted || operations[kind]->wanted();
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
