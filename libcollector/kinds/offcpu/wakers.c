/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of the functions of wakers.def: a call is recorded if a thread waits for its object. */
#include "architecture.h"
#include "interpose.h"
#include "waiters.h"
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

/* clang-format off */
#define WAKES(object, real)                                                                                            \
	{                                                                                                              \
		if (!is_waited_for((uint64_t)(uintptr_t)(object)))                                                     \
			return real;                                                                                   \
		struct waking waking = waking_begin((uint64_t)(uintptr_t)(object));                                    \
		int result = real;                                                                                     \
		waking_end(&waking, __builtin_frame_address(0));                                                       \
		return result;                                                                                         \
	}
#define WAKER(name, parameters, arguments, object)                                                                     \
	int name parameters;                                                                                           \
	INTERPOSE int name parameters WAKES(object, REAL(name) arguments)
#if CONDITIONS_IN_TWO_FORMS
#define VERSIONED(name, version, before, parameters, arguments, object)                                                \
	INTERPOSE int name##_newest parameters;                                                                        \
	INTERPOSE int name##_before parameters;                                                                        \
	__asm__(".symver " #name "_newest, " #name "@@" version);                                                      \
	__asm__(".symver " #name "_before, " #name "@" before);                                                        \
	int name##_newest parameters WAKES(object, REAL(name) arguments)                                               \
	int name##_before parameters WAKES(object, REAL_VERSION(name, before) arguments)
#else
#define VERSIONED(name, version, before, parameters, arguments, object)                                                \
	WAKER(name, parameters, arguments, object)
#endif
/* clang-format on */
#include "wakers.def"
