/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The common parts of the reports of the data space. */
#ifndef DATA_LISTS_H
#define DATA_LISTS_H

#include "session.h"

/* Whether an experiment has data addresses of the metric's counter. */
bool data_metric_recorded(struct session *session, unsigned metric);
/* The metrics with addresses that the session shows, the data-derived ones alone if it names any; or all of them. Each once, and
   the name. False, with the session's error, if no addresses were recorded. */
bool data_metrics(struct session *session, struct metric_list *list, struct metric_item *sorted);

#endif
