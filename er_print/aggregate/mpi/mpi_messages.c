/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sort of each side, one walk along both. */
#include "mpi_messages.h"
#include "search.h"

#include <stdlib.h>

struct key {
	uint32_t pair, source, destination, tag;
	uint64_t order;
};

static struct key key_of(const struct mpi_side *side, const struct mpi_trace_call *calls, bool send)
{
	uint32_t experiment = calls[side->start].experiment;
	return (struct key){
		side->pair, send ? experiment : side->peer, send ? side->peer : experiment, side->tag, side->order};
}

/* Which of two is of an earlier message; 0 if they may be of one, but for the order. */
static int compare_partners(const struct key *a, const struct key *b)
{
	int order = COMPARE(a->pair, b->pair) ?: COMPARE(a->source, b->source);
	return order ?: COMPARE(a->destination, b->destination) ?: COMPARE(a->tag, b->tag);
}

static int compare_sides(
	const struct mpi_side *left, const struct mpi_side *right, const struct mpi_trace_call *calls, bool send)
{
	struct key a = key_of(left, calls, send), b = key_of(right, calls, send);
	int order = compare_partners(&a, &b);
	if (order)
		return order;
	/* qsort_r() is not stable; the start makes the result the same in every run. */
	return COMPARE(a.order, b.order) ?: COMPARE(left->start, right->start);
}

static int compare_sends(const void *left, const void *right, void *calls)
{
	return compare_sides(left, right, calls, true);
}

static int compare_receives(const void *left, const void *right, void *calls)
{
	return compare_sides(left, right, calls, false);
}

static void sort_sends(struct mpi_side *sides, uint32_t count, struct mpi_trace_call *calls)
{
	if (count)
		qsort_r(sides, count, sizeof *sides, compare_sends, calls);
}

static void sort_receives(struct mpi_side *sides, uint32_t count, struct mpi_trace_call *calls)
{
	if (count)
		qsort_r(sides, count, sizeof *sides, compare_receives, calls);
}

/* Sorts both sides, and tells each its partner. */
static void match(struct mpi_side *sends, uint32_t send_count, struct mpi_side *receives, uint32_t receive_count,
	struct mpi_trace_call *calls)
{
	uint32_t s = 0, r = 0;
	sort_sends(sends, send_count, calls);
	sort_receives(receives, receive_count, calls);
	while (s < send_count && r < receive_count) {
		struct key send = key_of(&sends[s], calls, true);
		struct key receive = key_of(&receives[r], calls, false);
		/* The standard keeps messages of one sender, receiver, communicator and tag in order, so the n-th that was sent
		   is the n-th that was received. The orders themselves count over all partners of a process and are not compared.
		   */
		int order = compare_partners(&send, &receive);
		if (!order && send.pair != NO_COMMUNICATOR) {
			sends[s].partner = r;
			receives[r].partner = s;
		}
		s += order <= 0;
		r += order >= 0;
	}
}

void mpi_messages_match(struct mpi_trace *trace)
{
	match(trace->sends, trace->send_count, trace->receives, trace->receive_count, trace->calls);
}
