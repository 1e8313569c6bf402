/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits of many processes for one call have the same late side, which is walked through once. */
#include "mpi_delay_profiles.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

/* A side of waits: what a thread did from a time until it was late, or began to wait. */
struct stretch {
	uint64_t thread, from, to;
	uint32_t group;
	double times; /* so many waits have it */
	bool late;
};

static uint32_t identity_of(struct delay_profiles *profiles, uint32_t stack)
{
	uint32_t *known = &profiles->identities[stack];
	if (*known == NO_NUMBER)
		*known = profiles->identity->of(profiles->identity->context, stack);
	return *known;
}

static uint32_t number_of(struct number_map *map, uint64_t key, uint32_t *count, bool *fresh)
{
	uint32_t *number = number_map_place(map, key);
	*fresh = *number == NO_NUMBER;
	return *fresh ? (*number = (*count)++) : *number;
}

static struct delay_share *share_of(struct delay_profiles *profiles, uint32_t group, uint32_t stack, uint32_t key)
{
	bool fresh;
	uint32_t place = number_of(&profiles->places, number_pair(stack, key), &profiles->place_count, &fresh);
	uint32_t before = profiles->share_count;
	uint32_t share = number_of(&profiles->share_map, number_pair(group, place), &profiles->share_count, &fresh);
	if (fresh) {
		profiles->shares = memory_room(profiles->shares, before, sizeof *profiles->shares);
		profiles->shares[share] = (struct delay_share){
			.group = group, .stack = stack, .key = key, .identity = identity_of(profiles, stack)};
	}
	return &profiles->shares[share];
}

static struct delay_time *own_of(struct delay_profiles *profiles, uint32_t group, uint32_t stack)
{
	bool fresh;
	uint32_t identity = identity_of(profiles, stack), before = profiles->own_count;
	uint32_t own = number_of(&profiles->own_map, number_pair(group, identity), &profiles->own_count, &fresh);
	if (fresh) {
		profiles->owns = memory_room(profiles->owns, before, sizeof *profiles->owns);
		profiles->owns[own] = (struct delay_time){0};
	}
	return &profiles->owns[own];
}

struct delay_time delay_own_of(const struct delay_profiles *profiles, uint32_t group, uint32_t identity)
{
	uint32_t own = number_map_find(&profiles->own_map, number_pair(group, identity));
	return own == NO_NUMBER ? (struct delay_time){0} : profiles->owns[own];
}

static uint32_t group_of(struct delay_profiles *profiles, const struct mpi_wait *wait)
{
	bool fresh;
	uint32_t pair =
		number_of(&profiles->pairs, number_pair(wait->stack, wait->late_stack), &profiles->pair_count, &fresh);
	uint32_t before = profiles->group_count;
	uint32_t group = number_of(
		&profiles->group_map, number_pair(wait->late_experiment, pair), &profiles->group_count, &fresh);
	if (fresh) {
		profiles->groups = memory_room(profiles->groups, before, sizeof *profiles->groups);
		profiles->groups[group] = (struct delay_group){
			.experiment = wait->late_experiment, .wait_stack = wait->stack, .late_stack = wait->late_stack};
	}
	return group;
}

/* Time in a call that was no wait. */
static void add_call(struct delay_profiles *profiles, const struct stretch *stretch, uint32_t call)
{
	const struct mpi_trace_call *own = &profiles->timelines->trace->calls[call];
	double time = (double)(own->end - own->begin - profiles->waited_in[call]) * stretch->times;
	if (!stretch->late) {
		own_of(profiles, stretch->group, own->stack)->inside += time;
		return;
	}
	struct delay_share *share = share_of(profiles, stretch->group, own->stack, own->key);
	share->all.inside += time;
	share->kept.inside += own->kept ? time : 0;
}

