/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a process still records: see still_recorded.h. */
#include "still_recorded.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

pid_t still_recorded(const struct experiment *experiment)
{
	char host[256] = "";
	/* Until the target starts there is the collect that will start it. */
	uint64_t pid = experiment->process.pid ? experiment->process.pid : experiment->settings->parent;
	gethostname(host, sizeof host - 1);
	bool runs = !experiment->closed && pid > 1 && strcmp(experiment->system->host, host) == 0 &&
		    (kill((pid_t)pid, 0) == 0 || errno == EPERM);
	return runs ? (pid_t)pid : 0;
}
