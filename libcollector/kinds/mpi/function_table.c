/* SPDX-License-Identifier: Apache-2.0 */
/* The table functions.def as data, and finding the functions that we stand in front of. */
#include "function_table.h"
#include "interpose.h"
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <string.h>

/* Names of classes as reports show them. */
#define CLASS_POINT_TO_POINT "point-to-point"
#define CLASS_COMPLETION     "completion"
#define CLASS_COLLECTIVE     "collective"
#define CLASS_ONE_SIDED      "one-sided"
#define CLASS_FILE           "file"
#define CLASS_COMMUNICATOR   "communicator"
#define CLASS_DATATYPE       "datatype"
#define CLASS_ENVIRONMENT    "environment"
#define CLASS_TOOL           "tool"

#define ENDS_IN_C(name) (#name[sizeof #name - 3] == '_' && #name[sizeof #name - 2] == 'c')

const struct mpi_function mpi_functions[MPI_FUNCTIONS] = {
#define FUNCTION(name, arguments, class, operation, ...)                                                               \
	{#name, CLASS_##class, MPI_OPERATION_##operation, ENDS_IN_C(name), {__VA_ARGS__}},
#include "functions.def"
};

void *mpi_reals[2][MPI_FUNCTIONS];

/* Some load the library so that its names are not among everybody's (Python's mpi4py): it is looked for by its file. */
static int take_path(struct dl_phdr_info *info, size_t size, void *path)
{
	const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : 0;
	(void)size;
	if (!slash || strlen(info->dlpi_name) >= PATH_MAX ||
		(strncmp(slash, "/libmpi.so", 10) != 0 && strncmp(slash, "/libmpich.so", 12) != 0))
		return 0;
	strcpy(path, info->dlpi_name);
	return 1;
}

bool mpi_library_path(char path[PATH_MAX])
{
	return dl_iterate_phdr(take_path, path) != 0;
}

void *mpi_symbol(const char *name)
{
	static char
		path[PATH_MAX]; /* static: stacks of targets may be small; written with the same text by all threads */
	void *library = mpi_library_path(path) ? REAL(dlopen)(path, RTLD_LAZY | RTLD_NOLOAD) : 0;
	void *symbol = library ? dlsym(library, name) : 0;
	if (library)
		REAL(dlclose)(library);
	return symbol;
}

void *mpi_real_find(enum mpi_number number, bool profiling)
{
	char name[80] = "P";
	strcpy(name + profiling, mpi_functions[number].name);
	/* RTLD_NEXT comes first, so that another tool which stands between us and the library keeps its place. */
	void *real = dlsym(RTLD_NEXT, name);
	if (!real)
		real = mpi_symbol(name);
	__atomic_store_n(&mpi_reals[profiling][number], real, __ATOMIC_RELAXED);
	return real;
}
