/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables behind struct data: each object, address and stack is kept once. For the files of this room only. */
#ifndef DATA_TABLES_H
#define DATA_TABLES_H

#include "announced_code.h"
#include "data.h"
#include "id_table.h"
#include "perf_map.h"
#include "strings.h"

struct data_tables {
	struct strings strings;
	struct id_table objects, addresses, stacks;
	struct id_table real_paths;       /* -> experiments */
	struct perf_map *maps;            /* by experiment */
	struct perf_map *kernels;         /* by experiment: of founders */
	struct announced_code *announced; /* by experiment */
	struct strings imported_names;    /* of functions of imported files; a name's number says where it is */
	uint32_t first_import;            /* the experiment whose map has them */
	struct imported_line {
		uint64_t address;
		uint32_t line;
	} * imported_lines; /* of their code, ascending */
	uint32_t imported_line_count;
	unsigned char *imported_line_bytes; /* the same as struct dynamic_function has them */
};
static inline struct data_tables *data_tables(const struct data *data)
{
	return data->private;
}

/* The index of a load object with this type, path, build id and checksum (of an OBJECT_DYNAMIC: of this experiment and layer);
   added when new. The strings are copied. */
uint32_t data_object(struct data *data, const struct load_object *object);
/* An experiment has code of the object: so has its founder's run. */
void data_object_in_run(struct data *data, uint32_t object, uint32_t experiment);
/* The index of a stack; added when new. */
uint32_t data_stack(struct data *data, const struct stack *stack);

/* Adds an opened experiment, which it takes over, without a real path; `founder` is its founder's index, or NO_ID when it is one.
   Returns its index. */
uint32_t data_add_experiment(struct data *data, struct experiment *file, uint32_t founder);

/* Says by what file an experiment is told from others, by its path as realpath() gives it, which it takes over. */
void data_set_real_path(struct data *data, uint32_t experiment, char *real_path);
/* Whether the experiment at this path is loaded, by itself or as a descendant. */
bool data_is_loaded(const struct data *data, const char *path);

/* Where the founder's archive holds a copy of a mapped object, or 0. The caller frees it. */
char *data_archived_object(const struct data *data, uint32_t experiment, const struct mapped_segment *segment);

/* Gives the experiments from this founder on one time: rates and start offsets. When all of them are loaded. */
void data_align_clocks(struct data *data, uint32_t founder);

/* Maps the stack nodes of the experiment with this index: fills its stack_of, adding what is new to the tables. */
void data_map_stacks(struct data *data, uint32_t experiment);

#endif
