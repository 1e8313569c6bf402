/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The definitions of an archive: clock, hosts, processes, threads, functions, contexts, communicators. */
#include "mpi_names.h"
#include "otf2_export.h"
#include "storage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Group 0 is all MPI processes; that of a communicator is its number and 1. */
enum { GROUP_LOCATIONS = 0, GROUP_FIRST = 1, ROOT_NODE = 0 };

/* The number of a string, which is defined when new. */
static OTF2_StringRef string(struct otf2_export *export, const char *text)
{
	uint32_t known = export->strings.count, number = strings_number(&export->strings, text);
	if (number == known)
		OTF2_GlobalDefWriter_WriteString(export->definitions, number, text);
	return number;
}

static void define_clock(struct otf2_export *export)
{
	OTF2_GlobalDefWriter_WriteClockProperties(
		export->definitions, 1000000000, 0, export->end + 1, export->times.start);
}

static void define_paradigm(struct otf2_export *export)
{
	OTF2_GlobalDefWriter_WriteParadigm(
		export->definitions, OTF2_PARADIGM_MPI, string(export, "MPI"), OTF2_PARADIGM_CLASS_PROCESS);
}

/* The node of each host, from 1. Returns their array by experiment, which the caller frees. */
static uint32_t *define_hosts(struct otf2_export *export)
{
	const struct data *data = export->session->data;
	uint32_t *node = memory_new(data->experiment_count, sizeof *node), count = ROOT_NODE + 1;
	OTF2_GlobalDefWriter_WriteSystemTreeNode(export->definitions, ROOT_NODE, string(export, "machine"),
		string(export, "machine"), OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(export->definitions, ROOT_NODE, OTF2_SYSTEM_TREE_DOMAIN_MACHINE);
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		const char *host = data->experiments[e].file->system->host;
		for (uint32_t other = 0; other < e && !node[e]; other++)
			if (!strcmp(data->experiments[other].file->system->host, host))
				node[e] = node[other];
		if (node[e])
			continue;
		node[e] = count++;
		OTF2_GlobalDefWriter_WriteSystemTreeNode(
			export->definitions, node[e], string(export, host), string(export, "node"), ROOT_NODE);
		OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(
			export->definitions, node[e], OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY);
	}
	return node;
}

static const char *process_name(struct otf2_export *export, const struct mpi_process_names *names, uint32_t experiment)
{
	const struct experiment *file = export->session->data->experiments[experiment].file;
	if (mpi_event(file, "mpi"))
		return table_text(&export->texts, "MPI Rank %s", mpi_process_name(names, experiment));
	return table_text(&export->texts, "Process %" PRIu64, file->process.pid);
}

static void define_location(struct otf2_export *export, uint32_t location, uint32_t group, uint32_t thread)
{
	const char *name = table_text(&export->texts, "Thread %" PRIu32, thread);
	OTF2_GlobalDefWriter_WriteLocation(export->definitions, location, string(export, name),
		OTF2_LOCATION_TYPE_CPU_THREAD, export->events[location], group);
}

static void define_group_of_process(struct otf2_export *export, uint32_t group, const char *name, uint32_t node)
{
	OTF2_GlobalDefWriter_WriteLocationGroup(export->definitions, group, string(export, name),
		OTF2_LOCATION_GROUP_TYPE_PROCESS, node, OTF2_UNDEFINED_LOCATION_GROUP);
}

static void define_processes(struct otf2_export *export)
{
	const struct data *data = export->session->data;
	const struct timeline *timeline = export->timeline;
	uint32_t *node = define_hosts(export), first = 0, group = 0;
	struct mpi_process_names names = mpi_process_names_make(export->session, &export->texts);
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		uint32_t last = first;
		while (last < timeline->location_count && timeline->locations[last].experiment == e)
			last++;
		bool idle = export->master[e] != NO_LOCATION && export->master[e] >= timeline->location_count;
		if (first == last && !idle)
			continue;
		define_group_of_process(export, group, process_name(export, &names, e), node[e]);
		for (; first < last; first++)
			define_location(export, first, group, timeline->locations[first].thread);
		if (idle)
			define_location(export, export->master[e], group, 1);
		group++;
	}
	if (export->absent != NO_LOCATION) {
		define_group_of_process(export, group, "MPI ranks that are not loaded", ROOT_NODE);
		define_location(export, export->absent, group, 1);
	}
	free(names.text);
	free(node);
}

