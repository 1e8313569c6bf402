/* SPDX-License-Identifier: Apache-2.0 */
/* MPI runs of three ranks, written for tests: what makes their events, loads and removes them. */
#ifndef MPI_RUN_H
#define MPI_RUN_H

#include "mpi_messages.h"
#include "mpi_ranks.h"
#include "mpi_world.h"
#include "resolver.h"
#include "synthetic.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROLE(name) STATE_VALUE(MPI, role, name)

/* A call with its first message, or without any; duration 0: one more message of the call before it. The function is one of
   synthetic_mpi()'s. */
static inline void function_event(struct synthetic *s, uint64_t function, uint64_t time, uint64_t duration,
	uint64_t role, uint64_t communicator, uint64_t peer, uint64_t tag, uint64_t bytes, uint64_t order)
{
	uint64_t fields[FIELDS_MAX] = {
		[FIELD_INDEX(MPI, function)] = function,
		[FIELD_INDEX(MPI, duration)] = duration,
		[FIELD_INDEX(MPI, calls)] = duration != 0,
		[FIELD_INDEX(MPI, role)] = role,
		[FIELD_INDEX(MPI, peer)] = peer,
		[FIELD_INDEX(MPI, tag)] = tag,
		[FIELD_INDEX(MPI, communicator)] = communicator,
		[FIELD_INDEX(MPI, sent)] = role == ROLE(send) ? bytes : 0,
		[FIELD_INDEX(MPI, received)] = role == ROLE(receive) ? bytes : 0,
		[FIELD_INDEX(MPI, order)] = order,
	};
	synthetic_event(s, KIND_MPI, 1, time, 0, fields);
}

static inline void event(struct synthetic *s, uint64_t time, uint64_t duration, uint64_t role, uint64_t communicator,
	uint64_t peer, uint64_t tag, uint64_t bytes, uint64_t order)
{
	function_event(s, 0, time, duration, role, communicator, peer, tag, bytes, order);
}

static inline struct synthetic *rank_begin(const char *run, unsigned rank)
{
	char path[64], attributes[128];
	snprintf(path, sizeof path, "%s/M_r%u.er", run, rank);
	struct synthetic *s = synthetic_begin(path);
	snprintf(attributes, sizeof attributes, "rank=%u size=3 job=j1", rank);
	synthetic_log_with(s, "mpi", 1, attributes, "library");
	snprintf(attributes, sizeof attributes, "number=1 identity=0x1 rank=%u size=3 leader=0 made_by=MPI_Init", rank);
	synthetic_log_with(s, "mpi_communicator", 2, attributes, 0);
	synthetic_log_with(s, "mpi_name", 2, "number=1", "MPI_COMM_WORLD");
	return s;
}

static struct data *data;
static char directory[] = "/tmp/mpi-run.XXXXXX";

static inline void load(void (*write_run)(const char *), unsigned runs)
{
	struct error error;
	strcpy(directory + sizeof directory - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	ck_assert_int_eq(chdir(directory), 0);
	data = data_create();
	for (unsigned run = 0; run < runs; run++) {
		const char *path = run ? "other.er" : "run.er";
		write_run(path);
		ck_assert_msg(data_load(data, path, &error), "%s", error.text);
	}
}

static inline void unload(void)
{
	char command[64];
	data_destroy(data);
	ck_assert_int_eq(chdir("/"), 0);
	snprintf(command, sizeof command, "rm -rf %s", directory);
	ck_assert_int_eq(system(command), 0);
}

static inline uint64_t rank_of(uint32_t experiment)
{
	return experiment == NO_EXPERIMENT ? 99 : mpi_rank_of(data->experiments[experiment].file);
}

/* Calls `read` with a filter. */
static inline void with_filter(const char *text, void (*read)(const struct event_filter *filter))
{
	struct error error;
	struct resolver *resolver = resolver_create(data);
	struct expression_setting setting = {.data = data, .resolver = resolver};
	struct expression *expression = expression_parse(text, 0, 0, &error);
	ck_assert_msg(expression != 0, "%s", error.text);
	expression_prepare(expression, &setting);
	struct event_filter filter = {.expression = expression};
	read(&filter);
	expression_free(expression);
	resolver_destroy(resolver);
}

#endif
