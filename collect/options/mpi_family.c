/* SPDX-License-Identifier: Apache-2.0 */
/* Tells launchers apart by words in their code: see mpi_family.h. */
#include "mpi_family.h"
#include "file_bytes.h"
#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *value;
	enum mpi_family family;
} names[] = {
	{"OPENMPI", MPI_FAMILY_OPENMPI},
	{"OMPI", MPI_FAMILY_OPENMPI},
	{"MPICH", MPI_FAMILY_MPICH},
	{"MPICH2", MPI_FAMILY_MPICH},
};

/* Open MPI 4 links its run time, 5 starts prterun; MPICH's is Hydra, whose environment variables have its name. */
static const struct {
	const char *word;
	enum mpi_family family;
} marks[] = {
	{"libopen-rte.so", MPI_FAMILY_OPENMPI},
	{"prterun", MPI_FAMILY_OPENMPI},
	{"HYDRA_", MPI_FAMILY_MPICH},
};

enum mpi_family mpi_family_named(const char *value)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcasecmp(value, names[i].value) == 0)
			return names[i].family;
	return MPI_FAMILY_UNKNOWN;
}

static enum mpi_family family_of_bytes(const char *bytes, size_t size)
{
	enum mpi_family found = MPI_FAMILY_UNKNOWN;
	/* The text of a script may be about anything. */
	if (size < SELFMAG || memcmp(bytes, ELFMAG, SELFMAG) != 0)
		return found;
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		if (!memmem(bytes, size, marks[i].word, strlen(marks[i].word)))
			continue;
		if (found != MPI_FAMILY_UNKNOWN && found != marks[i].family)
			return MPI_FAMILY_UNKNOWN;
		found = marks[i].family;
	}
	return found;
}

static enum mpi_family family_of_file(const char *path)
{
	size_t size;
	const void *bytes = file_bytes(path, &size);
	if (!bytes)
		return MPI_FAMILY_UNKNOWN;
	enum mpi_family family = family_of_bytes(bytes, size);
	file_bytes_free(bytes, size);
	return family;
}

bool mpi_family_check(enum mpi_family asked, const char *name, const char *path, struct error *error)
{
	static const char *const whose[] = {"", "Open MPI", "MPICH"}, *const values[] = {"", "OPENMPI", "MPICH"};
	enum mpi_family found = family_of_file(path);
	if (asked == MPI_FAMILY_UNKNOWN || found == MPI_FAMILY_UNKNOWN || found == asked)
		return true;
	return error_set(error,
		"Option -M %s: %s (%s) is the launcher of %s: use -M %s, or give the path of %s's mpirun",
		values[asked], name, path, whose[found], values[found], whose[asked]);
}
