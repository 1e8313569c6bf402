/* SPDX-License-Identifier: Apache-2.0 */
/* From a counter's name to the event that the kernel opens. Everything is encoded here, nothing in the target. */
#ifndef COUNTER_EVENT_H
#define COUNTER_EVENT_H

#include "counter_request.h"

#define RAW_INTERVAL 30001u /* of the rate "on", for an event that no table of ours has */

/* Fills in all of *counter but its interval and what only opening it shows; *interval: that of the rate "on". False and
   *error if this machine knows no such event. */
bool counter_event_find(const struct counter_request *request, struct overflow_counter *counter, uint64_t *interval,
	struct error *error);

/* The software events of the kernel, for lists and messages: the name of number `index`, 0 at the end. */
const char *software_event_name(unsigned index);
/* The event as a list shows it; false at the end. */
struct software_event_row {
	const char *name, *title;
	enum counter_units units;
	uint64_t interval;
};
bool software_event_row(unsigned index, struct software_event_row *row);
/* Those names with blanks between them; the caller frees it. */
char *software_event_names(void);

#endif
