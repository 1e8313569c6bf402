/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of calls that are no events of I/O tracing but matter to waits: those of untraced.def may wait themselves,
   epoll_ctl says what an epoll waits for, and shutdown ends the wait of who reads from the socket. */
#include "descriptor_objects.h"
#include "interpose.h"
#include "polled.h"
#include <dirent.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* <stdio.h> is not for the collector. */
int remove(const char *path);
int rename(const char *from, const char *to);
int renameat(int from_folder, const char *from, int to_folder, const char *to);
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags);

#define UNTRACED(type, name, state, parameters, arguments)                                                             \
	INTERPOSE type name parameters                                                                                 \
	{                                                                                                              \
		return BLOCKING_CALL(type, STATE_##state, REAL(name) arguments);                                       \
	}
#include "untraced.def"

/* Those that take a lock wait for it. */
static bool waits_for_lock(int command)
{
	return command == F_SETLKW || command == F_OFD_SETLKW;
}
#define FCNTL(name)                                                                                                    \
	INTERPOSE int name(int descriptor, int command, ...)                                                           \
	{                                                                                                              \
		va_list list;                                                                                          \
		va_start(list, command);                                                                               \
		void *argument = va_arg(list, void *);                                                                 \
		va_end(list);                                                                                          \
		if (!waits_for_lock(command))                                                                          \
			return REAL(name)(descriptor, command, argument);                                              \
		return BLOCKING_CALL(int, STATE_FILE, REAL(name)(descriptor, command, argument));                      \
	}
FCNTL(fcntl)
FCNTL(fcntl64)

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