static OTF2_RegionRole role_of(const struct context_region *region)
{
	static const struct {
		const char *class;
		OTF2_RegionRole role;
	} roles[] = {{"point-to-point", OTF2_REGION_ROLE_POINT2POINT}, {"completion", OTF2_REGION_ROLE_POINT2POINT},
		{"collective", OTF2_REGION_ROLE_COLL_OTHER}, {"one-sided", OTF2_REGION_ROLE_RMA},
		{"file", OTF2_REGION_ROLE_FILE_IO}};
	const struct otf2_collective *collective = otf2_collective_find(region->mpi);
	if (collective)
		return collective->role;
	for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
		if (!strcmp(roles[i].class, region->class))
			return roles[i].role;
	return OTF2_REGION_ROLE_FUNCTION;
}

static void define_mpi_region(struct otf2_export *export, uint32_t number)
{
	const struct context_region *region = &export->contexts->regions[number];
	OTF2_StringRef name = string(export, region->mpi);
	OTF2_GlobalDefWriter_WriteRegion(export->definitions, number, name, name, string(export, region->class),
		role_of(region), OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0);
}

static void define_function(struct otf2_export *export, uint32_t number)
{
	struct resolver *resolver = export->session->resolver;
	uint32_t function = export->contexts->regions[number].function;
	const struct function *own = resolver_function(resolver, function);
	const char *file = resolver_file(resolver, own->file);
	OTF2_GlobalDefWriter_WriteRegion(export->definitions, number,
		string(export, session_function_name(export->session, &export->texts, function)),
		string(export, own->mangled), string(export, resolver_object_name(resolver, own->object)),
		own->artificial ? OTF2_REGION_ROLE_ARTIFICIAL : OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_SAMPLING,
		OTF2_REGION_FLAG_NONE, *file ? string(export, file) : OTF2_UNDEFINED_STRING, own->first_line, 0);
}

static void define_contexts(struct otf2_export *export)
{
	const struct calling_contexts *contexts = export->contexts;
	for (uint32_t r = 0; r < contexts->region_count; r++)
		if (contexts->regions[r].mpi)
			define_mpi_region(export, r);
		else
			define_function(export, r);
	for (uint32_t c = 0; c < contexts->node_count; c++)
		OTF2_GlobalDefWriter_WriteCallingContext(export->definitions, c, contexts->nodes[c].region,
			OTF2_UNDEFINED_SOURCE_CODE_LOCATION,
			contexts->nodes[c].parent == NO_CONTEXT ? OTF2_UNDEFINED_CALLING_CONTEXT
								: contexts->nodes[c].parent);
}

/* An interval is what was asked for; that of a counter may have been raised while it ran. */
static void define_generators(struct otf2_export *export)
{
	for (uint32_t g = 0; g < export->generator_count; g++) {
		const struct otf2_generator *own = &export->generators[g];
		const struct experiment *file = export->session->data->experiments[own->experiment].file;
		const struct overflow_counter *counter = otf2_generator_counter(export, own);
		const char *name = counter ? counter->name : own->counter ? "counter" : "CPU time";
		OTF2_GlobalDefWriter_WriteInterruptGenerator(export->definitions, g, string(export, name),
			own->counter ? OTF2_INTERRUPT_GENERATOR_MODE_COUNT : OTF2_INTERRUPT_GENERATOR_MODE_TIME,
			OTF2_BASE_DECIMAL, own->counter ? 0 : -9,
			counter        ? counter->interval
			: own->counter ? 0
				       : file->settings->clock_interval);
	}
}