static void add_sample(struct delay_profiles *profiles, const struct stretch *stretch, const struct mpi_sample *sample)
{
	double weight = (double)sample->weight * stretch->times;
	struct delay_group *group = &profiles->groups[stretch->group];
	if (!stretch->late) {
		group->own_sampled += weight;
		own_of(profiles, stretch->group, sample->stack)->outside += weight;
		return;
	}
	group->sampled += weight;
	struct delay_share *share = share_of(profiles, stretch->group, sample->stack, sample->key);
	share->all.outside += weight;
	share->kept.outside += sample->kept ? weight : 0;
}

/* Adds the calls of a stretch. Returns the time outside of them. */
static uint64_t add_calls(struct delay_profiles *profiles, const struct stretch *stretch)
{
	const struct mpi_timelines *timelines = profiles->timelines;
	const struct mpi_trace *trace = timelines->trace;
	uint64_t outside = stretch->to > stretch->from ? stretch->to - stretch->from : 0;
	for (uint32_t i = mpi_timeline_call(timelines, stretch->thread, stretch->from); i < trace->call_count; i++) {
		const struct mpi_trace_call *call = &trace->calls[timelines->calls[i]];
		if (mpi_thread_of(call) != stretch->thread || call->begin >= stretch->to)
			break;
		uint64_t inside = (call->end < stretch->to ? call->end : stretch->to) - call->begin;
		outside -= inside < outside ? inside : outside;
		add_call(profiles, stretch, timelines->calls[i]);
	}
	return outside;
}

static bool is_in_call(const struct mpi_timelines *timelines, const struct mpi_sample *sample)
{
	uint32_t after = mpi_timeline_call(timelines, sample->thread, sample->time + 1);
	const struct mpi_trace_call *call = after ? &timelines->trace->calls[timelines->calls[after - 1]] : 0;
	return call && mpi_thread_of(call) == sample->thread && sample->time <= call->end;
}

/* The function that made a call. */
static uint32_t caller_of(const struct delay_profiles *profiles, uint32_t stack)
{
	const struct stack *own = &profiles->data->stacks[stack];
	return own->parent && !(own->flags & STACK_ROOT) ? own->parent : stack;
}

/* Adds the time outside of MPI calls before a call. */
static void add_outside(struct delay_profiles *profiles, const struct stretch *stretch,
	const struct mpi_trace_call *call, double outside)
{
	struct delay_group *group = &profiles->groups[stretch->group];
	uint32_t stack = caller_of(profiles, call->stack);
	if (!stretch->late) {
		group->own_outside += outside;
		own_of(profiles, stretch->group, stack)->before += outside;
		return;
	}
	group->outside += outside;
	/* Also where it is nothing: a group has at least one place for its costs. */
	struct delay_share *share = share_of(profiles, stretch->group, stack, profiles->by_stack ? stack : call->key);
	share->all.before += outside;
	share->kept.before += call->kept ? outside : 0;
	share->some_kept |= call->kept;
}

static void add_stretch(
	struct delay_profiles *profiles, const struct stretch *stretch, const struct mpi_trace_call *call)
{
	const struct mpi_timelines *timelines = profiles->timelines;
	double outside = (double)add_calls(profiles, stretch) * stretch->times;
	add_outside(profiles, stretch, call, outside);
	for (uint32_t i = mpi_timeline_sample(timelines, stretch->thread, stretch->from); i < timelines->sample_count;
		i++) {
		const struct mpi_sample *sample = &timelines->samples[i];
		if (sample->thread != stretch->thread || sample->time >= stretch->to)
			break;
		if (!is_in_call(timelines, sample))
			add_sample(profiles, stretch, sample);
	}
}

/* Waits with the same late side are neighbours. */
static int by_late_side(const void *left, const void *right, void *context)
{
	const uint32_t *first = left, *second = right;
	const struct delay_profiles *profiles = context;
	const struct mpi_wait *a = &profiles->timelines->waits[*first], *b = &profiles->timelines->waits[*second];
	int order = COMPARE(profiles->group_of[*first], profiles->group_of[*second]);
	order = order ?: COMPARE(a->late_thread, b->late_thread) ?: COMPARE(a->late_begin, b->late_begin);
	return order ?: COMPARE(profiles->meetings[*first].late, profiles->meetings[*second].late) ?:
									 COMPARE(*first, *second);
}

