/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The point-to-point messages of all MPI ranks while their events are read: a send and its receive are put together as soon as both
   are known, and only sides that wait for the other one are kept, 56 bytes each. The rule is that of mpi_messages.h: of the sends
   from one process to another with one tag on one communicator, the k-th to begin is received by the k-th receive to be posted,
   of those that were completed. The events of each process come in the order of time; how those of several processes alternate
   changes what is kept, and nothing else. */
#ifndef MPI_CHANNELS_H
#define MPI_CHANNELS_H

#include <stdbool.h>
#include <stdint.h>

/* From whom to whom. */
struct mpi_route {
	uint32_t pair; /* of the communicator (mpi_world.h); NO_COMMUNICATOR: no partner can be found */
	uint32_t source, destination, tag; /* experiments; NO_EXPERIMENT: not loaded */
	bool any_source, any_tag;          /* of a receive that is posted: source and tag do not count */
};
struct mpi_half {
	uint64_t begin; /* ns since the founder's start: the call that sends, or that posted the receive, began */
	uint64_t end;   /* the call that began the send, or completed the receive, ended */
	uint64_t bytes;
	uint32_t thread, stack; /* the owner's own, of the call that sends, or that posted the receive */
	uint32_t call;  /* the owner's own: of the call that completed the receive, or began the send; of a probe */
	uint32_t order; /* among the sends, or posted receives, of the process */
	uint32_t communicator; /* of mpi_world, on its own side */
	uint16_t function;     /* of that call: of the experiment's mpi_functions */
	bool kept;             /* by the filter */
	uint8_t state;         /* mpi_channels.c's own, as is next */
	uint32_t next;
};
/* A message, or what is known of one: either side may be 0. They are valid during the visit. */
struct mpi_message {
	const struct mpi_route *route;
	const struct mpi_half *send, *receive;
};
typedef void mpi_message_visitor(void *context, const struct mpi_message *message);
/* A probe found a message; its receive has been put together. `message` 0: the receive got none. */
typedef void mpi_probe_visitor(void *context, const struct mpi_half *probe, const struct mpi_message *message);

struct mpi_channels;
/* `hold`: all is kept until mpi_channels_end(), which is right whatever the order of events is. */
struct mpi_channels *mpi_channels_begin(bool hold, mpi_message_visitor *visitor, void *context);
/* Probes are visited, too; otherwise they are forgotten. */
void mpi_channels_want_probes(struct mpi_channels *channels, mpi_probe_visitor *visitor);
void mpi_channels_send(struct mpi_channels *channels, const struct mpi_route *route, const struct mpi_half *half);
/* A receive was posted, or a probe found a message that a receive of this order or a later one gets. */
void mpi_channels_post(struct mpi_channels *channels, const struct mpi_route *route, const struct mpi_half *half);
void mpi_channels_find(struct mpi_channels *channels, const struct mpi_route *route, const struct mpi_half *half);
/* A receive was completed. half->begin counts where it was not posted before. */
void mpi_channels_receive(struct mpi_channels *channels, const struct mpi_route *route, const struct mpi_half *half);
/* A receive that was posted will get no message. */
void mpi_channels_cancel(struct mpi_channels *channels, uint32_t destination, uint32_t order);
/* The filter keeps the send, too. It has an effect if all is held. */
void mpi_channels_keep_send(struct mpi_channels *channels, uint32_t source, uint32_t order);
/* Whether a side came after a later one of its channel had been put together: then what was visited is wrong, and the events have
   to be read again with `hold`. Threads that send at the same time can do that. */
bool mpi_channels_is_late(const struct mpi_channels *channels);
/* Lowers earliest[e], for each experiment, to the beginning of the first send to it that is kept. */
void mpi_channels_first_sends(const struct mpi_channels *channels, uint64_t *earliest);
/* The greatest number of sides that were kept at once. */
uint32_t mpi_channels_most(const struct mpi_channels *channels);
/* Visits the messages that are left, and those of which one side is missing. Frees it. */
void mpi_channels_end(struct mpi_channels *channels);

#endif