/* The ranks of a group, by their places among all MPI processes. */
static void define_group(struct otf2_export *export, uint32_t communicator, const uint32_t *place)
{
	uint32_t size = otf2_group_size(export, communicator);
	uint64_t *members = memory_new(size, sizeof *members);
	for (uint32_t rank = 0; rank < size; rank++)
		members[rank] = place[otf2_group_member(export, communicator, rank)];
	OTF2_GlobalDefWriter_WriteGroup(export->definitions, GROUP_FIRST + communicator, string(export, ""),
		OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, size, members);
	free(members);
}

static void define_communicator(struct otf2_export *export, uint32_t communicator)
{
	const struct mpi_world *world = export->timeline->world;
	const struct mpi_communicator *own = mpi_world_communicator(world, communicator);
	OTF2_StringRef name = string(export, mpi_communicator_name(&export->texts, world, communicator));
	if (otf2_communicator(export, communicator) != communicator)
		return;
	if (own->remote_size && own->peers != NO_COMMUNICATOR)
		OTF2_GlobalDefWriter_WriteInterComm(export->definitions, communicator, name, GROUP_FIRST + communicator,
			GROUP_FIRST + own->peers, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	else
		OTF2_GlobalDefWriter_WriteComm(export->definitions, communicator, name, GROUP_FIRST + communicator,
			OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

static void define_communicators(struct otf2_export *export)
{
	const struct data *data = export->session->data;
	const struct mpi_world *world = export->timeline->world;
	uint32_t count = 0, *place = memory_new(export->location_count, sizeof *place);
	uint64_t *members = memory_new(export->location_count, sizeof *members);
	for (uint32_t e = 0; e <= data->experiment_count; e++) {
		uint32_t location = e < data->experiment_count ? export->master[e] : export->absent;
		if (location == NO_LOCATION)
			continue;
		place[location] = count;
		members[count++] = location;
	}
	if (count)
		OTF2_GlobalDefWriter_WriteGroup(export->definitions, GROUP_LOCATIONS, string(export, ""),
			OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, count, members);
	for (uint32_t c = 0; count && c < mpi_world_count(world); c++)
		define_group(export, c, place);
	for (uint32_t c = 0; count && c < mpi_world_count(world); c++)
		define_communicator(export, c);
	free(place);
	free(members);
}

static void define_opened(struct otf2_export *export)
{
	if (export->file_count)
		OTF2_GlobalDefWriter_WriteIoParadigm(export->definitions, 0, string(export, "MPI-IO"),
			string(export, "MPI-IO"), OTF2_IO_PARADIGM_CLASS_PARALLEL, OTF2_IO_PARADIGM_FLAG_NONE, 0, 0, 0,
			0);
	for (uint32_t i = 0; i < export->opened_count; i++) {
		const struct otf2_opened *own = &export->opened[i];
		OTF2_StringRef name = string(export, otf2_opened_name(export, own));
		OTF2_CommRef communicator = otf2_communicator(export, own->communicator);
		if (!own->file) {
			OTF2_GlobalDefWriter_WriteRmaWin(
				export->definitions, own->self, name, communicator, OTF2_RMA_WIN_FLAG_NONE);
			continue;
		}
		OTF2_GlobalDefWriter_WriteIoHandle(export->definitions, own->self, name, OTF2_UNDEFINED_IO_FILE, 0,
			OTF2_IO_HANDLE_FLAG_PRE_CREATED, communicator, OTF2_UNDEFINED_IO_HANDLE);
		OTF2_GlobalDefWriter_WriteIoPreCreatedHandleState(
			export->definitions, own->self, OTF2_IO_ACCESS_MODE_READ_WRITE, OTF2_IO_STATUS_FLAG_NONE);
	}
}

void otf2_write_definitions(struct otf2_export *export)
{
	define_clock(export);
	define_paradigm(export);
	define_processes(export);
	define_contexts(export);
	define_generators(export);
	define_communicators(export);
	define_opened(export);
}
