/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words that processes give each other at the beginning and the end of epochs at a window, and the calls that wait for them.
   They are matched as messages are. For the files that make up mpi_waits.h. */
#ifndef MPI_WINDOW_WORDS_H
#define MPI_WINDOW_WORDS_H

#include "mpi_channels.h"
#include "mpi_open_calls.h"

struct mpi_words;
struct mpi_words *mpi_words_begin(struct mpi_open_calls *calls, const struct mpi_function_roles *roles, bool hold);
/* An event `signal`, or `await`, whose route has the word for a tag. */
void mpi_words_signal(struct mpi_words *words, const struct mpi_route *route, const struct mpi_event *event);
void mpi_words_await(struct mpi_words *words, const struct mpi_route *route, const struct mpi_event *event);
/* As mpi_channels_is_late(). */
bool mpi_words_are_late(const struct mpi_words *words);
/* Offers what is left, and frees it. */
void mpi_words_end(struct mpi_words *words);

#endif
