/* SPDX-License-Identifier: Apache-2.0 */
/* MPI_X and PMPI_X of every function of functions.def. All arguments of MPI are integers or pointers and at most 13, so they
   can be handed on without knowing the function: by the calling conventions of x86-64 and arm64 each takes one register or
   one word of the stack. The first six are in registers on both. A call to MPI_X goes on to the next MPI_X, which may be
   another tool's, whose own call to PMPI_X is inside that call. */
#include "call.h"
#include "interpose.h"

enum { NO_SUCH_FUNCTION = 16 }; /* Open MPI's MPI_ERR_OTHER */

#define UP_TO_6_PARAMETERS (long a, long b, long c, long d, long e, long f)
#define UP_TO_6_VALUES     a, b, c, d, e, f
#define UP_TO_6_CHANGED    (v[0], v[1], v[2], v[3], v[4], v[5])
#define UP_TO_13_PARAMETERS                                                                                            \
	(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, long l, long m)
#define UP_TO_13_VALUES  a, b, c, d, e, f, g, h, i, j, k, l, m
#define UP_TO_13_CHANGED (v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12])

#define WRAPPER(symbol, number, profiling, form)                                                                       \
	long symbol form##_PARAMETERS;                                                                                 \
	INTERPOSE long symbol form##_PARAMETERS                                                                        \
	{                                                                                                              \
		struct mpi_call call;                                                                                  \
		long v[] = {form##_VALUES};                                                                            \
		long(*real) form##_PARAMETERS = mpi_real(number, profiling);                                           \
		if (!real)                                                                                             \
			return NO_SUCH_FUNCTION;                                                                       \
		if (!mpi_call_begin(&call, number, __builtin_frame_address(0), v))                                     \
			return real form##_CHANGED;                                                                    \
		return mpi_call_end(&call, real form##_CHANGED);                                                       \
	}

#define FORM_0  UP_TO_6
#define FORM_1  UP_TO_6
#define FORM_2  UP_TO_6
#define FORM_3  UP_TO_6
#define FORM_4  UP_TO_6
#define FORM_5  UP_TO_6
#define FORM_6  UP_TO_6
#define FORM_7  UP_TO_13
#define FORM_8  UP_TO_13
#define FORM_9  UP_TO_13
#define FORM_10 UP_TO_13
#define FORM_11 UP_TO_13
#define FORM_12 UP_TO_13
#define FORM_13 UP_TO_13

#define WRAPPER_OF(symbol, number, profiling, form) WRAPPER(symbol, number, profiling, form)
#define FUNCTION(name, arguments, ...)                                                                                 \
	WRAPPER_OF(name, NUMBER_##name, false, FORM_##arguments)                                                       \
	WRAPPER_OF(P##name, NUMBER_##name, true, FORM_##arguments)
#include "functions.def"
