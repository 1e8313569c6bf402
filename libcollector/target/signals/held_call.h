/* SPDX-License-Identifier: Apache-2.0 */
/* Making a call that the kernel does not restart after a signal, for the one wrapper of that call, whosever it is. */
#ifndef HELD_CALL_H
#define HELD_CALL_H

#include "interpose.h"
#include "our_signal.h"
#include <errno.h>

/* The result of the real function NAME, made with our signal blocked, so that no EINTR is ours. If it cannot block (WAITS is
   false) it is made as it is, and again if it was interrupted all the same. */
#define HELD_CALL(type, name, arguments, waits)                                                                        \
	({                                                                                                             \
		type result_ = (type)-1;                                                                               \
		bool waits_ = waits, again_ = waits_;                                                                  \
		if (!waits_) {                                                                                         \
			result_ = REAL(name) arguments;                                                                \
			again_ = result_ == (type)-1 && errno == EINTR;                                                \
		}                                                                                                      \
		if (again_) {                                                                                          \
			bool held_ = our_signal_hold();                                                                \
			result_ = REAL(name) arguments;                                                                \
			our_signal_release(held_);                                                                     \
		}                                                                                                      \
		result_;                                                                                               \
	})

/* As HELD_CALL(), for a call that is restarted after a signal, except on a socket with SO_RCVTIMEO or SO_SNDTIMEO: it is held where
   the target has such sockets (waits.c). WHOLE: it returns what it has moved when a signal comes, so it is held always. */
extern bool sockets_have_timeouts __attribute__((visibility("hidden")));
#define SOCKET_CALL(type, name, arguments, whole)                                                                      \
	({                                                                                                             \
		bool holds_ = ((whole) || sockets_have_timeouts) && our_signal_hold();                                 \
		type moved_ = REAL(name) arguments;                                                                    \
		if (holds_)                                                                                            \
			our_signal_release(true);                                                                      \
		moved_;                                                                                                \
	})

#endif
