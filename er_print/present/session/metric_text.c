/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes metric specifications and titles. */
#include "metric_list.h"

#include <stdio.h>
#include <string.h>

const char *metric_flavour_name(enum metric_flavour flavour)
{
	static const char *const names[FLAVOUR_COUNT] = {"Exclusive", "Inclusive", "Attributed", "Data-derived"};
	return names[flavour];
}

void metric_item_text(const struct metric_item *item, const struct metric_context *context, char *text, size_t size)
{
	static const char *const names[] = {[ITEM_SIZE] = "size", [ITEM_ADDRESS] = "address", [ITEM_NAME] = "name"};
	if (item->type != ITEM_METRIC)
		snprintf(text, size, "%s%s", item->show ? "" : "!", names[item->type]);
	else
		snprintf(text, size, "%c%s%s%s%s%s", "eiad"[item->flavour], item -> show &SHOW_TIME ? "." : "",
			item->show &SHOW_VALUE ? "+" : "", item->show &SHOW_PERCENT ? "%" : "", item->show ? "" : "!",
			context->table->rows[item->metric].name);
}

void metric_list_text(const struct metric_list *list, const struct metric_context *context, char *text, size_t size)
{
	size_t used = 0;
	text[0] = 0;
	for (unsigned i = 0; i < list->count && used + 1 < size; i++) {
		if (i)
			text[used++] = ':';
		metric_item_text(&list->items[i], context, text + used, size - used);
		used += strlen(text + used);
	}
}

void metric_item_title(const struct metric_item *item, const struct metric_context *context, char *text, size_t size)
{
	static const char *const titles[] = {[ITEM_SIZE] = "Size", [ITEM_ADDRESS] = "PC Address", [ITEM_NAME] = "Name"};
	if (item->type != ITEM_METRIC)
		snprintf(text, size, "%s", titles[item->type]);
	else
		snprintf(text, size, "%s %s", metric_flavour_name(item->flavour),
			context->table->rows[item->metric].title);
}
