/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The function list, for the reports that go by it. */
#ifndef FUNCTIONS_VIEW_H
#define FUNCTIONS_VIEW_H

#include "list_view.h"

struct list_view functions_view(struct session *session);
/* The functions that have a sum, in the order of the function list, <Total> first. The caller frees the array. */
uint32_t *functions_in_order(struct session *session, size_t *count);

#endif
