/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Items of a list that several threads make ahead of the one that takes them, which gets them in the order of the list: what is
   done with them does not depend on the number of threads. */
#ifndef AHEAD_H
#define AHEAD_H

#include <stddef.h>

/* Makes an item in its room, which is zero, or has what was made there last. Several threads call it at once, with different items,
   rooms and workers; worker 0 is the one that takes. */
typedef void ahead_make(void *context, unsigned worker, size_t item, void *room);
typedef void ahead_empty(void *room);

struct ahead_work {
	size_t items;
	size_t room_size;
	ahead_make *make;
	ahead_empty *empty; /* frees what a room holds, whether its item was taken or not; 0: nothing */
	void *context;
};

/* How many workers so many items will have at most: their numbers are less. By cores(), and by what is worth a thread. */
unsigned ahead_workers(size_t items);
/* Begins. The work is copied. */
struct ahead *ahead_begin(const struct ahead_work *work);
/* The room of the next item; 0: there is none left. It is the caller's until ahead_give_back(), which may be later than the next
   ones are taken. */
void *ahead_take(struct ahead *ahead);
void ahead_give_back(struct ahead *ahead, void *room);
/* Ends the threads, also where not all was taken, and empties all rooms. */
void ahead_end(struct ahead *ahead);

/* Ends all that goes on, before work is given up from afar (progress_checkpoint). */
void ahead_give_up(void);

#endif
