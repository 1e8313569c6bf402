/* SPDX-License-Identifier: Apache-2.0 */
/* The two binary interfaces that there are. */
#include "abi.h"
#include "function_table.h"
#include <dlfcn.h>
#include <string.h>

/* The numbers stand here, and mpi.h is not included, because one libcollector serves both interfaces, and which library a target
   loads is known only when it runs. Open MPI's handles are addresses of the library's own data, so they are filled in later. */
static struct mpi_abi open_mpi = {
	.name = "Open MPI",
	.handle_mask = UINT64_MAX,
	.any_source = -1,
	.proc_null = -2,
	.root = -4,
	.any_tag = -1,
	.undefined = -32766,
	.status_ignore = 0,
	.statuses_ignore = 0,
	.in_place = 1,
	.status_size = 24,
	.source = 0,
	.tag = 4,
	.lock_exclusive = 1,
	.grid = 1,
	.graph = 2,
};
enum { OPEN_MPI_CANCELLED = 12, OPEN_MPI_BYTES = 16 };

static const struct mpi_abi mpich = {
	.name = "MPICH",
	.handle_mask = UINT32_MAX,
	.any_source = -2,
	.proc_null = -1,
	.root = -3,
	.any_tag = -1,
	.undefined = -32766,
	.status_ignore = 1,
	.statuses_ignore = 1,
	.in_place = UINT64_MAX,
	.status_size = 20,
	.source = 8,
	.tag = 12,
	.communicator_world = 0x44000000,
	.communicator_self = 0x44000001,
	.communicator_null = 0x04000000,
	.request_null = 0x2c000000,
	.message_null = 0x2c000000,
	.message_no_proc = 0x6c000000,
	.type_byte = 0x4c00010d,
	.lock_exclusive = 234,
	.grid = 2,
	.graph = 1,
};

/* An executable may have its own copy of the library's data (a COPY relocation), which then is the one that counts. */
static uint64_t data(const char *name)
{
	void *symbol = dlsym(RTLD_DEFAULT, name);
	return (uint64_t)(symbol ? symbol : mpi_symbol(name));
}

const struct mpi_abi *mpi_abi_of_file(const char *path)
{
	const char *slash = strrchr(path, '/');
	/* MPICH's handles are plain numbers: no symbol tells it from another library, so its file's name has to. 12 is the
	   version that the members of the MPICH ABI initiative share. */
	bool known = slash && (strncmp(slash, "/libmpich.so", 12) == 0 || strncmp(slash, "/libmpi.so.12", 13) == 0);
	return known ? &mpich : 0;
}

static const struct mpi_abi *find(void)
{
	static char path[PATH_MAX];
	open_mpi.communicator_world = data("ompi_mpi_comm_world");
	if (!open_mpi.communicator_world)
		return mpi_library_path(path) ? mpi_abi_of_file(path) : 0;
	open_mpi.communicator_self = data("ompi_mpi_comm_self");
	open_mpi.communicator_null = data("ompi_mpi_comm_null");
	open_mpi.request_null = data("ompi_request_null");
	open_mpi.message_null = data("ompi_message_null");
	open_mpi.message_no_proc = data("ompi_message_no_proc");
	open_mpi.type_byte = data("ompi_mpi_byte");
	return &open_mpi;
}

const struct mpi_abi *mpi_abi(void)
{
	static const struct mpi_abi *found;
	static int looked; /* atomic */
	if (!__atomic_load_n(&looked, __ATOMIC_ACQUIRE)) {
		found = find();
		__atomic_store_n(&looked, 1, __ATOMIC_RELEASE);
	}
	return found;
}

struct mpi_status mpi_status_read(const struct mpi_abi *abi, const void *status)
{
	const char *bytes = status;
	struct mpi_status read;
	memcpy(&read.source, bytes + abi->source, sizeof read.source);
	memcpy(&read.tag, bytes + abi->tag, sizeof read.tag);
	/* MPICH packs the count's upper half and the flag into one word; a status may be misaligned in the target's own
	   structures, hence memcpy(). */
	if (abi == &mpich) {
		uint32_t low, high_and_cancelled;
		memcpy(&low, bytes, sizeof low);
		memcpy(&high_and_cancelled, bytes + sizeof low, sizeof high_and_cancelled);
		read.bytes = low | (uint64_t)(high_and_cancelled >> 1) << 32;
		read.cancelled = high_and_cancelled & 1;
	} else {
		int cancelled;
		memcpy(&cancelled, bytes + OPEN_MPI_CANCELLED, sizeof cancelled);
		memcpy(&read.bytes, bytes + OPEN_MPI_BYTES, sizeof read.bytes);
		read.cancelled = cancelled;
	}
	return read;
}
