/* SPDX-License-Identifier: GPL-3.0-or-later */
/* By names and classes: see mpi_wait_states.def. */
#include "mpi_function_roles.h"
#include "storage.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *mpi_wait_title(enum mpi_wait_state state)
{
	static const char *const titles[] = {
#define WAIT(name, title) title,
#include "mpi_wait_states.def"
	};
	return titles[state];
}

static unsigned char state_of_class(const char *class)
{
	static const struct {
		const char *class;
		unsigned char state;
	} classes[] = {
#define CLASS(name, wait) {name, MPI_WAIT_##wait},
#include "mpi_wait_states.def"
	};
	for (unsigned i = 0; i < sizeof classes / sizeof *classes; i++)
		if (!strcmp(classes[i].class, class))
			return classes[i].state;
	return MPI_NO_OPERATION;
}

static unsigned char state_of_function(const char *name, const char *class)
{
	static const struct {
		const char *name;
		unsigned char state;
	} operations[] = {
#define OPERATION(name, wait) {#name, MPI_WAIT_##wait},
#include "mpi_wait_states.def"
		{"waitsome", MPI_WAITS_FOR_FIRST},
		{"testsome", MPI_WAITS_FOR_FIRST},
	};
	size_t length;
	if (strncmp(name, "MPI_", 4) != 0)
		return MPI_NO_OPERATION;
	/* MPI_Ibcast waits as MPI_Bcast does, and MPI_Bcast_c, with large counts, too. MPI_Init and MPI_Intercomm_create are in no
	   list, so that their I does no harm. */
	name += name[4] == 'I' ? 5 : 4;
	length = strlen(name);
	if (length > 2 && !strcmp(name + length - 2, "_c"))
		length -= 2;
	for (unsigned i = 0; i < sizeof operations / sizeof *operations; i++)
		if (strlen(operations[i].name) == length && !strncasecmp(name, operations[i].name, length))
			return operations[i].state;
	return state_of_class(class);
}

static bool may_ask(const char *name)
{
	return strstr(name, "_Test") || strstr(name, "robe") || strstr(name, "_Win_test") ||
	       strstr(name, "_get_status");
}

bool mpi_function_begins(const char *name)
{
	static const char *const others[] = {
		"MPI_Init", "MPI_Info_", "MPI_Intercomm_", "MPI_Is_", "MPI_Iprobe", "MPI_Improbe"};
	if (strncmp(name, "MPI_", 4) != 0)
		return false;
	for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
		if (!strncmp(name, others[i], strlen(others[i])))
			return false;
	return (name[4] == 'I' && islower((unsigned char)name[5])) || !strncmp(name, "MPI_Start", 9) ||
	       strstr(name, "_idup");
}

struct mpi_function_roles mpi_function_roles_read(const struct data *data)
{
	struct mpi_function_roles roles = {data, memory_new(data->experiment_count, sizeof *roles.of)};
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		const struct experiment *file = data->experiments[e].file;
		roles.of[e] = memory_new(file->mpi_function_count, sizeof **roles.of);
		for (unsigned f = 0; f < file->mpi_function_count; f++) {
			const char *name = file->mpi_functions[f].name;
			roles.of[e][f] = (struct mpi_function_role){
				.state = state_of_function(name, file->mpi_functions[f].class),
				.asks = may_ask(name),
				.begins = mpi_function_begins(name),
				.awaits_more = !strcmp(name, "MPI_Win_start")};
		}
	}
	return roles;
}

void mpi_function_roles_free(struct mpi_function_roles *roles)
{
	for (uint32_t e = 0; e < roles->data->experiment_count; e++)
		free(roles->of[e]);
	free(roles->of);
}

struct mpi_function_role mpi_function_role(
	const struct mpi_function_roles *roles, uint32_t experiment, uint64_t function)
{
	bool known = function < roles->data->experiments[experiment].file->mpi_function_count;
	return known ? roles->of[experiment][function] : (struct mpi_function_role){.state = MPI_NO_OPERATION};
}
