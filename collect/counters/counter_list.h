/* SPDX-License-Identifier: Apache-2.0 */
/* The list that `collect -h` alone prints: the counters of this machine and how they are asked for. */
#ifndef COUNTER_LIST_H
#define COUNTER_LIST_H

#include <stdbool.h>

/* The list; with `intervals` each counter as the 12.2 release showed it as well, with its default interval. The caller
   frees it. */
char *counter_list_text(bool intervals);

#endif
