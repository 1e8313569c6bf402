/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of settings that er_print reads when it begins. */
#ifndef RC_FILES_H
#define RC_FILES_H

#include "session.h"

/* Reads the system's file, beside the program's libraries, the user's in $HOME and the one in the working directory, so
   that what the later say holds. */
void rc_read_all(struct session *session);

#endif
