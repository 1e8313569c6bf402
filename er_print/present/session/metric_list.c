/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads metric specifications. */
#include "metric_list.h"
#include "balance_names.h"
#include "nearest.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *const static_names[] = {[ITEM_SIZE] = "size", [ITEM_ADDRESS] = "address", [ITEM_NAME] = "name"};
static const char *const groups[] = {"any", "all", "hwc", "bit", "default", "none"};

/* One keyword taken apart. */
struct keyword {
	char text[64];    /* as written, for messages */
	char flavours[8]; /* in written order */
	bool visibility, hidden;
	unsigned show;
	const char *name; /* in `text` */
};

static bool split_keyword(struct keyword *keyword, const char *start, size_t length, struct error *error)
{
	*keyword = (struct keyword){0};
	if (length >= sizeof keyword->text)
		return error_set(error, "Invalid metric specification: %.*s", (int)length, start);
	memcpy(keyword->text, start, length);
	size_t flavours = strspn(keyword->text, "eiadEIAD");
	size_t marks = strspn(keyword->text + flavours, ".+%!");
	keyword->name = keyword->text;
	if (!marks)
		return true;
	if (flavours >= sizeof keyword->flavours)
		return error_set(error, "Invalid metric specification: %s", keyword->text);
	memcpy(keyword->flavours, keyword->text, flavours);
	keyword->visibility = true;
	keyword->name = keyword->text + flavours + marks;
	for (const char *mark = keyword->text + flavours; mark < keyword->name; mark++) {
		keyword->hidden |= *mark == '!';
		keyword->show |= *mark == '.' ? SHOW_TIME : *mark == '+' ? SHOW_VALUE : *mark == '%' ? SHOW_PERCENT : 0;
	}
	if (keyword->hidden && keyword->show)
		return error_set(error, "Invalid metric specification: %s: \"!\" stands alone", keyword->text);
	return true;
}

bool metric_item_same(const struct metric_item *a, const struct metric_item *b)
{
	return a->type == b->type && (a->type != ITEM_METRIC || (a->metric == b->metric && a->flavour == b->flavour));
}

bool metric_item_is_own(const struct metric_item *item)
{
	return item->type == ITEM_METRIC && (item->flavour == EXCLUSIVE || item->flavour == INCLUSIVE);
}

/* The first mention of a metric gives its place; later ones only add ways of showing it. */
static void add_item(struct metric_list *list, const struct metric_item *item)
{
	for (unsigned i = 0; i < list->count; i++)
		if (metric_item_same(&list->items[i], item)) {
			list->items[i].show |= item->show;
			return;
		}
	if (list->count < METRIC_ITEMS_MAX)
		list->items[list->count++] = *item;
}

static void add_metric(
	struct metric_list *list, const struct keyword *keyword, unsigned metric, const struct metric_context *context)
{
	/* "." and "+" differ only for what is counted in one unit and shown in another. */
	unsigned show = keyword->show;
	enum metric_unit unit = context->table->rows[metric].unit;
	if (unit != METRIC_CYCLES && show & (SHOW_TIME | SHOW_VALUE))
		show = (show & SHOW_PERCENT) | (unit == METRIC_NANOSECONDS ? SHOW_TIME : SHOW_VALUE);
	if ((unit == METRIC_RATIO || balance_is_place(context->table->rows[metric].balance.statistic)) && show)
		show = SHOW_VALUE;
	for (const char *flavour = keyword->flavours; *flavour; flavour++) {
		enum metric_flavour which = strchr("eE", *flavour)   ? EXCLUSIVE
					    : strchr("iI", *flavour) ? INCLUSIVE
					    : strchr("dD", *flavour) ? DATA_DERIVED
								     : ATTRIBUTED;
		add_item(list, &(struct metric_item){ITEM_METRIC, which, metric, show});
	}
}

