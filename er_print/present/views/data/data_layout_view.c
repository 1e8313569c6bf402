/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data objects with the members of their types, in the order of their offsets, those that nobody accessed too. */
#include "command_functions.h"
#include "data_lists.h"
#include "data_names.h"
#include "index_sums.h"
#include "list_view.h"
#include "metric_columns.h"
#include "search.h"

#include <stdlib.h>

enum { CACHE_LINE = 64 };

/* A member that was accessed. */
struct accessed {
	uint32_t whole, member; /* number of the variable's object; of data_variable.members */
	uint32_t place;         /* in the sums by member */
};
struct layout_view {
	struct session *session;
	struct table table;
	struct metric_list metrics; /* without the name */
	struct metric_item sorted;
	unsigned own; /* the first column that is no metric's */
	const struct data_objects *objects;
	const struct index_sums *by_object, *by_member;
	struct accessed *accessed; /* ascending by whole and member */
	uint32_t accessed_count;
	uint64_t zero, **zeros; /* [metric][0] */
};
enum { OFFSET, SIZE, LINE, NAME, TYPE, OWN_COLUMNS };

static struct metric_values values_at(const struct index_sums *sums, uint32_t place)
{
	return (struct metric_values){.exclusive = sums->sums.exclusive,
		.inclusive = sums->sums.inclusive,
		.index = place,
		.function = NO_KEY};
}

/* Where a member lies in lines of the cache, in the manual's signs; those of an array may each lie elsewhere. */
static const char *sign(const struct data_variable *variable, const struct data_member *member)
{
	uint64_t first = (variable->start + member->offset) % CACHE_LINE, end = first + member->size;
	if (variable->size > variable->element && variable->element % CACHE_LINE)
		return "?";
	if (member->size > CACHE_LINE)
		return "#";
	if (end > CACHE_LINE)
		return "X";
	return member->size == CACHE_LINE ? "<" : !first ? "/" : end == CACHE_LINE ? "\\" : "|";
}

static struct cell *add_row(struct layout_view *view, const struct metric_values *values, const char *name)
{
	struct cell *row = table_row(&view->table, ROW_PLAIN);
	metric_columns_fill(view->session, row, &view->metrics, values, 0);
	row += view->own;
	cell_words(&row[NAME], name);
	return row;
}

static int by_member(const void *left, const void *right)
{
	const struct accessed *a = left, *b = right;
	return COMPARE(a->whole, b->whole) ?: COMPARE(a->member, b->member);
}

static void find_accessed(struct layout_view *view)
{
	view->accessed = memory_new(view->by_member->count, sizeof *view->accessed);
	for (uint32_t place = 0; place < view->by_member->count; place++) {
		const struct data_object *object =
			data_objects_get(view->objects, (uint32_t)view->by_member->values[place]);
		if (object->member != NO_MEMBER)
			view->accessed[view->accessed_count++] =
				(struct accessed){object->whole, object->member, place};
	}
	qsort(view->accessed, view->accessed_count, sizeof *view->accessed, by_member);
}

static void add_member(struct layout_view *view, const struct data_object *object, uint32_t member)
{
	const struct data_member *part = &object->variable->members[member];
	const struct accessed *accessed = bsearch(&(struct accessed){object->whole, member, 0}, view->accessed,
		view->accessed_count, sizeof *view->accessed, by_member);
	struct metric_values values = {.exclusive = view->zeros, .inclusive = view->zeros, .function = NO_KEY};
	if (accessed)
		values = values_at(view->by_member, accessed->place);
	struct cell *row = add_row(view, &values, table_text(&view->table, "  %s", part->path));
	view->table.rows[view->table.row_count - 1].depth = 1;
	cell_number(&row[OFFSET], part->offset);
	cell_number(&row[SIZE], part->size);
	cell_words(&row[LINE], sign(object->variable, part));
	cell_words(&row[TYPE], part->type);
}

