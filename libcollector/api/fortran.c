/* SPDX-License-Identifier: Apache-2.0 */
/* The names that Fortran compilers give to the calls of libfcollector.h. */
#include "collectorAPI.h"
#include <stddef.h>

#define FORTRAN __attribute__((visibility("default")))

enum { LABEL_MAX = 255 };

FORTRAN void collector_sample_(const char *label, size_t length);
FORTRAN void collector_pause_(void);
FORTRAN void collector_resume_(void);
FORTRAN void collector_terminate_expt_(void);

/* A text of Fortran has no end but blanks. */
void collector_sample_(const char *label, size_t length)
{
	char text[LABEL_MAX + 1];
	if (length > LABEL_MAX)
		length = LABEL_MAX;
	while (length && label[length - 1] == ' ')
		length--;
	for (size_t i = 0; i < length; i++)
		text[i] = label[i];
	text[length] = 0;
	collector_sample(text);
}

void collector_pause_(void)
{
	collector_pause();
}

void collector_resume_(void)
{
	collector_resume();
}

void collector_terminate_expt_(void)
{
	collector_terminate_expt();
}
