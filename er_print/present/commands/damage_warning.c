/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line for each damaged experiment: see damage_warning.h. */
#include "damage_warning.h"

#include <inttypes.h>

bool damage_warning(const struct session *session)
{
	bool any = false;
	fflush(stdout);
	for (uint32_t e = 0; e < session->data->experiment_count; e++) {
		const struct loaded_experiment *loaded = &session->data->experiments[e];
		const struct experiment *experiment = loaded->file;
		if (loaded->imported.ignored && loaded->founder == e && !loaded->imported.apart)
			fprintf(stderr,
				"%s: *** Warning: what could not be read was left out: %" PRIu64 " in all, %s\n",
				loaded->imported.path, loaded->imported.ignored, loaded->imported.first_ignored);
		if (!experiment->damage.first[0])
			continue;
		any = true;
		fprintf(stderr, "%s: *** Warning: the experiment is damaged (%s); -header shows how much is lost\n",
			experiment->path, experiment->damage.first);
	}
	return any;
}