static void add_object(struct layout_view *view, uint32_t place, const char *name)
{
	const struct data_object *object = data_objects_get(view->objects, (uint32_t)view->by_object->values[place]);
	struct metric_values values = values_at(view->by_object, place);
	struct cell *row = add_row(view, &values, name);
	if (object->class != DATA_VARIABLE)
		return;
	cell_number(&row[SIZE], object->variable->size);
	cell_words(&row[TYPE], object->variable->type);
	for (uint32_t m = 0; m < object->variable->member_count; m++)
		add_member(view, object, m);
}

static bool has_sum(const struct layout_view *view, uint32_t place)
{
	for (unsigned i = 0; i < view->metrics.count; i++)
		if (view->by_object->sums.exclusive[view->metrics.items[i].metric][place])
			return true;
	return false;
}

/* <Total> and the objects in order, as the list of them has it; the limit counts these. */
static void add_objects(struct layout_view *view)
{
	struct session *session = view->session;
	struct metric_ranked *rows = memory_new(view->by_object->count, sizeof *rows);
	size_t count = 0, limit = session->limit ? session->limit : SIZE_MAX;
	for (uint32_t place = 0; place < view->by_object->count; place++) {
		const struct data_object *object =
			data_objects_get(view->objects, (uint32_t)view->by_object->values[place]);
		struct metric_values values = values_at(view->by_object, place);
		if (has_sum(view, place))
			rows[count++] = metric_rank(session, &view->sorted, &values,
				data_object_name(session, &view->table, object), place);
	}
	metric_sort_rows(session, rows, count);
	struct metric_values total = total_values(session);
	for (size_t place = 0; place < count + 1 && place < limit; place++)
		if (place == (session->sort.reversed ? count : 0))
			add_row(view, &total, "<Total>");
		else
			add_object(view, rows[place - !session->sort.reversed].key,
				rows[place - !session->sort.reversed].name);
	free(rows);
}

static void add_columns(struct layout_view *view)
{
	static const char *const headings[OWN_COLUMNS] = {"Offset", "Size", "Line", "Name", "Type"};
	static const enum column_format formats[OWN_COLUMNS] = {
		COLUMN_COUNT, COLUMN_COUNT, COLUMN_TEXT, COLUMN_CODE, COLUMN_TEXT};
	metric_columns_add(view->session, &view->table, &view->metrics, &view->sorted, COLUMN_TEXT, "");
	view->own = view->table.column_count;
	for (unsigned i = 0; i < OWN_COLUMNS; i++)
		table_headed(&view->table, headings[i], formats[i]);
	table_name_rows(&view->table, view->own + NAME, 1);
}

static struct index_sums *sums_by(struct session *session, const char *text, struct expression **expression)
{
	struct error error;
	*expression = expression_parse(text, 0, 0, &error);
	session_prepare(session, *expression);
	return index_sums_compute(session->data, session_sum_table(session), session_filter(session),
		session_wanted(session), *expression);
}

bool command_data_layout(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct layout_view view = {.session = session};
	if (!data_metrics(session, &view.metrics, &view.sorted))
		return false;
	view.metrics.count--;
	struct expression *objects, *members;
	struct index_sums *by_object = sums_by(session, "DOBJ", &objects);
	struct index_sums *by_part = sums_by(session, "DMEMBER", &members);
	/* Both number the same data, and so the same. */
	view.objects = expression_data_objects(members);
	view.by_object = by_object;
	view.by_member = by_part;
	view.zeros = memory_new(session_table(session)->count, sizeof *view.zeros);
	for (unsigned m = 0; m < session_table(session)->count; m++)
		view.zeros[m] = &view.zero;
	find_accessed(&view);
	view.table.limited = true;
	list_view_title(session, &view.table, "Data Layout", &view.sorted);
	add_columns(&view);
	add_objects(&view);
	session_print(session, &view.table);
	free(view.accessed);
	free(view.zeros);
	index_sums_free(by_object);
	index_sums_free(by_part);
	expression_free(objects);
	expression_free(members);
	return true;
}
