/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that choose events by the numbers of experiments, threads, CPUs and samples, and list what is chosen. */
#include "command_functions.h"
#include "number_map.h"

#include <inttypes.h>
#include <stdlib.h>

struct count {
	struct session *session;
	struct kernel_threads threads;
	enum selection_target target;
	struct number_map seen; /* (experiment's number, thread or CPU) */
	uint32_t *total;        /* by experiment */
};

static void count_batch(void *context, const struct data_batch *batch)
{
	struct count *count = context;
	uint32_t experiment = (uint32_t)(batch->experiment - count->session->data->experiments), last = 0;
	for (uint32_t i = 0; i < batch->count; i++) {
		uint32_t number = count->target == SELECT_CPUS ? batch->cpu[i] : batch->thread[i];
		if (i && number == last)
			continue;
		last = number;
		if (count->target == SELECT_LWPS)
			number = kernel_thread(&count->threads, batch->experiment->number, number);
		uint32_t *place = number_map_place(&count->seen, number_pair(batch->experiment->number, number));
		if (*place == NO_NUMBER && (number || count->target != SELECT_LWPS))
			count->total[experiment]++;
		*place = 0;
	}
}

static void count_samples(struct count *count)
{
	const struct data *data = count->session->data;
	for (uint32_t e = 0; e < data->experiment_count; e++)
		count->total[e] = data->experiments[e].samples.stretches;
}

static bool print_list(struct session *session, enum selection_target target)
{
	static const struct table_heading headings[] = {
		{"Exp", COLUMN_COUNT}, {"Sel", COLUMN_TEXT}, {"Total", COLUMN_COUNT}};
	static const char *const titles[] = {[SELECT_THREADS] = "Threads",
		[SELECT_LWPS] = "Kernel threads",
		[SELECT_CPUS] = "CPUs",
		[SELECT_SAMPLES] = "Samples"};
	struct count count = {.session = session, .target = target};
	count.total = memory_new(session->data->experiment_count, sizeof *count.total);
	if (target == SELECT_LWPS)
		kernel_threads_read(&count.threads, session->data);
	if (target == SELECT_SAMPLES)
		count_samples(&count);
	for (int kind = 0; kind < KIND_COUNT && target != SELECT_SAMPLES; kind++)
		data_visit(session->data, (enum kind)kind, count_batch, &count);
	struct table table = {.formed = "Exp Sel Total\n=== === =====\n", .said = true};
	table_preamble(&table, titles[target]);
	table_headings(&table, headings, sizeof headings / sizeof *headings);
	for (uint32_t e = 0; e < session->data->experiment_count; e++) {
		const struct selected_experiment *selected = selection_of(&session->selection, e);
		char text[256] = "none";
		if (!selected->off)
			ranges_text(&selected->of[target], text, sizeof text);
		struct cell *cells = table_row(&table, ROW_PLAIN);
		cell_number(&cells[0], e + 1);
		cell_words(&cells[1], table_text(&table, "%s", text));
		cell_number(&cells[2], count.total[e]);
		table_line(&table, "%3" PRIu32 " %s %5" PRIu32 "\n", e + 1, text, count.total[e]);
	}
	session_print(session, &table);
	number_map_free(&count.seen);
	kernel_threads_free(&count.threads);
	free(count.total);
	return true;
}

static bool choose(
	struct session *session, const char *command, enum selection_target target, unsigned argc, char **argv)
{
	struct error error;
	if (argc && !selection_choose(&session->selection, session->data->experiment_count, target, argv[0], &error))
		return session_error(session, "Invalid argument to command: %s %s", command, error.text);
	if (argc)
		session_forget_sums(session);
	/* Settings are said to people only. */
	return session->print_mode != PRINT_TEXT || print_list(session, target);
}

#define TARGET(name, target)                                                                                           \
	bool command_##name##_select(struct session *session, unsigned argc, char **argv)                              \
	{                                                                                                              \
		return choose(session, #name "_select", target, argc, argv);                                           \
	}                                                                                                              \
	bool command_##name##_list(struct session *session, unsigned argc, char **argv)                                \
	{                                                                                                              \
		(void)argc;                                                                                            \
		(void)argv;                                                                                            \
		return print_list(session, target);                                                                    \
	}
TARGET(thread, SELECT_THREADS)
TARGET(cpu, SELECT_CPUS)
TARGET(lwp, SELECT_LWPS)
TARGET(sample, SELECT_SAMPLES)
