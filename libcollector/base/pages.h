/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the collector: anonymous pages by raw mmap. Async-signal-safe. Never freed while recording, except by unmap. */
#ifndef PAGES_H
#define PAGES_H

#include <stddef.h>

/* Zeroed pages, lazily backed (MAP_NORESERVE). 0 if there are none. */
void *pages_map(size_t size);
void pages_unmap(void *pages, size_t size);

#endif
