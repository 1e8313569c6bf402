/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of the functions of wakers.def: a call is recorded if a thread waits for its object. */
#include "architecture.h"
#include "interpose.h"
#include "shared_memory.h"
#include "waiters.h"
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

/* clang-format off */
#define WAKES(kind, object, real)                                                                                            \
	{                                                                                                              \
		uint64_t waited = LOCK_OBJECT(kind, object); \
		if (!is_waited_for(waited))                                                     \
			return real;                                                                                   \
		struct waking waking = waking_begin(waited);                                    \
		int result = real;                                                                                     \
		waking_end(&waking, __builtin_frame_address(0));                                                       \
		return result;                                                                                         \
	}
#define WAKER(name, parameters, arguments, kind, object)                                                                     \
	int name parameters;                                                                                           \
	INTERPOSE int name parameters WAKES(kind, object, REAL(name) arguments)
#if CONDITIONS_IN_TWO_FORMS
#define VERSIONED(name, version, before, parameters, arguments, kind, object)                                                \
	INTERPOSE int name##_newest parameters;                                                                        \
	INTERPOSE int name##_before parameters;                                                                        \
	__asm__(".symver " #name "_newest, " #name "@@" version);                                                      \
	__asm__(".symver " #name "_before, " #name "@" before);                                                        \
	int name##_newest parameters WAKES(kind, object, REAL(name) arguments)                                               \
	int name##_before parameters WAKES(old_condition, object, REAL_VERSION(name, before) arguments)
#else
#define VERSIONED(name, version, before, parameters, arguments, kind, object)                                                \
	WAKER(name, parameters, arguments, kind, object)
#endif
/* clang-format on */
#include "wakers.def"
