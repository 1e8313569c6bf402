/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session from its beginning to its end: its experiments, and what is forgotten when they or settings change. */
#include "session.h"
#include "space_times.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

static void create_data(struct session *session)
{
	session->data = data_create();
	session->data->wants_descendant = rc_wants_descendant;
	session->data->descendant_context = &session->rc;
}

struct session *session_create(void)
{
	struct session *session = memory_new(1, sizeof *session);
	session->kept_names = KEPT_NAMES_LIMIT;
	create_data(session);
	session->out = stdout;
	session->space_rules = SPACE_RULES_STANDARD;
	session->source_threshold = session->disasm_threshold = HOT_PERCENT;
	index_objects_create(&session->index_objects);
	search_path_create(&session->search_path);
	return session;
}

void session_forget_tree(struct session *session)
{
	path_tree_free(session->tree);
	path_tree_free(session->merged);
	key_sums_free(session->functions);
	call_graph_free(session->graph);
	session->tree = session->merged = 0;
	session->functions = 0;
	session->graph = 0;
	distinct_names_free(&session->distinct);
}

void session_forget_sums(struct session *session)
{
	session_forget_tree(session);
	stack_sums_free(session->sums);
	session->sums = 0;
	balance_forget_table(&session->balance);
	comparison_forget(&session->comparison);
	session->filter_prepared = false;
}

void session_forget_spaces(struct session *session)
{
	session_forget_sums(session);
	space_times_free(session->space_times);
	session->space_times = 0;
}

void session_forget_places(struct session *session)
{
	session_forget_spaces(session);
	data_forget_placed_stacks(session->data);
	session->stacks_placed = false;
}

static void forget_data(struct session *session)
{
	session_forget_places(session);
	session->fragment.count = 0;
	balance_forget_members(&session->balance);
	free(session->recorded);
	session->recorded = 0;
	variable_names_free(&session->variable_names);
	coverage_free(&session->coverage);
	session->coverage_known = false;
	if (session->resolver)
		resolver_destroy(session->resolver);
	session->resolver = 0;
}

void session_destroy(struct session *session)
{
	forget_data(session);
	data_destroy(session->data);
	expression_free(session->filter.expression);
	kernel_threads_free(&session->filter.threads);
	selection_free(&session->selection);
	index_objects_free(&session->index_objects);
	search_path_free(&session->search_path);
	rc_settings_free(&session->rc);
	object_choice_free(&session->object_choice);
	comparison_free(&session->comparison);
	picture_setting_free(&session->picture);
	metric_rows_free(&session->metric_rows);
	free(session->filter_text);
	free(session->groups);
	free(session->wanted);
	session_arguments_free(&(struct session_arguments){session->arguments, session->argument_count});
	if (session->out_name)
		fclose(session->out);
	free(session->out_name);
	free(session);
}

static void renew_resolver(struct session *session)
{
	session->resolver = resolver_create(session->data);
	resolver_set_debuginfod(session->resolver, session->debuginfod);
	resolver_keep_names(session->resolver, session->kept_names);
	resolver_set_builds_apart(session->resolver, session->builds_apart);
	resolver_set_search_path(session->resolver, &session->search_path);
}

void session_forget_resolver(struct session *session)
{
	if (!session->resolver)
		return;
	forget_data(session);
	renew_resolver(session);
}

static bool is_argument(const struct session *session, const char *path)
{
	for (unsigned i = 0; i < session->argument_count; i++)
		if (!strcmp(session->arguments[i].path, path))
			return true;
	return false;
}

static bool load(struct session *session, const char *path, bool import, struct error *error)
{
	forget_data(session);
	error->text[0] = 0;
	uint32_t known = session->data->experiment_count;
	bool loaded = (import ? data_import : data_load)(session->data, path, error);
	if (loaded && error->text[0])
		fprintf(stderr, "Warning: %s\n", error->text);
	renew_resolver(session);
	object_choice_extend(session);
	metric_rows_extend(&session->metric_rows, session->data);
	session->groups = memory_resize(session->groups, session->data->experiment_count + 1, sizeof *session->groups);
	bool brought = session->data->experiment_count > known;
	session->group_count += brought;
	for (uint32_t e = known; e < session->data->experiment_count; e++) {
		session->group_count += session->data->experiments[e].imported.apart;
		session->groups[e] = session->group_count;
	}
	unsigned own_group = brought ? session->groups[known] : 0;
	if (loaded && !is_argument(session, path)) {
		session->arguments =
			memory_room(session->arguments, session->argument_count, sizeof *session->arguments);
		session->arguments[session->argument_count++] =
			(struct session_argument){strdup(path), import, own_group};
	}
	return loaded;
}

struct session_arguments session_unload(struct session *session)
{
	struct session_arguments taken = {session->arguments, session->argument_count};
	forget_data(session);
	data_destroy(session->data);
	create_data(session);
	renew_resolver(session);
	selection_free(&session->selection);
	session->group_count = 0;
	object_choice_forget(&session->object_choice);
	session->arguments = 0;
	session->argument_count = 0;
	return taken;
}

void session_arguments_free(struct session_arguments *arguments)
{
	for (unsigned i = 0; i < arguments->count; i++)
		free(arguments->all[i].path);
	free(arguments->all);
}

void session_load_again(struct session *session, struct session_arguments *arguments, unsigned except)
{
	for (unsigned i = 0; i < arguments->count; i++) {
		struct error error;
		if (i != except && !session_load(session, arguments->all[i].path, arguments->all[i].imported, &error))
			session_error(session, "%s", error.text);
	}
	session_arguments_free(arguments);
}

bool session_load(struct session *session, const char *path, bool import, struct error *error)
{
	if (import || !data_has_descendant_of(session->data, path))
		return load(session, path, import, error);
	struct session_arguments others = session_unload(session);
	bool loaded = load(session, path, import, error);
	session_load_again(session, &others, others.count);
	return loaded;
}
