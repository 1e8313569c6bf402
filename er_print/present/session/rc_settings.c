/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answers of .er.rc files that are no commands: see rc_settings.h. */
#include "rc_settings.h"

#include <stdlib.h>
#include <string.h>

void rc_settings_free(struct rc_settings *settings)
{
	free(settings->default_metrics);
	free(settings->default_sort);
	if (settings->descendants == DESCENDANTS_MATCHING)
		regfree(&settings->pattern);
	*settings = (struct rc_settings){0};
}

bool rc_wants_descendant(const void *context, const char *lineage, const struct experiment *experiment)
{
	const struct rc_settings *settings = context;
	if (settings->descendants != DESCENDANTS_MATCHING)
		return settings->descendants == DESCENDANTS_ALL;
	const char *executable = experiment->process.executable ? experiment->process.executable : "";
	const char *slash = strrchr(executable, '/');
	return !regexec(&settings->pattern, lineage, 0, 0, 0) ||
	       !regexec(&settings->pattern, slash ? slash + 1 : executable, 0, 0, 0);
}
