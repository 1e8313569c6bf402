/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The name of er_print in its messages. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "version.h"

#define PROGRAM_VERSION "er_print: er-tools " ER_TOOLS_VERSION

#endif