static bool add_group(struct metric_list *list, struct keyword *keyword, const struct metric_context *context)
{
	if (!strcasecmp(keyword->name, "none"))
		return true;
	if (!strcasecmp(keyword->name, "default")) {
		struct metric_list standard;
		metric_list_default(&standard, context);
		for (unsigned i = 0; i < standard.count; i++)
			add_item(list, &standard.items[i]);
		return true;
	}
	bool every = !strcasecmp(keyword->name, "any") || !strcasecmp(keyword->name, "all");
	if (!keyword->visibility) {
		strcpy(keyword->flavours, "ei");
		keyword->show = SHOW_TIME;
	} else if (!*keyword->flavours) {
		strcpy(keyword->flavours, "ei");
	}
	bool counters = !strcasecmp(keyword->name, "hwc"), found = every;
	for (unsigned m = 0; m < context->table->count; m++)
		if (context->recorded[m] && !context->table->rows[m].balance.statistic &&
			(every || (counters && context->table->rows[m].counter))) {
			add_metric(list, keyword, m, context);
			found = true;
		}
	for (enum item_type type = ITEM_SIZE; every && type <= ITEM_ADDRESS; type++)
		add_item(list, &(struct metric_item){type, EXCLUSIVE, 0, keyword->hidden ? 0 : SHOW_VALUE});
	return found;
}

static bool say_unknown(const struct keyword *keyword, const struct metric_context *context, struct error *error)
{
	char text[256];
	struct nearest nearest;
	snprintf(text, sizeof text, "%.*s", (int)strcspn(keyword->name, "."), keyword->name);
	if (strchr(keyword->name, '.') && metric_find(context->table, text) >= 0)
		return error_set(error,
			"Invalid metric specification: %s: the balance of %s is one of%s, and then one of%s or nothing",
			keyword->text, text, balance_over_words, balance_statistic_words);
	nearest_begin(&nearest, keyword->name);
	for (unsigned m = 0; m < context->table->count; m++)
		nearest_offer(&nearest, context->table->rows[m].name);
	for (enum item_type type = ITEM_SIZE; type <= ITEM_NAME; type++)
		nearest_offer(&nearest, static_names[type]);
	for (unsigned g = 0; g < sizeof groups / sizeof *groups; g++)
		nearest_offer(&nearest, groups[g]);
	return error_set(
		error, "Invalid metric specification: %s%s", keyword->text, nearest_text(&nearest, text, sizeof text));
}

/* Takes note of what was not recorded. */
static void leave_out(struct error *left_out, const struct keyword *keyword)
{
	size_t used = strlen(left_out->text);
	snprintf(left_out->text + used, sizeof left_out->text - used, "%s%s", used ? ", " : "", keyword->text);
}

/* All statistics of a metric, "totalcpu.ranks". */
static bool add_statistics(struct metric_list *list, const struct keyword *keyword, const struct balance_name *balance,
	unsigned base, const struct metric_context *context, struct error *left_out)
{
	bool added = false;
	for (unsigned m = 0; m < context->table->count; m++) {
		const struct metric_balance *of = &context->table->rows[m].balance;
		if (!of->statistic || of->base != base || of->over != balance->over || !context->recorded[m])
			continue;
		add_metric(list, keyword, m, context);
		added = true;
	}
	if (!added)
		leave_out(left_out, keyword);
	return true;
}

static bool add_keyword(struct metric_list *list, struct keyword *keyword, const struct metric_context *context,
	struct error *left_out, struct error *error)
{
	for (enum item_type type = ITEM_SIZE; type <= ITEM_NAME; type++)
		if (!strcasecmp(keyword->name, static_names[type]) && !*keyword->flavours) {
			add_item(list, &(struct metric_item){type, EXCLUSIVE, 0, keyword->hidden ? 0 : SHOW_VALUE});
			return true;
		}
	for (unsigned g = 0; g < sizeof groups / sizeof *groups; g++)
		if (!strcasecmp(keyword->name, groups[g])) {
			if (!add_group(list, keyword, context))
				leave_out(left_out, keyword);
			return true;
		}
	struct balance_name balance;
	int metric = metric_find(context->table, keyword->name);
	if (metric < 0 && balance_name_read(&balance, keyword->name))
		metric = metric_find(context->table, balance.base);
	else
		balance = (struct balance_name){.over = BALANCE_OVER_COUNT};
	if (metric < 0)
		return say_unknown(keyword, context, error);
	if (balance.over < BALANCE_OVER_COUNT && !balance_is_of(&context->table->rows[metric]))
		return error_set(error, "Invalid metric specification: %s: %s has no balance", keyword->text,
			context->table->rows[metric].name);
	if (!*keyword->flavours)
		return error_set(error,
			"Invalid metric specification: %s: a flavour (e, i) and a visibility (. + %% !) must stand "
			"before the name",
			keyword->text);
	if (strpbrk(keyword->flavours, "dD") && !context->table->rows[metric].counter)
		return error_set(error, "Invalid metric specification: %s: d, data-derived, is for counters only",
			keyword->text);
	if (balance.over < BALANCE_OVER_COUNT)
		return add_statistics(list, keyword, &balance, (unsigned)metric, context, left_out);
	if (context->recorded[metric])
		add_metric(list, keyword, (unsigned)metric, context);
	else
		leave_out(left_out, keyword);
	return true;
}

