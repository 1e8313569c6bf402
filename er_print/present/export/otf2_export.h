/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A trace in the Open Trace Format 2 (OTF2 3.0, of the Score-P project), as tools like Vampir read it. Threads are locations,
   processes location groups, MPI calls and samples events of calling contexts: a reader that knows Enter and Leave alone gets
   those of the MPI calls from the OTF2 library. */
#ifndef OTF2_EXPORT_H
#define OTF2_EXPORT_H

#include "calling_contexts.h"
#include "session.h"
#include "timeline.h"
#include "trace_times.h"

#include <otf2/otf2.h>

struct otf2_collective {
	const char *name;
	OTF2_CollectiveOp operation;
	OTF2_RegionRole role;
	bool rooted;
};

/* A window or a file. */
struct otf2_opened {
	uint32_t communicator, number; /* which of the communicator's windows and files */
	uint32_t self;                 /* OTF2's number of it, of all windows or of all files */
	bool file;
};

struct otf2_export {
	struct session *session;
	const struct timeline *timeline;
	struct calling_contexts *contexts;
	OTF2_Archive *archive;
	OTF2_GlobalDefWriter *definitions;
	struct strings strings; /* numbers are OTF2's */
	struct table texts;
	struct trace_times times;
	uint64_t end;            /* of the trace */
	uint64_t *events;        /* by location */
	uint32_t location_count; /* those of the timeline, and without events */
	uint32_t *master;        /* by experiment: the location that stands for the process in MPI; NO_LOCATION: none */
	uint32_t absent;         /* the location that stands for all ranks that are not loaded; NO_LOCATION: all are */
	struct number_map opened_places; /* (communicator, its window or file) -> index of opened */
	struct otf2_opened *opened;
	uint32_t opened_count, window_count, file_count;
	struct otf2_generator {
		uint32_t experiment, counter; /* as in timeline_record */
	} * generators;
	uint32_t generator_count;
	struct error *error;
};
#define NO_LOCATION UINT32_MAX

/* The archive asks these for memory. */
extern const OTF2_MemoryCallbacks otf2_memory;

/* 0: the function is no collective operation that OTF2 has. */
const struct otf2_collective *otf2_collective_find(const char *function);

/* The number of what interrupts for these samples; added when new. */
uint32_t otf2_generator_find(struct otf2_export *export, uint32_t experiment, uint32_t counter);
/* 0: it is no counter, or not known. */
const struct overflow_counter *otf2_generator_counter(
	const struct otf2_export *export, const struct otf2_generator *own);
/* The name by which events refer to a communicator of the world. */
OTF2_CommRef otf2_communicator(const struct otf2_export *export, uint32_t communicator);
/* How many ranks a group of the world has. */
uint32_t otf2_group_size(const struct otf2_export *export, uint32_t communicator);
/* The location of one of them. */
uint32_t otf2_group_member(const struct otf2_export *export, uint32_t communicator, uint32_t rank);

/* The number of a window among all windows, or of a file among all files; added when new. */
uint32_t otf2_opened(struct otf2_export *export, uint32_t communicator, uint32_t number, bool file);
const char *otf2_opened_name(struct otf2_export *export, const struct otf2_opened *opened);
/* A one-sided operation that begins, by the function of this name, and whether a function completes those that its thread
   began. Times are the trace's. */
void otf2_write_remote(struct otf2_export *export, OTF2_EvtWriter *writer, uint64_t time,
	const struct timeline_record *record, const char *function);
bool otf2_completes_remote(const char *function);
/* The two ends of a call that reads or writes a file. */
void otf2_begin_file_transfer(struct otf2_export *export, OTF2_EvtWriter *writer, uint64_t time,
	const struct timeline_record *record, const char *function);
void otf2_end_file_transfer(struct otf2_export *export, OTF2_EvtWriter *writer, uint64_t time,
	const struct timeline_record *record, const char *function);

/* Writes the events of the timeline's locations, and how many they are of each. */
void otf2_write_events(struct otf2_export *export);
/* After the events. */
void otf2_write_definitions(struct otf2_export *export);

#endif
