/* SPDX-License-Identifier: Apache-2.0 */
/* The common parts of all our perf events: opening, the signal to the thread itself, the ring. Async-signal-safe. */
#ifndef PERF_EVENT_H
#define PERF_EVENT_H

#include "layout.h"
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Larger pages: the kernel refuses the ring. */
#define PERF_PAGE PAGE_UNIT

/* An event of the calling thread on any CPU, close-on-exec, in the group of the event `group` (-1: its own). Its
   descriptor, or -errno. */
int perf_event_open(const struct perf_event_attr *attributes, int group);
/* Overflows send that signal to that thread, with the descriptor's number. */
bool perf_event_signals(int descriptor, pid_t tid, int signal);

/* The ring: the control page, then a power of two of data pages. 0: refused. */
void *perf_ring_map(int descriptor, size_t data_pages);
void perf_ring_unmap(void *ring, size_t data_pages);

#endif
