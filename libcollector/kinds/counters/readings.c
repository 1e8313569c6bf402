/* SPDX-License-Identifier: Apache-2.0 */
/* Readings of counters at samples: no setting asks for them yet, so only imports have them (FORMAT.md, "reading"). */
#include "kind.h"

static bool wanted(void)
{
	return false;
}

const struct kind_operations reading_operations = {.wanted = wanted};
