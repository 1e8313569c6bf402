/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports that were made for each group of experiments by itself, side by side as one: for those that are no sums of the session's
   metrics. Rows with the same names are one row. */
#ifndef JOINED_TABLES_H
#define JOINED_TABLES_H

#include "session.h"

/* The tables (one for each of session_groups(), with the same columns) as one that is the caller's. Rows are in the order of the
   first table; rows that it lacks follow, those of a block at its end. A number that a group lacks is 0 beside that of another. At
   most `limit` blocks or rows, if the tables are limited; 0: all. */
struct table joined_tables(struct session *session, const struct table *tables, unsigned long limit);

#endif
