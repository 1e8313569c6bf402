/* SPDX-License-Identifier: Apache-2.0 */
/* A list of memory that nobody uses now, for all threads, without locks. What was in it once is never unmapped: who takes the
   first item looks into it, although another thread may have just taken it. Async-signal-safe. */
#ifndef FREE_LIST_H
#define FREE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero: empty. Atomic: the first item's address, and in the top 16 bits a number that changes with every use, so that a list
   which begins with the same item again is not taken for an unchanged one. */
struct free_list {
	uint64_t head;
};

/* The first item, or 0. Its first word is what is left of the list. */
void *free_list_take(struct free_list *list);
/* Likewise, of items of that size, at most a page: those of a fresh page if the list is empty. 0: no memory. */
void *free_list_take_or_map(struct free_list *list, size_t size);
/* `item` begins with a word for the list. */
void free_list_give(struct free_list *list, void *item);

#endif
