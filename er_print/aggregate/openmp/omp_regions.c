/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass over the events, those of each thread in the order of time, fills in the regions of each process by their numbers; then
   come the sums. */
#include "omp_regions.h"
#include "recorded_time.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

/* A time that a region ran. Times are ns since the founder's start. */
struct instance {
	uint64_t begin, end;
	uint64_t number, parent;
	uint64_t work, largest; /* of its members: the sum of their times without waits, the largest of them */
	uint64_t waited;        /* by them in it */
	uint64_t ends;          /* sum of their ends, of those that have one */
	uint64_t late;          /* times of tasks that they ran after their ends */
	uint32_t members, ended_members;
	uint32_t stack;
	bool begun, ended, kept;
};
struct process {
	struct number_map numbers; /* of regions: their places */
	struct instance *instances;
	uint32_t count, capacity;
	uint64_t end; /* of its recording */
};

/* The regions that a thread works in, the innermost last. */
struct member {
	uint64_t region, begin;
	uint64_t waited; /* in tasks */
	bool kept;
};
struct working {
	uint32_t experiment;
	struct member *members;
	uint32_t count, capacity;
	uint64_t ended, work; /* the last region that it ended its work in, and that work */
};
struct pass {
	struct data *data;
	struct process *processes;    /* by experiment */
	struct number_map thread_map; /* by number_pair of experiment and thread: places of threads */
	struct working *threads;
	uint32_t thread_count, thread_capacity;
};

static struct instance *instance_of(struct process *process, uint64_t number)
{
	uint32_t *place = number_map_place(&process->numbers, number);
	if (*place == NO_NUMBER) {
		*place = process->count;
		memory_reserve(process->instances, process->count, process->capacity);
		process->instances[process->count++] = (struct instance){.number = number};
	}
	return &process->instances[*place];
}

/* `waited`: by it without tasks. */
static void end_member(struct pass *pass, struct working *thread, uint64_t time, uint64_t waited, bool ended)
{
	const struct member *member = &thread->members[--thread->count];
	struct instance *instance = instance_of(&pass->processes[thread->experiment], member->region);
	uint64_t work = time > member->begin ? time - member->begin : 0;
	if (!member->kept)
		return;
	waited += member->waited;
	waited = waited < work ? waited : work;
	work -= waited;
	instance->waited += waited;
	instance->kept = true;
	instance->members++;
	instance->work += work;
	instance->largest = work > instance->largest ? work : instance->largest;
	instance->ended_members += ended;
	instance->ends += ended ? time : 0;
	if (thread->ended && instance->parent == thread->ended)
		return; /* a task began it, after the end there */
	thread->ended = instance->number;
	thread->work = work;
}

/* A task that ended. While the thread is a member its time is the member's; after that it ran in the barrier at the region's end.
   */
static void end_task(struct working *thread, struct instance *instance, uint64_t time, uint64_t waited, bool kept)
{
	for (uint32_t i = thread->count; i-- > 0;)
		if (thread->members[i].region == instance->number) {
			thread->members[i].waited += waited;
			return;
		}
	if (!kept)
		return;
	waited = waited < time ? waited : time;
	instance->kept = true;
	instance->late += time;
	instance->waited += waited;
	instance->work += time - waited;
	if (thread->ended != instance->number)
		return;
	thread->work += time - waited;
	instance->largest = thread->work > instance->largest ? thread->work : instance->largest;
}

/* Members that were at work when recording ended: they never waited. */
static void end_threads(struct pass *pass)
{
	for (struct working *thread = pass->threads; thread < pass->threads + pass->thread_count; thread++) {
		while (thread->count)
			end_member(pass, thread, pass->processes[thread->experiment].end, 0, false);
		free(thread->members);
	}
	free(pass->threads);
	number_map_free(&pass->thread_map);
}