static bool has_metric(const struct metric_list *list)
{
	for (unsigned i = 0; i < list->count; i++)
		if (list->items[i].type == ITEM_METRIC)
			return true;
	return false;
}

/* The keywords in order; `name` is not added. False also if none of its metrics was recorded. */
static bool read_keywords(struct metric_list *list, const char *specification, const struct metric_context *context,
	struct error *left_out, struct error *error)
{
	list->count = 0;
	list->standard = false;
	left_out->text[0] = 0;
	for (const char *at = specification;; at++) {
		size_t length = strcspn(at, ":");
		struct keyword keyword;
		if (length && (!split_keyword(&keyword, at, length, error) ||
				      !add_keyword(list, &keyword, context, left_out, error)))
			return false;
		at += length;
		if (!*at)
			break;
	}
	if (*left_out->text && !has_metric(list))
		return error_set(error, "No data recorded to support metric specification: %s", left_out->text);
	return true;
}

static void add_name(struct metric_list *list)
{
	add_item(list, &(struct metric_item){ITEM_NAME, EXCLUSIVE, 0, SHOW_VALUE});
	for (unsigned i = 0; i < list->count; i++)
		if (list->items[i].type == ITEM_NAME)
			list->items[i].show = SHOW_VALUE;
}

bool metric_list_parse(struct metric_list *list, const char *specification, const struct metric_context *context,
	struct error *left_out, struct error *error)
{
	struct metric_list read;
	if (!*specification)
		return error_set(error, "No valid metrics specified in `%s'", specification);
	if (!read_keywords(&read, specification, context, left_out, error))
		return false;
	add_name(&read);
	*list = read;
	return true;
}

/* One keyword of a list of defaults; what the data does not have is passed over. Returns where the next one begins, 0 at
   the end. */
static const char *next_default(
	struct metric_list *read, const char *at, const struct metric_context *context, bool *reversed)
{
	read->count = 0;
	if (!at || !*at)
		return 0;
	char text[256];
	struct error left_out, ignored;
	size_t length = strcspn(at, ":");
	*reversed = *at == '-';
	snprintf(text, sizeof text, "%.*s", length < sizeof text ? (int)length : 0, at);
	if (!read_keywords(read, text + *reversed, context, &left_out, &ignored))
		read->count = 0;
	return at + length + (at[length] == ':');
}

static bool has_item(const struct metric_list *list, unsigned count, const struct metric_item *item)
{
	for (unsigned i = 0; i < count; i++)
		if (metric_item_same(&list->items[i], item))
			return true;
	return false;
}

/* The user's defaults: where a metric is named again, the first place holds, shown or not. */
static void add_user_defaults(struct metric_list *list, const struct metric_context *context)
{
	struct metric_list read;
	bool ignored;
	const char *at = context->default_metrics;
	while ((at = next_default(&read, at, context, &ignored))) {
		unsigned before = list->count;
		for (unsigned i = 0; i < read.count; i++)
			if (!has_item(list, before, &read.items[i]))
				add_item(list, &read.items[i]);
	}
}

/* Each counter is a kind of its own. */
static bool are_several_kinds(const struct metric_context *context)
{
	const struct metric *first = 0;
	for (unsigned m = 0; m < context->table->count; m++) {
		const struct metric *row = &context->table->rows[m];
		if (!context->recorded[m] || metric_is_derived(row))
			continue;
		if (first && (row->kind != first->kind || row->counter))
			return true;
		first = row;
	}
	return false;
}