static bool same_late_side(const struct delay_profiles *profiles, uint32_t a, uint32_t b)
{
	const struct mpi_wait *waits = profiles->timelines->waits;
	return profiles->group_of[a] == profiles->group_of[b] && waits[a].late_thread == waits[b].late_thread &&
	       waits[a].late_begin == waits[b].late_begin && profiles->meetings[a].late == profiles->meetings[b].late;
}

static struct mpi_trace_call late_call(const struct delay_profiles *profiles, const struct mpi_wait *wait)
{
	const struct mpi_timelines *timelines = profiles->timelines;
	uint32_t call = mpi_timeline_call_at(timelines, mpi_wait_late_thread(wait), wait->late_begin, wait->late_stack);
	if (call != NO_CALL)
		return timelines->trace->calls[call];
	return (struct mpi_trace_call){.begin = wait->late_begin,
		.experiment = wait->late_experiment,
		.thread = wait->late_thread,
		.stack = wait->late_stack,
		.key = wait->late_stack};
}

static void add_sides(struct delay_profiles *profiles)
{
	const struct mpi_timelines *timelines = profiles->timelines;
	uint32_t *order = memory_new(timelines->wait_count, sizeof *order), next;
	for (uint32_t w = 0; w < timelines->wait_count; w++)
		order[w] = w;
	if (timelines->wait_count)
		qsort_r(order, timelines->wait_count, sizeof *order, by_late_side, profiles);
	for (uint32_t first = 0; first < timelines->wait_count; first = next) {
		for (next = first; next < timelines->wait_count; next++) {
			uint32_t w = order[next];
			const struct mpi_wait *own = &timelines->waits[w];
			if (!same_late_side(profiles, order[first], w))
				break;
			add_stretch(profiles,
				&(struct stretch){mpi_wait_thread(own), profiles->meetings[w].own, own->begin,
					profiles->group_of[w], 1, false},
				&(struct mpi_trace_call){.stack = own->stack});
		}
		uint32_t w = order[first];
		struct mpi_trace_call late = late_call(profiles, &timelines->waits[w]);
		add_stretch(profiles,
			&(struct stretch){mpi_thread_of(&late), profiles->meetings[w].late, late.begin,
				profiles->group_of[w], next - first, true},
			&late);
	}
	free(order);
}

void delay_profiles_read(struct delay_profiles *profiles)
{
	const struct mpi_timelines *timelines = profiles->timelines;
	profiles->identities = memory_new(profiles->data->stack_count, sizeof *profiles->identities);
	for (uint32_t s = 0; s < profiles->data->stack_count; s++)
		profiles->identities[s] = NO_NUMBER;
	profiles->group_of = memory_new(timelines->wait_count, sizeof *profiles->group_of);
	profiles->waited_in = memory_new(timelines->trace->call_count, sizeof *profiles->waited_in);
	for (uint32_t w = 0; w < timelines->wait_count; w++) {
		profiles->group_of[w] = group_of(profiles, &timelines->waits[w]);
		const struct mpi_wait *wait = &timelines->waits[w];
		uint32_t call = mpi_timeline_call_at(timelines, mpi_wait_thread(wait), wait->begin, wait->stack);
		if (call != NO_CALL)
			profiles->waited_in[call] = wait->time;
	}
	add_sides(profiles);
}

void delay_profiles_free(struct delay_profiles *profiles)
{
	free(profiles->identities);
	free(profiles->groups);
	free(profiles->shares);
	free(profiles->owns);
	free(profiles->group_of);
	free(profiles->waited_in);
	number_map_free(&profiles->pairs);
	number_map_free(&profiles->group_map);
	number_map_free(&profiles->places);
	number_map_free(&profiles->share_map);
	number_map_free(&profiles->own_map);
}
