/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of the calls of waits.def. The real function of libc makes the call, so that it stays a cancellation
   point and its errno and remaining time are the kernel's. */
#include "blocking_call.h"
#include "held_call.h"
#include <aio.h>
#include <netdb.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

bool sockets_have_timeouts; /* set once, never taken back: a descriptor's copies are not followed */

#define WAIT(type, name, state, parameters, arguments, waits)                                                          \
	type name parameters;                                                                                          \
	INTERPOSE type name parameters                                                                                 \
	{                                                                                                              \
		return BLOCKING_CALL(type, STATE_##state, HELD_CALL(type, name, arguments, waits));                    \
	}
#include "waits.def"

/* The headers know only one of the two functions of this name. */
int sigpause_of_bsd(int mask) __asm__("sigpause");
INTERPOSE int sigpause_of_bsd(int mask)
{
	return BLOCKING_CALL(int, STATE_SLEEP, HELD_CALL(int, __sigpause, (mask, 0), true));
}

INTERPOSE int setsockopt(int fd, int level, int option, const void *value, socklen_t size)
{
	if (level == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO))
		sockets_have_timeouts = true;
	return REAL(setsockopt)(fd, level, option, value, size);
}
