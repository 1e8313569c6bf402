/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a collective operation at one rank. */
#ifndef COLLECTIVE_BYTES_H
#define COLLECTIVE_BYTES_H

#include "call.h"

/* Fills in the bytes that this rank gives and gets in a collective operation that did not fail, as its arguments tell them. */
void collective_bytes(const struct mpi_call *call, struct mpi_message *message);

#endif
