/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's conditions, as far as they show: kernel/seccomp.c of Linux. */
#include "acceptance.h"
#include "system_calls.h"
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#define WITHOUT_OTHERS (SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_NEW_LISTENER) /* but for the next */
#define WITH_BOTH      (1ul << 4) /* SECCOMP_FILTER_FLAG_TSYNC_ESRCH of Linux 5.7 */

bool strict_mode_is_accepted(unsigned long flags, const void *arguments)
{
	return flags == 0 && !arguments;
}

static bool is_administrator(void)
{
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}};
	if (system_call(SYS_capget, &header, data) < 0)
		return true;
	return data[CAP_TO_INDEX(CAP_SYS_ADMIN)].effective & CAP_TO_MASK(CAP_SYS_ADMIN);
}

bool filter_is_permitted(unsigned long flags)
{
	if ((flags & WITHOUT_OTHERS) == WITHOUT_OTHERS && !(flags & WITH_BOTH))
		return false;
	return system_call(SYS_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 0 || is_administrator();
}