static struct working *thread_of(struct pass *pass, const struct data_batch *batch)
{
	uint32_t experiment = (uint32_t)(batch->experiment - pass->data->experiments);
	uint32_t *place = number_map_place(&pass->thread_map, number_pair(experiment, batch->thread[0]));
	if (*place == NO_NUMBER) {
		*place = pass->thread_count;
		memory_reserve(pass->threads, pass->thread_count, pass->thread_capacity);
		pass->threads[pass->thread_count++] = (struct working){.experiment = experiment};
	}
	return &pass->threads[*place];
}

static void begin_region(struct instance *instance, const struct data_batch *batch, uint32_t i, bool kept)
{
	instance->begun = true;
	instance->begin = batch->time[i];
	instance->parent = batch->field[FIELD_INDEX(OPENMP, parent)][i];
	instance->stack = batch->stack[i];
	instance->kept |= kept;
}

/* An inner one that did not end was left in a way that nobody told us. */
static void end_member_of(struct pass *pass, struct working *thread, uint64_t region, uint64_t time, uint64_t waited)
{
	uint32_t depth = thread->count;
	while (depth && thread->members[depth - 1].region != region)
		depth--;
	while (depth && thread->count >= depth)
		end_member(pass, thread, time, thread->count == depth ? waited : 0, true);
}

static void add_event(struct pass *pass, struct working *thread, const struct data_batch *batch, uint32_t i, bool kept)
{
	uint64_t region = batch->field[FIELD_INDEX(OPENMP, region)][i];
	uint64_t waited = batch->field[FIELD_INDEX(OPENMP, waited)][i];
	struct instance *instance = instance_of(&pass->processes[thread->experiment], region);
	switch (batch->field[FIELD_INDEX(OPENMP, what)][i]) {
	case STATE_VALUE(OPENMP, what, region_begin):
		begin_region(instance, batch, i, kept);
		break;
	case STATE_VALUE(OPENMP, what, region_end):
		instance->ended = true;
		instance->end = batch->time[i];
		break;
	case STATE_VALUE(OPENMP, what, member_begin):
		memory_reserve(thread->members, thread->count, thread->capacity);
		thread->members[thread->count++] =
			(struct member){.region = region, .begin = batch->time[i], .kept = kept};
		break;
	case STATE_VALUE(OPENMP, what, member_end):
		end_member_of(pass, thread, region, batch->time[i], waited);
		break;
	case STATE_VALUE(OPENMP, what, task):
		end_task(thread, instance, batch->field[FIELD_INDEX(OPENMP, duration)][i], waited, kept);
		break;
	default:
		break;
	}
}

/* All events of the batch are of one thread. */
static void add_batch(void *context, const struct data_batch *batch, const bool *kept)
{
	struct pass *pass = context;
	struct working *thread = batch->count ? thread_of(pass, batch) : 0;
	for (uint32_t i = 0; i < batch->count; i++)
		add_event(pass, thread, batch, i, !kept || kept[i]);
}

struct summing {
	struct omp_regions *regions;
	struct omp_sites sites;
	struct omp_sums *sums; /* by site */
	uint32_t capacity;
};

static struct omp_sums *site_sums(struct summing *summing, uint32_t stack)
{
	uint32_t count = summing->sites.count, site = omp_site_of(&summing->sites, stack);
	if (site == count) {
		memory_reserve(summing->sums, count, summing->capacity);
		summing->sums[site] = (struct omp_sums){0};
	}
	return &summing->sums[site];
}

/* A region that has not ended lasts until recording does, and nobody waits at its end; the waits inside are there. */
static struct omp_sums sums_of(const struct instance *instance, const struct process *process)
{
	uint64_t end = instance->ended ? instance->end : process->end, waits = instance->ended_members * end;
	uint64_t others = instance->ends + instance->late;
	return (struct omp_sums){.calls = 1,
		.members = instance->members,
		.time = end > instance->begin ? end - instance->begin : 0,
		.work = instance->work,
		.wait = (instance->ended && waits > others ? waits - others : 0) + instance->waited,
		.largest = (double)instance->largest,
		.mean = instance->members ? (double)instance->work / instance->members : 0};
}

