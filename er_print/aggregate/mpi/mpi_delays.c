/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Costs of waits go backwards in time to those that caused them, then each group divides what is its own. */
#include "mpi_delays.h"
#include "mpi_delay_profiles.h"
#include "mpi_messages.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

struct costs {
	struct delay_profiles *profiles;
	const struct mpi_wait *waits;
	uint32_t wait_count;
	double *passed;  /* by wait: ns of later waits that are this one's doing */
	uint32_t *place; /* by wait: its place in the order in which they are passed on */
};

/* The waits that ended in a stretch of a thread: from the first place in the timelines on. Returns their time together. */
static double waited(
	const struct costs *costs, uint64_t thread, uint64_t from, uint64_t to, uint32_t *first, uint32_t *next)
{
	const struct mpi_timelines *timelines = costs->profiles->timelines;
	double sum = 0;
	*first = mpi_timeline_wait(timelines, thread, from);
	for (*next = *first; *next < costs->wait_count; ++*next) {
		const struct mpi_wait *wait = &costs->waits[timelines->ends[*next]];
		if (mpi_wait_thread(wait) != thread || wait->end > to)
			break;
		sum += (double)wait->time;
	}
	return sum;
}

/* The part of a wait that is there because the late one had waited longer, which is passed on. */
static double pass_on(const struct costs *costs, uint32_t w, double cost)
{
	const struct delay_profiles *profiles = costs->profiles;
	const struct mpi_timelines *timelines = profiles->timelines;
	const struct mpi_wait *wait = &costs->waits[w];
	const struct mpi_meeting *meeting = &profiles->meetings[w];
	uint32_t first, next, own_first, own_next;
	double of_late = waited(costs, mpi_wait_late_thread(wait), meeting->late, wait->late_begin, &first, &next),
	       before = 0;
	if (of_late == 0)
		return 0;
	double more = of_late - waited(costs, mpi_wait_thread(wait), meeting->own, wait->begin, &own_first, &own_next);
	double part = more / (double)wait->time;
	for (uint32_t i = first; i < next; i++)
		before += costs->place[timelines->ends[i]] > costs->place[w]
				  ? (double)costs->waits[timelines->ends[i]].time
				  : 0;
	/* Clocks that disagree may show a cause after its effect; nothing is passed on to such a wait. */
	if (part <= 0 || before == 0)
		return 0;
	part = part < 1 ? part : 1;
	for (uint32_t i = first; i < next; i++) {
		uint32_t cause = timelines->ends[i];
		if (costs->place[cause] > costs->place[w])
			costs->passed[cause] += cost * part * (double)costs->waits[cause].time / before;
	}
	return part;
}

static int latest_first(const void *left, const void *right, void *context)
{
	const uint32_t *first = left, *second = right;
	const struct mpi_wait *waits = context, *a = &waits[*first], *b = &waits[*second];
	return COMPARE(b->end, a->end) ?: COMPARE(*first, *second);
}

/* Gives each group the costs that are its own. */
static void pass_costs(struct costs *costs)
{
	struct delay_profiles *profiles = costs->profiles;
	uint32_t *order = memory_new(costs->wait_count, sizeof *order);
	double *direct = memory_new(profiles->group_count, sizeof *direct);
	for (uint32_t w = 0; w < costs->wait_count; w++)
		order[w] = w;
	if (costs->wait_count)
		qsort_r(order, costs->wait_count, sizeof *order, latest_first, (void *)costs->waits);
	for (uint32_t i = 0; i < costs->wait_count; i++)
		costs->place[order[i]] = i;
	double *chain = memory_new(profiles->group_count, sizeof *chain);
	for (uint32_t i = 0; i < costs->wait_count; i++) {
		uint32_t w = order[i], group = profiles->group_of[w];
		double time = (double)costs->waits[w].time, kept = 1 - pass_on(costs, w, time + costs->passed[w]);
		direct[group] += time * kept;
		chain[group] += costs->passed[w] * kept;
	}
	/* Each is rounded by itself, so that it is the same whatever other experiments are loaded. */
	for (uint32_t g = 0; g < profiles->group_count; g++) {
		profiles->groups[g].direct = (uint64_t)(direct[g] + .5);
		profiles->groups[g].chain = (uint64_t)(chain[g] + .5);
	}
	free(chain);
	free(direct);
	free(order);
}

static int by_group(const void *left, const void *right)
{
	const struct delay_share *a = left, *b = right;
	int order = COMPARE(a->group, b->group) ?: COMPARE(a->identity, b->identity);
	return order ?: COMPARE(a->stack, b->stack) ?: COMPARE(a->key, b->key);
}

/* How much of the weight of samples outside of MPI calls is time there, never more than that is, and how much of that time no
   sample tells of. */
struct scales {
	double sampled, unsampled;
};

static struct scales scales_of(double outside, double sampled)
{
	if (sampled > outside)
		return (struct scales){outside / sampled, 0};
	return (struct scales){1, outside > 0 ? (outside - sampled) / outside : 0};
}

static double sum_of(const struct delay_time *time, struct scales scales)
{
	return time->inside + time->outside * scales.sampled + time->before * scales.unsampled;
}

static struct scales late_scales(const struct delay_group *group)
{
	return scales_of(group->outside, group->sampled);
}

/* Weighs the shares of one identity, from the first on, by how much longer the late side was there, or if that is not asked for, by
   how long. Returns their sum. */
