/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of the functions that libc has in two forms, under two symbol versions: on x86-64 the waits for a
   condition variable, whose memory had another layout before GLIBC_2.3.2. Each caller gets the form that it was linked to. */
#include "architecture.h"
#include "interpose.h"
#include "traced_call.h"

/* The mutex becomes free inside of the call. It is recorded before, as the call returns much later. */
static void lets_go_of(uint64_t mutex, const void *frame)
{
	struct waking waking = waking_begin(mutex);
	waking_end(&waking, frame);
}

#if CONDITIONS_IN_TWO_FORMS
/* clang-format off */
#define FORM(wait, answer, object, waited, real)                                                                               \
	{                                                                                                              \
		lets_go_of(LOCK_OBJECT(mutex, mutex), __builtin_frame_address(0));                                    \
		if (sync_tracing == SYNC_NOT_TRACED)                                                                   \
			return BLOCKING_CALL_FOR(int, waited, true, real);                                             \
		return TRACED_CALL(wait, answer, object, waited, real);                                                        \
	}
#define VERSIONED(wait, answer, name, version, before, parameters, arguments, object)                                  \
	INTERPOSE int name##_newest parameters;                                                                        \
	INTERPOSE int name##_before parameters;                                                                        \
	__asm__(".symver " #name "_newest, " #name "@@" version);                                                      \
	__asm__(".symver " #name "_before, " #name "@" before);                                                        \
	int name##_newest parameters FORM(wait, answer, object, LOCK_OBJECT(wait, object), REAL(name) arguments)                \
	int name##_before parameters FORM(wait, answer, object, (uint64_t)(uintptr_t)(object), REAL_VERSION(name, before) arguments)
/* clang-format on */
#else
#define VERSIONED(wait, answer, name, version, before, parameters, arguments, object)                                  \
	INTERPOSE int name parameters                                                                                  \
	{                                                                                                              \
		lets_go_of(LOCK_OBJECT(mutex, mutex), __builtin_frame_address(0));                                     \
		if (sync_tracing == SYNC_NOT_TRACED)                                                                   \
			return BLOCKING_CALL_FOR(int, LOCK_OBJECT(wait, object), true, REAL(name) arguments);          \
		return TRACED_CALL(wait, answer, object, LOCK_OBJECT(wait, object), REAL(name) arguments);             \
	}
#endif
#include "synchronization.def"