static void add_sums(struct omp_sums *to, const struct omp_sums *from, bool outermost)
{
	to->calls += from->calls;
	to->members += from->members;
	to->work += from->work;
	to->wait += from->wait;
	to->time += outermost ? from->time : 0;
	to->largest += outermost ? from->largest : 0;
	to->mean += outermost ? from->mean : 0;
}

/* The time of a region is no work of the member that began it. */
static void take_inner(const struct instance *instance, struct process *process)
{
	uint32_t place = number_map_find(&process->numbers, instance->parent);
	struct instance *parent = place == NO_NUMBER ? 0 : &process->instances[place];
	if (!parent || parent == instance)
		return;
	uint64_t end = instance->ended ? instance->end : process->end;
	uint64_t time = end > instance->begin ? end - instance->begin : 0;
	parent->work -= time < parent->work ? time : parent->work;
}

static void sum_process(struct summing *summing, struct process *process)
{
	struct omp_sums *sums = memory_new(process->count, sizeof *sums);
	for (uint32_t i = 0; i < process->count; i++)
		sums[i] = sums_of(&process->instances[i], process);
	/* The means above are of the whole time, with regions inside. */
	for (uint32_t i = 0; i < process->count; i++)
		if (process->instances[i].begun && process->instances[i].kept)
			take_inner(&process->instances[i], process);
	for (uint32_t i = 0; i < process->count; i++) {
		const struct instance *instance = &process->instances[i];
		if (!instance->begun || !instance->kept)
			continue;
		sums[i].work = instance->work;
		add_sums(site_sums(summing, instance->stack), &sums[i], true);
		add_sums(&summing->regions->total, &sums[i], !instance->parent);
		summing->regions->unfinished += !instance->ended;
	}
	free(sums);
}

static int by_work(const void *one, const void *other)
{
	const struct omp_region_site *a = one, *b = other;
	return COMPARE(b->sums.work + b->sums.wait, a->sums.work + a->sums.wait)
		       ?: COMPARE(a->site.stack, b->site.stack);
}

static void take_sites(struct summing *summing)
{
	struct omp_regions *regions = summing->regions;
	regions->site_count = summing->sites.count;
	regions->sites = memory_new(regions->site_count, sizeof *regions->sites);
	for (uint32_t i = 0; i < regions->site_count; i++)
		regions->sites[i] = (struct omp_region_site){summing->sites.sites[i], summing->sums[i]};
	if (regions->site_count)
		qsort(regions->sites, regions->site_count, sizeof *regions->sites, by_work);
	omp_sites_free(&summing->sites);
	free(summing->sums);
}

struct omp_regions *omp_regions_read(struct data *data, const struct event_filter *filter, struct resolver *resolver)
{
	struct omp_regions *regions = memory_new(1, sizeof *regions);
	struct pass pass = {.data = data, .processes = memory_new(data->experiment_count, sizeof *pass.processes)};
	struct summing summing = {.regions = regions, .sites = {.data = data, .resolver = resolver}};
	for (uint32_t e = 0; e < data->experiment_count; e++)
		pass.processes[e].end = data->experiments[e].start_offset + recorded_end(data->experiments[e].file);
	event_filter_mark_threads_in_time(data, KIND_OPENMP, filter, add_batch, &pass);
	regions->recorded = pass.thread_count != 0;
	end_threads(&pass);
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		sum_process(&summing, &pass.processes[e]);
		number_map_free(&pass.processes[e].numbers);
		free(pass.processes[e].instances);
	}
	take_sites(&summing);
	free(pass.processes);
	return regions;
}

void omp_regions_free(struct omp_regions *regions)
{
	if (!regions)
		return;
	free(regions->sites);
	free(regions);
}
