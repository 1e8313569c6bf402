/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command otf2: writes what was recorded of MPI and of samples as an OTF2 archive into a new directory. */
#include "command_functions.h"
#include "mpi_ranks.h"
#include "otf2_export.h"
#include "storage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EVENT_CHUNK = OTF2_CHUNK_SIZE_MIN, DEFINITION_CHUNK = 1 << 22 };

static OTF2_FlushType before_flush(
	void *context, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)context, (void)type, (void)location, (void)caller, (void) final;
	return OTF2_FLUSH;
}

static OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = before_flush};

/* The first thing that goes wrong is what is told. */
static OTF2_ErrorCode keep_error(void *context, const char *file, uint64_t line, const char *function,
	OTF2_ErrorCode code, const char *format, va_list values)
{
	struct otf2_export *export = context;
	(void)file, (void)line, (void)function, (void)format, (void)values;
	if (code > OTF2_SUCCESS && !*export->error->text)
		error_set(export->error, "%s", OTF2_Error_GetDescription(code));
	return code;
}

const struct overflow_counter *otf2_generator_counter(
	const struct otf2_export *export, const struct otf2_generator *own)
{
	const struct experiment *file = export->session->data->experiments[own->experiment].file;
	return own->counter && own->counter <= file->overflow_counter_count ? &file->overflow_counters[own->counter - 1]
									    : 0;
}

static bool are_alike(const struct otf2_export *export, const struct otf2_generator *a, const struct otf2_generator *b)
{
	const struct loaded_experiment *experiments = export->session->data->experiments;
	const struct overflow_counter *one = otf2_generator_counter(export, a),
				      *other = otf2_generator_counter(export, b);
	if (!one || !other)
		return a->counter == b->counter && experiments[a->experiment].file->settings->clock_interval ==
							   experiments[b->experiment].file->settings->clock_interval;
	return !strcmp(one->name, other->name) && one->interval == other->interval;
}

uint32_t otf2_generator_find(struct otf2_export *export, uint32_t experiment, uint32_t counter)
{
	struct otf2_generator own = {experiment, counter};
	for (uint32_t g = 0; g < export->generator_count; g++)
		if (are_alike(export, &export->generators[g], &own))
			return g;
	export->generators = memory_room(export->generators, export->generator_count, sizeof *export->generators);
	export->generators[export->generator_count] = own;
	return export->generator_count++;
}

OTF2_CommRef otf2_communicator(const struct otf2_export *export, uint32_t communicator)
{
	if (communicator == NO_COMMUNICATOR)
		return OTF2_UNDEFINED_COMM;
	const struct mpi_communicator *own = mpi_world_communicator(export->timeline->world, communicator);
	return own->peers < communicator ? own->peers : communicator;
}

/* A damaged log may say any size. */
uint32_t otf2_group_size(const struct otf2_export *export, uint32_t communicator)
{
	enum { MOST = 1 << 20 };
	const struct mpi_world *world = export->timeline->world;
	uint64_t size = mpi_world_communicator(world, communicator)->size;
	for (uint32_t e = 0; e < export->session->data->experiment_count; e++) {
		uint32_t rank = mpi_world_rank(world, communicator, e);
		size = rank < MOST && rank >= size ? rank + 1 : size;
	}
	return size < MOST ? (uint32_t)size : MOST;
}

uint32_t otf2_group_member(const struct otf2_export *export, uint32_t communicator, uint32_t rank)
{
	uint32_t experiment = mpi_world_member(export->timeline->world, communicator, rank);
	return experiment == NO_EXPERIMENT || export->master[experiment] == NO_LOCATION ? export->absent
											: export->master[experiment];
}

static bool has_absent(const struct otf2_export *export)
{
	uint32_t count = mpi_world_count(export->timeline->world);
	for (uint32_t c = 0; c < count; c++) {
		uint32_t size = otf2_group_size(export, c);
		for (uint32_t rank = 0; rank < size; rank++)
			if (otf2_group_member(export, c, rank) == NO_LOCATION)
				return true;
	}
	return false;
}

