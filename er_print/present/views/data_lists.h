/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The common parts of the reports of the data space. */
#ifndef DATA_LISTS_H
#define DATA_LISTS_H

#include "session.h"

/* The metrics with addresses that the session shows, or all of them; each once, and the name. False, with the session's
   error, if no addresses were recorded. */
bool data_metrics(struct session *session, struct metric_list *list, struct metric_item *sorted);

#endif
