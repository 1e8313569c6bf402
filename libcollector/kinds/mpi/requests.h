/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the target's requests: a nonblocking or persistent call makes one, and its completion looks it up. */
#ifndef REQUESTS_H
#define REQUESTS_H

#include "call.h"

struct request {
	enum mpi_role role; /* ROLE_SEND, ROLE_RECEIVE or ROLE_COLLECTIVE; ROLE_NONE: nothing to tell of */
	bool persistent, active;
	uint32_t communicator, peer, tag; /* peer, tag: of a persistent one, what it starts with */
	uint64_t bytes;                   /* of a persistent send */
	uint64_t order;
	const void *made; /* a communicator that is made: where its handle will be; else 0 */
	uint64_t made_as; /* which of its parent's it is */
	const char *made_by;
};

/* Takes note of the request that the call has made: what its request argument points to. The rest are its values, which are put
   where they stay at once. */
#define request_add(call, ...)                                                                                         \
	do {                                                                                                           \
		struct request *made_ = request_make(call);                                                            \
		if (made_)                                                                                             \
			*made_ = (struct request){__VA_ARGS__};                                                        \
		mpi_unlock();                                                                                          \
	} while (0)
/* Locks, and gives room for it. 0: the call made none, or there is no memory. */
struct request *request_make(struct mpi_call *call);
/* Takes note that the request was complete; the message that this tells of is added to the call. `status`: the library's. */
void request_complete(struct mpi_call *call, uint64_t handle, const void *status);
/* A persistent request begins: the message that it sends or posts is added. */
void request_start(struct mpi_call *call, uint64_t handle);
/* The target gives it up. */
void request_forget(struct mpi_call *call, uint64_t handle);
void requests_clear(void);

/* The number of the next send, and of the next receive to be posted, of this process. */
uint64_t next_send(void);
uint64_t next_receive(void);
/* The number that next_receive() will give. */
uint64_t coming_receive(void);

#endif