static double weigh(const struct delay_profiles *profiles, uint32_t first, uint32_t next, double *weights, bool longer)
{
	const struct delay_share *shares = profiles->shares;
	const struct delay_group *group = &profiles->groups[shares[first].group];
	struct delay_time own = delay_own_of(profiles, shares[first].group, shares[first].identity);
	double before = sum_of(&own, scales_of(group->own_outside, group->own_sampled)), late = 0;
	for (uint32_t i = first; i < next; i++)
		late += sum_of(&shares[i].all, late_scales(group));
	double counts = !longer ? late : late > before ? late - before : 0;
	for (uint32_t i = first; i < next; i++)
		weights[i] = late > 0 ? counts * sum_of(&shares[i].all, late_scales(group)) / late : 0;
	return late > 0 ? counts : 0;
}

static double weigh_group(
	const struct delay_profiles *profiles, uint32_t first, uint32_t next, double *weights, bool longer)
{
	const struct delay_share *shares = profiles->shares;
	double sum = 0;
	for (uint32_t i = first, other; i < next; i = other) {
		for (other = i; other < next && shares[other].identity == shares[i].identity; other++)
			;
		sum += weigh(profiles, i, other, weights, longer);
	}
	return sum;
}

static double kept_part(const struct delay_share *share, struct scales scales)
{
	double all = sum_of(&share->all, scales);
	return all > 0 ? sum_of(&share->kept, scales) / all : share->some_kept;
}

static void add_delay(struct mpi_delays *delays, const struct delay_group *group, const struct delay_share *share)
{
	double kept = kept_part(share, late_scales(group));
	if (!share->direct && !share->chain)
		return;
	delays->all = memory_room(delays->all, delays->count, sizeof *delays->all);
	delays->all[delays->count++] = (struct mpi_delay){.experiment = group->experiment,
		.wait_stack = group->wait_stack,
		.late_stack = group->late_stack,
		.stack = share->stack,
		.key = share->key,
		.direct = share->direct,
		.chain = share->chain,
		.kept_direct = (uint64_t)((double)share->direct * kept + .5),
		.kept_chain = (uint64_t)((double)share->chain * kept + .5)};
}

/* A part of a cost in whole nanoseconds, never more than is left. */
static uint64_t part_of(uint64_t cost, double part, uint64_t *left)
{
	/* The order of the shares, which is not the same whatever else is loaded, changes the last bits of their sum. */
	uint64_t own = (uint64_t)((double)cost * part + 1e-3);
	own = own < *left ? own : *left;
	*left -= own;
	return own;
}

/* Whole nanoseconds, which together are the group's costs: the largest share gets the rest. */
static void divide_group(struct mpi_delays *delays, const struct delay_profiles *profiles, uint32_t first,
	uint32_t next, double *weights)
{
	const struct delay_group *group = &profiles->groups[profiles->shares[first].group];
	double sum = weigh_group(profiles, first, next, weights, true);
	uint64_t direct = group->direct, chain = group->chain;
	uint32_t largest = first;
	if (sum <= 0)
		sum = weigh_group(profiles, first, next, weights, false);
	for (uint32_t i = first; sum <= 0 && i < next; i++)
		weights[i] = 1;
	sum = sum <= 0 ? next - first : sum;
	for (uint32_t i = first; i < next; i++) {
		largest = weights[i] > weights[largest] ? i : largest;
		profiles->shares[i].direct = part_of(group->direct, weights[i] / sum, &direct);
		profiles->shares[i].chain = part_of(group->chain, weights[i] / sum, &chain);
	}
	profiles->shares[largest].direct += direct;
	profiles->shares[largest].chain += chain;
	for (uint32_t i = first; i < next; i++)
		add_delay(delays, group, &profiles->shares[i]);
}

static struct mpi_delays divide(struct delay_profiles *profiles)
{
	struct mpi_delays delays = {0};
	double *weights = memory_new(profiles->share_count, sizeof *weights);
	uint32_t next;
	if (profiles->share_count)
		qsort(profiles->shares, profiles->share_count, sizeof *profiles->shares, by_group);
	for (uint32_t first = 0; first < profiles->share_count; first = next) {
		for (next = first;
			next < profiles->share_count && profiles->shares[next].group == profiles->shares[first].group;
			next++)
			;
		divide_group(&delays, profiles, first, next, weights);
	}
	free(weights);
	return delays;
}

struct mpi_delays mpi_delays_find(struct data *data, const struct event_filter *filter, const struct metric_keys *keys,
	const struct mpi_identity *identity)
{
	struct mpi_trace *trace = mpi_trace_read(data, filter, keys);
	mpi_messages_match(trace);
	struct mpi_waits found = mpi_waits_read(data, filter, keys);
	const struct mpi_wait *waits = found.all;
	uint32_t wait_count = found.count;
	struct mpi_timelines timelines;
	struct delay_profiles profiles = {
		.timelines = &timelines, .identity = identity, .data = data, .by_stack = !keys};
	struct costs costs = {.profiles = &profiles, .waits = waits, .wait_count = wait_count};
	struct mpi_meeting *meetings = mpi_meetings_find(trace, data, waits, wait_count);
	mpi_timelines_read(&timelines, data, filter, keys, trace, waits, wait_count);
	profiles.meetings = meetings;
	delay_profiles_read(&profiles);
	costs.passed = memory_new(wait_count, sizeof *costs.passed);
	costs.place = memory_new(wait_count, sizeof *costs.place);
	pass_costs(&costs);
	struct mpi_delays delays = divide(&profiles);
	delays.waits = found;
	delays.recorded = trace->call_count != 0;
	free(costs.passed);
	free(costs.place);
	delay_profiles_free(&profiles);
	mpi_timelines_free(&timelines);
	free(meetings);
	mpi_trace_free(trace);
	return delays;
}

void mpi_delays_free(struct mpi_delays *delays)
{
	free(delays->all);
	free(delays->waits.all);
}
