/* SPDX-License-Identifier: Apache-2.0 */
/* Taking from and giving to the list's head. */
#include "free_list.h"
#include "layout.h"
#include "pages.h"

#define ADDRESS ((1ull << 48) - 1)

struct item {
	struct item *next;
};

/* The 16 bits above an address count the changes: without them a thread that was held up could put back a head whose item has
   been taken and given again meanwhile, with another item behind it (the ABA problem). */
static uint64_t head_of(const struct item *item, uint64_t before)
{
	return (uint64_t)item | ((before & ~ADDRESS) + ADDRESS + 1);
}

void *free_list_take(struct free_list *list)
{
	uint64_t head = __atomic_load_n(&list->head, __ATOMIC_ACQUIRE), next;
	struct item *item;
	do {
		item = (struct item *)(head & ADDRESS);
		if (!item)
			return 0;
		next = head_of(__atomic_load_n(&item->next, __ATOMIC_RELAXED), head);
	} while (!__atomic_compare_exchange_n(&list->head, &head, next, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
	return item;
}

void *free_list_take_or_map(struct free_list *list, size_t size)
{
	char *first = free_list_take(list);
	if (!first && (first = pages_map(PAGE_UNIT)))
		for (size_t i = 1; i < PAGE_UNIT / size; i++)
			free_list_give(list, first + i * size);
	return first;
}

void free_list_give(struct free_list *list, void *given)
{
	struct item *item = given;
	uint64_t head = __atomic_load_n(&list->head, __ATOMIC_ACQUIRE), mine;
	do {
		__atomic_store_n(&item->next, (struct item *)(head & ADDRESS), __ATOMIC_RELAXED);
		mine = head_of(item, head);
	} while (!__atomic_compare_exchange_n(&list->head, &head, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
}
