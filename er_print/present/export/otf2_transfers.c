/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One-sided operations and transfers of MPI's files. */
#include "mpi_names.h"
#include "otf2_export.h"
#include "storage.h"

#include <inttypes.h>
#include <string.h>

uint32_t otf2_opened(struct otf2_export *export, uint32_t communicator, uint32_t number, bool file)
{
	uint32_t *place = number_map_place(&export->opened_places, number_pair(communicator, number));
	if (*place == NO_NUMBER) {
		export->opened = memory_room(export->opened, export->opened_count, sizeof *export->opened);
		export->opened[export->opened_count] = (struct otf2_opened){.communicator = communicator,
			.number = number,
			.self = file ? export->file_count++ : export->window_count++,
			.file = file};
		*place = export->opened_count++;
	}
	return export->opened[*place].self;
}

static OTF2_RmaAtomicType atomic_type(const char *function)
{
	if (strstr(function, "Compare_and_swap"))
		return OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP;
	if (strstr(function, "Fetch_and_op") || strstr(function, "et_accumulate"))
		return OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE;
	return OTF2_RMA_ATOMIC_TYPE_ACCUMULATE;
}

void otf2_write_remote(struct otf2_export *export, OTF2_EvtWriter *writer, uint64_t time,
	const struct timeline_record *record, const char *function)
{
	OTF2_RmaWinRef window = otf2_opened(export, record->communicator, record->opened, false);
	if (strstr(function, "ut") && !strstr(function, "ccumulate"))
		OTF2_EvtWriter_RmaPut(writer, 0, time, window, record->peer, record->sent, record->request);
	else if (!record->sent && !strstr(function, "ccumulate"))
		OTF2_EvtWriter_RmaGet(writer, 0, time, window, record->peer, record->received, record->request);
	else
		OTF2_EvtWriter_RmaAtomic(writer, 0, time, window, record->peer, atomic_type(function), record->sent,
			record->received, record->request);
}

static OTF2_IoOperationFlag flags_of(const char *function)
{
	OTF2_IoOperationFlag flags = OTF2_IO_OPERATION_FLAG_NONE;
	if (!strncmp(function, "MPI_File_i", 10))
		flags |= OTF2_IO_OPERATION_FLAG_NON_BLOCKING;
	if (strstr(function, "_all") || strstr(function, "_ordered"))
		flags |= OTF2_IO_OPERATION_FLAG_COLLECTIVE;
	return flags;
}

void otf2_begin_file_transfer(struct otf2_export *export, OTF2_EvtWriter *writer, uint64_t time,
	const struct timeline_record *record, const char *function)
{
	OTF2_EvtWriter_IoOperationBegin(writer, 0, time,
		otf2_opened(export, record->communicator, record->opened, true),
		strstr(function, "read") ? OTF2_IO_OPERATION_MODE_READ : OTF2_IO_OPERATION_MODE_WRITE,
		flags_of(function), record->sent + record->received, record->request);
}

void otf2_end_file_transfer(struct otf2_export *export, OTF2_EvtWriter *writer, uint64_t time,
	const struct timeline_record *record, const char *function)
{
	uint32_t file = otf2_opened(export, record->communicator, record->opened, true);
	if (flags_of(function) & OTF2_IO_OPERATION_FLAG_NON_BLOCKING)
		OTF2_EvtWriter_IoOperationIssued(writer, 0, time, file, record->request);
	else
		OTF2_EvtWriter_IoOperationComplete(
			writer, 0, time, file, record->sent + record->received, record->request);
}

bool otf2_completes_remote(const char *function)
{
	static const char *const names[] = {"MPI_Win_fence", "MPI_Win_complete", "MPI_Win_unlock", "MPI_Win_unlock_all",
		"MPI_Win_flush", "MPI_Win_flush_all", "MPI_Win_free"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(function, names[i]))
			return true;
	return false;
}

const char *otf2_opened_name(struct otf2_export *export, const struct otf2_opened *opened)
{
	const char *communicator = mpi_communicator_name(&export->texts, export->timeline->world, opened->communicator);
	return table_text(&export->texts, "%s %" PRIu32 " of %s", opened->file ? "MPI file" : "MPI window",
		opened->number, communicator);
}