/* The first thread of an MPI process stands for it; one that did nothing gets a location without events. */
static void find_masters(struct otf2_export *export)
{
	const struct data *data = export->session->data;
	const struct timeline *timeline = export->timeline;
	export->location_count = timeline->location_count;
	export->master = memory_new(data->experiment_count, sizeof *export->master);
	memset(export->master, 0xff, data->experiment_count * sizeof *export->master);
	for (uint32_t l = timeline->location_count; l-- > 0;)
		export->master[timeline->locations[l].experiment] = l;
	for (uint32_t e = 0; e < data->experiment_count; e++)
		if (!mpi_event(data->experiments[e].file, "mpi"))
			export->master[e] = NO_LOCATION;
		else if (export->master[e] == NO_LOCATION)
			export->master[e] = export->location_count++;
	export->absent = NO_LOCATION;
	if (has_absent(export))
		export->absent = export->location_count++;
	export->events = memory_new(export->location_count, sizeof *export->events);
}

static void write_local_files(struct otf2_export *export)
{
	OTF2_Archive_OpenEvtFiles(export->archive);
	otf2_write_events(export);
	for (uint32_t l = export->timeline->location_count; l < export->location_count; l++)
		OTF2_Archive_CloseEvtWriter(export->archive, OTF2_Archive_GetEvtWriter(export->archive, l));
	OTF2_Archive_CloseEvtFiles(export->archive);
	OTF2_Archive_OpenDefFiles(export->archive);
	for (uint32_t l = 0; l < export->location_count; l++)
		OTF2_Archive_CloseDefWriter(export->archive, OTF2_Archive_GetDefWriter(export->archive, l));
	OTF2_Archive_CloseDefFiles(export->archive);
}

static void write_archive(struct otf2_export *export, const char *directory)
{
	const struct data *data = export->session->data;
	export->archive = OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE, EVENT_CHUNK, DEFINITION_CHUNK,
		OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!export->archive)
		return;
	OTF2_Archive_SetFlushCallbacks(export->archive, &callbacks, export);
	OTF2_Archive_SetMemoryCallbacks(export->archive, &otf2_memory, export);
	OTF2_Archive_SetSerialCollectiveCallbacks(export->archive);
	OTF2_Archive_SetCreator(export->archive, "er-tools er_print");
	OTF2_Archive_SetMachineName(export->archive, data->experiments[0].file->system->host);
	OTF2_Archive_SetDescription(export->archive, data_command(data, 0));
	write_local_files(export);
	export->definitions = OTF2_Archive_GetGlobalDefWriter(export->archive);
	if (export->definitions) {
		otf2_write_definitions(export);
		OTF2_Archive_CloseGlobalDefWriter(export->archive, export->definitions);
	}
	OTF2_Archive_Close(export->archive);
}

static void free_export(struct otf2_export *export)
{
	calling_contexts_free(export->contexts);
	strings_free(&export->strings);
	table_free(&export->texts);
	trace_times_free(&export->times);
	free(export->events);
	free(export->master);
	free(export->generators);
	free(export->opened);
	number_map_free(&export->opened_places);
}

static bool write_timeline(struct session *session, const struct timeline *timeline, const char *directory)
{
	struct error error = {""};
	struct otf2_export export = {.session = session,
		.timeline = timeline,
		.contexts = calling_contexts_create(session->data, session->resolver),
		.error = &error};
	OTF2_ErrorCallback before = OTF2_Error_RegisterCallback(keep_error, &export);
	export.times = trace_times_make(session->data);
	find_masters(&export);
	write_archive(&export, directory);
	OTF2_Error_RegisterCallback(before, 0);
	free_export(&export);
	if (*error.text)
		return session_error(session, "%s: the OTF2 library could not write it: %s", directory, error.text);
	fprintf(stderr, "OTF2 trace written to %s/traces.otf2\n", directory);
	return true;
}

bool command_otf2(struct session *session, unsigned argc, char **argv)
{
	struct stat status;
	if (!argc || !*argv[0])
		return session_error(session, "otf2 needs the name of a directory to make");
	if (lstat(argv[0], &status) == 0)
		return session_error(session, "otf2: %s exists already", argv[0]);
	if (mkdir(argv[0], 0777) != 0)
		return session_error(session, "Unable to make directory: %s (%s)", argv[0], strerror(errno));
	session_tell_names_apart(session);
	struct timeline *timeline = timeline_read(session->data, session_filter(session));
	bool written = false;
	if (!timeline->some)
		session_error(session, "There are no MPI calls and no samples that otf2 could write");
	else
		written = write_timeline(session, timeline, argv[0]);
	if (!written)
		rmdir(argv[0]);
	timeline_free(timeline);
	return written;
}
