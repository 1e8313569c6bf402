/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of calls that are no I/O but matter to waits for I/O: what an epoll waits for, and the end of a direction of a
   socket, which ends the wait of who reads from it. */
#include "descriptor_objects.h"
#include "interpose.h"
#include "polled.h"
#include <sys/socket.h>

INTERPOSE int epoll_ctl(int epoll, int operation, int descriptor, struct epoll_event *event)
{
	int result = REAL(epoll_ctl)(epoll, operation, descriptor, event);
	if (result == 0 && operation != EPOLL_CTL_DEL)
		polled_epoll_changed(descriptor, event);
	return result;
}

INTERPOSE int shutdown(int descriptor, int how)
{
	bool writes = how != SHUT_RD && has_states(current_thread);
	struct waking ended =
		waking_begin_shared(writes ? object_written(descriptor_object(descriptor, OBJECT_OPENED)) : 0);
	int result = REAL(shutdown)(descriptor, how);
	if (result == 0)
		waking_end(&ended, __builtin_frame_address(0));
	return result;
}
