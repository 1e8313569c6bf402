/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call paths as rows of a list: for reports that show stacks one by one, while groups of experiments are compared. Stacks of two
   builds have different addresses, so paths are matched by their functions. */
#ifndef PATH_LIST_H
#define PATH_LIST_H

#include "metric_list.h"
#include "session.h"

/* Prints <Total> and the paths at whose ends something was counted in one of the metrics, most of `sorted` first. */
void path_list_print(struct session *session, const char *title, const struct metric_list *metrics,
	const struct metric_item *sorted);
/* Adds a metric as such lists show it. */
void path_list_metric(struct session *session, struct metric_list *metrics, unsigned metric);

#endif
