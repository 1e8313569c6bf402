/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command folded: a line for each call path, "main;work 30", as flamegraph.pl, speedscope, inferno and `import` read it. */
#include "command_functions.h"
#include "profile_export.h"

#include <inttypes.h>
#include <stdlib.h>

struct writing {
	struct profile_export *export;
	FILE *file;
	uint32_t *path; /* the nodes of the present path, from the root */
};

/* The semicolon parts frames, and lines end paths. */
static void print_name(FILE *file, const char *name)
{
	for (; *name; name++)
		putc(*name == ';' ? ':' : *name == '\n' || *name == '\r' ? '?' : *name, file);
}

static void enter(void *context, uint32_t node, uint32_t depth)
{
	struct writing *writing = context;
	const struct profile_export *export = writing->export;
	uint64_t value = export->by_function->exclusive[export->chosen][node];
	writing->path[depth] = node;
	if (!value)
		return;
	/* <Total> is every path's beginning, and said by none. */
	for (uint32_t d = depth ? 1 : 0; d <= depth; d++) {
		if (d > 1)
			putc(';', writing->file);
		print_name(writing->file, profile_export_name(writing->export,
						  export->by_function->nodes[writing->path[d]].frame.function));
	}
	if (profile_export_metric(export, export->chosen)->unit == METRIC_DECIMAL)
		fprintf(writing->file, " %" PRIu64 ".%06u\n", value / 1000000, (unsigned)(value % 1000000));
	else
		fprintf(writing->file, " %" PRIu64 "\n", value);
}

static bool write_folded(struct profile_export *export, FILE *file)
{
	struct writing writing = {export, file, memory_new(export->by_function->depth + 1, sizeof *writing.path)};
	path_tree_walk(export->by_function, enter, 0, &writing);
	free(writing.path);
	return true;
}

bool command_folded(struct session *session, unsigned argc, char **argv)
{
	if (!argc || !*argv[0])
		return session_error(session, "folded needs the name of the file to write, or -");
	return profile_export_run(session, argv[0], false, write_folded);
}
