/* SPDX-License-Identifier: Apache-2.0 */
/* The texts that collect shows: the version, the parameters of a run, the usage message. Every text ends with a newline
   and is the caller's to free. */
#ifndef PARAMETERS_H
#define PARAMETERS_H

#include "settings.h"

char *version_text(void);
/* "Collection parameters:", a line for each, and the host. */
char *parameters_text(const struct settings *settings);
/* How to call collect, by the table of options. */
char *usage_text(void);

#endif
