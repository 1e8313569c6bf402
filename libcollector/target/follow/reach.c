/* SPDX-License-Identifier: Apache-2.0 */
/* Asking the kernel what an image may open. */
#include "reach.h"
#include "collector.h"
#include "system_calls.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <unistd.h>

#define FILE_CAPABILITIES (1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH)

/* The thread's capabilities as they are, and without those that open every file. */
struct capabilities {
	struct __user_cap_header_struct header;
	struct __user_cap_data_struct all[2], kept[2];
};

/* An exec takes from all but root what is not ambient, as setpriv and programs with keep-caps set have it. */
static bool will_lose_capabilities(struct capabilities *capabilities)
{
	capabilities->header = (struct __user_cap_header_struct){_LINUX_CAPABILITY_VERSION_3, 0};
	if (system_call(SYS_geteuid) == 0 || system_call(SYS_capget, &capabilities->header, capabilities->all) < 0 ||
		!(capabilities->all[0].effective & FILE_CAPABILITIES))
		return false;
	capabilities->kept[0] = capabilities->all[0];
	capabilities->kept[1] = capabilities->all[1];
	for (unsigned long number = CAP_DAC_OVERRIDE; number <= CAP_DAC_READ_SEARCH; number++)
		if (system_call(SYS_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, number, 0, 0) != 1)
			capabilities->kept[0].effective &= ~(1u << number);
	return capabilities->kept[0].effective != capabilities->all[0].effective;
}

static bool can_read(const char *path)
{
	int fd = sys_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (fd >= 0)
		sys_close(fd);
	return fd >= 0;
}

static bool can_use_both(void)
{
	if (!can_read(collector.settings.library))
		return false;
	/* The effective user counts; kernels before 5.8 tell of the real one alone. */
	long code = system_call(SYS_faccessat2, AT_FDCWD, collector.settings.founder, W_OK | X_OK, AT_EACCESS);
	if (code == -ENOSYS || code == -EPERM)
		code = system_call(SYS_faccessat, AT_FDCWD, collector.settings.founder, W_OK | X_OK);
	return code == 0;
}

bool experiment_is_reachable(void)
{
	struct capabilities capabilities;
	bool fewer = will_lose_capabilities(&capabilities) &&
		     system_call(SYS_capset, &capabilities.header, capabilities.kept) == 0;
	bool reachable = can_use_both();
	if (fewer)
		system_call(SYS_capset, &capabilities.header, capabilities.all);
	return reachable;
}
