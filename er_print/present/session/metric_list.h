/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metric grammar: keyword{:keyword}, a keyword being <flavours><visibility><name> or a static name (size, address,
   name). What lists show, in which order, and what they are sorted by. */
#ifndef METRIC_LIST_H
#define METRIC_LIST_H

#include "error.h"
#include "metrics.h"
#include <stdbool.h>
#include <stddef.h>

enum metric_flavour { EXCLUSIVE, INCLUSIVE, ATTRIBUTED, DATA_DERIVED, FLAVOUR_COUNT };
enum { SHOW_TIME = 1, SHOW_VALUE = 2, SHOW_PERCENT = 4 }; /* ".", "+", "%"; none of them: hidden ("!") */
struct metric_item {
	enum item_type { ITEM_METRIC, ITEM_SIZE, ITEM_ADDRESS, ITEM_NAME } type;
	enum metric_flavour flavour;
	unsigned metric; /* row of the table */
	unsigned show;
};
enum { METRIC_ITEMS_MAX = 256 };
struct metric_list {
	struct metric_item items[METRIC_ITEMS_MAX];
	unsigned count;
	bool standard; /* that of a fresh session: nobody chose it */
};
struct metric_sort {
	struct metric_item item;
	bool reversed;
};
/* The metrics that a specification may name. */
struct metric_context {
	const struct metric_table *table;
	const bool *recorded;                       /* by metric */
	const char *default_metrics, *default_sort; /* the user's, before the table's; 0: none */
};

/* Reads a specification into *list, which is left alone if it is bad. A missing "name" is added as the last item. Metrics that were
   not recorded are left out, and *left_out names them ("" if there are none), as long as any others remain. */
bool metric_list_parse(struct metric_list *list, const char *specification, const struct metric_context *context,
	struct error *left_out, struct error *error);
/* The list of a fresh session for the recorded data: the table's defaults, then the name. */
void metric_list_default(struct metric_list *list, const struct metric_context *context);
/* Reads a sort specification: the first of its keywords that `list` shows (or that has "!") wins; a leading "-"
   reverses. Metrics that were not recorded are passed over. */
bool metric_sort_parse(struct metric_sort *sort, const char *specification, const struct metric_list *list,
	const struct metric_context *context, struct error *error);
/* The first metric of the defaults that the list shows, else the first one shown, else the name. */
void metric_sort_default(
	struct metric_sort *sort, const struct metric_list *list, const struct metric_context *context);
/* The metrics of a list as attributed ones, each once; for callers, callees and the call tree. */
void metric_list_attributed(struct metric_list *attributed, const struct metric_list *list);

/* "e.%totalcpu", or "e.%totalcpu:i.%totalcpu:name" for a list. Cut to fit. */
void metric_item_text(const struct metric_item *item, const struct metric_context *context, char *text, size_t size);
void metric_list_text(const struct metric_list *list, const struct metric_context *context, char *text, size_t size);
/* "Exclusive Total CPU Time". Cut to fit. */
void metric_item_title(const struct metric_item *item, const struct metric_context *context, char *text, size_t size);
const char *metric_flavour_name(enum metric_flavour flavour); /* "Exclusive" */
/* Whether it is a metric of what a row stands for, exclusive or inclusive; not of a part of it, and not of data. */
bool metric_item_is_own(const struct metric_item *item);
/* Whether both are the same metric in the same flavour, however shown. */
bool metric_item_same(const struct metric_item *a, const struct metric_item *b);

#endif
