/* SPDX-License-Identifier: Apache-2.0 */
/* AddressSanitizer and preloading: see sanitizer.h. */
#include "sanitizer.h"
#include "program_image.h"
#include <stdio.h>
#include <stdlib.h>

bool sanitizer_permit_preload(void)
{
	const char *old = getenv(SANITIZER_VARIABLE);
	char *value;
	/* The last one counts. */
	if (asprintf(&value, "%s%s" SANITIZER_PERMIT, old ? old : "", old && old[0] ? ":" : "") < 0)
		return false;
	bool ok = setenv(SANITIZER_VARIABLE, value, 1) == 0;
	free(value);
	return ok;
}
