/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of the functions that libc has in two forms, under two symbol versions: on x86-64 the waits for a
   condition variable, whose memory had another layout before GLIBC_2.3.2. Each caller gets the form that it was linked to. */
#include "architecture.h"
#include "interpose.h"
#include "traced_call.h"

#if CONDITIONS_IN_TWO_FORMS
/* clang-format off */
#define FORM(wait, answer, object, real)                                                                               \
	{                                                                                                              \
		if (sync_tracing == SYNC_NOT_TRACED)                                                                   \
			return BLOCKING_CALL(int, STATE_LOCK, real);                                                   \
		return TRACED_CALL(wait, answer, object, real);                                                        \
	}
#define VERSIONED(wait, answer, name, version, before, parameters, arguments, object)                                  \
	INTERPOSE int name##_newest parameters;                                                                        \
	INTERPOSE int name##_before parameters;                                                                        \
	__asm__(".symver " #name "_newest, " #name "@@" version);                                                      \
	__asm__(".symver " #name "_before, " #name "@" before);                                                        \
	int name##_newest parameters FORM(wait, answer, object, REAL(name) arguments)                \
	int name##_before parameters FORM(wait, answer, object, REAL_VERSION(name, before) arguments)
/* clang-format on */
#else
#define VERSIONED(wait, answer, name, version, before, parameters, arguments, object)                                  \
	INTERPOSE int name parameters                                                                                  \
	{                                                                                                              \
		if (sync_tracing == SYNC_NOT_TRACED)                                                                   \
			return BLOCKING_CALL(int, STATE_LOCK, REAL(name) arguments);                                   \
		return TRACED_CALL(wait, answer, object, REAL(name) arguments);                                        \
	}
#endif
#include "synchronization.def"
