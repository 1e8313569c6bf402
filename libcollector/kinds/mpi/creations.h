/* SPDX-License-Identifier: Apache-2.0 */
/* Communicators that are made without waiting, and what is counted of those that are made alike. */
#ifndef CREATIONS_H
#define CREATIONS_H

#include "requests.h"

/* The request of one is complete: it is there. */
void creation_complete(const struct mpi_call *call, const struct request *request);
void creations_clear(void);

#endif