void metric_list_default(struct metric_list *list, const struct metric_context *context)
{
	list->count = 0;
	list->standard = true;
	add_user_defaults(list, context);
	struct metric_list own = {.count = 0};
	bool several = are_several_kinds(context);
	for (unsigned m = 0; m < context->table->count; m++) {
		struct keyword keyword;
		struct error ignored;
		const struct metric *row = &context->table->rows[m];
		const char *initial = several && !metric_is_derived(row) ? metric_among_others(row) : row->initial;
		if (context->recorded[m] && initial && *initial &&
			split_keyword(&keyword, initial, strlen(initial), &ignored))
			add_metric(&own, &keyword, m, context);
	}
	unsigned named = list->count;
	for (unsigned i = 0; i < own.count; i++)
		if (!has_item(list, named, &own.items[i]))
			add_item(list, &own.items[i]);
	add_name(list);
}

void metric_list_attributed(struct metric_list *attributed, const struct metric_list *list)
{
	attributed->count = 0;
	attributed->standard = false;
	for (unsigned i = 0; i < list->count; i++) {
		struct metric_item item = list->items[i];
		if (item.type == ITEM_METRIC && item.flavour == DATA_DERIVED)
			continue;
		item.flavour = item.type == ITEM_METRIC ? ATTRIBUTED : EXCLUSIVE;
		add_item(attributed, &item);
	}
}

static const struct metric_item *shown_item(const struct metric_list *list, const struct metric_item *item)
{
	for (unsigned i = 0; i < list->count; i++)
		if (metric_item_same(&list->items[i], item) && list->items[i].show)
			return &list->items[i];
	return 0;
}

bool metric_sort_parse(struct metric_sort *sort, const char *specification, const struct metric_list *list,
	const struct metric_context *context, struct error *error)
{
	bool reversed = *specification == '-';
	if (!strcasecmp(specification + reversed, "default")) {
		metric_sort_default(sort, list, context);
		sort->reversed = reversed;
		return true;
	}
	struct metric_list wanted;
	struct error left_out, why = {""};
	if (!read_keywords(&wanted, specification + reversed, context, &left_out, &why) || !wanted.count) {
		const char *nearest = strstr(why.text, " (nearest: ");
		return error_set(error, "Invalid sort specification: %s%s", specification,
			nearest          ? nearest
			: *left_out.text ? ": no data were recorded for it"
					 : "");
	}
	for (unsigned i = 0; i < wanted.count; i++) {
		struct metric_item item = wanted.items[i];
		bool as_data = item.flavour == DATA_DERIVED && shown_item(list, &item);
		if (item.flavour == ATTRIBUTED)
			item.flavour = INCLUSIVE; /* a function's attributed sums add up to this */
		if (item.flavour == DATA_DERIVED)
			item.flavour = EXCLUSIVE; /* and the sums of data objects to this */
		const struct metric_item *shown = shown_item(list, &item);
		if (!shown && item.show && !as_data)
			continue;
		*sort = (struct metric_sort){shown ? *shown : item, reversed};
		return true;
	}
	return error_set(error, "Invalid sort specification: %s: not among the metrics that are shown", specification);
}

void metric_sort_default(struct metric_sort *sort, const struct metric_list *list, const struct metric_context *context)
{
	struct metric_list read;
	bool reversed;
	const char *at = context->default_sort;
	while ((at = next_default(&read, at, context, &reversed)))
		for (unsigned i = 0; i < read.count; i++) {
			const struct metric_item *shown = shown_item(list, &read.items[i]);
			if (!shown && read.items[i].show)
				continue;
			*sort = (struct metric_sort){shown ? *shown : read.items[i], reversed};
			return;
		}
	struct metric_list standard;
	metric_list_default(&standard, context);
	for (unsigned i = 0; i < standard.count; i++) {
		const struct metric_item *shown = shown_item(list, &standard.items[i]);
		if (shown && shown->type == ITEM_METRIC) {
			*sort = (struct metric_sort){*shown, false};
			return;
		}
	}
	for (unsigned i = 0; i < list->count; i++)
		if (metric_item_is_own(&list->items[i]) && list->items[i].show) {
			*sort = (struct metric_sort){list->items[i], false};
			return;
		}
	*sort = (struct metric_sort){{ITEM_NAME, EXCLUSIVE, 0, SHOW_VALUE}, false};
	for (unsigned i = list->count; i-- > 0;)
		if (list->items[i].type == ITEM_METRIC && list->items[i].flavour == DATA_DERIVED &&
			list->items[i].show) {
			sort->item = list->items[i];
			sort->item.flavour = EXCLUSIVE;
		}
}
