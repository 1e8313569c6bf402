/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of the functions that take any number of arguments: each calls the one that takes a list of them. */
/* The header is to give the names of the scanf family to the functions of these names, not to their __isoc99_ forms, and to
   define none of the functions itself. */
#include <features.h>
#undef __USE_EXTERN_INLINES
#undef __GLIBC_USE_DEPRECATED_SCANF
#define __GLIBC_USE_DEPRECATED_SCANF 1

#include "interpose.h"
#include "io.h"
#include <stdarg.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <wchar.h>

/* Among them are the functions that are called. */
#define PLAIN(type, name, parameters, ...)                                                     type name parameters;
#define FORMAT(name, parameters, last, v, v_arguments, class, call, descriptor, bytes, failed) int name parameters;
#include "io_calls.def"

#define FORMAT(name, parameters, last, v, v_arguments, class, call, descriptor, bytes, failed)                         \
	INTERPOSE int name parameters                                                                                  \
	{                                                                                                              \
		va_list list;                                                                                          \
		va_start(list, last);                                                                                  \
		int formatted =                                                                                        \
			io_tracing ? IO_TRACED(int, class, call, descriptor, bytes, failed, REAL(v) v_arguments)       \
				   : DESCRIPTOR_CALL(int, DESCRIPTOR_##class, ON_##descriptor, descriptor,             \
					     STREAM_##descriptor, MAY_WAIT_##descriptor, failed, REAL(v) v_arguments); \
		va_end(list);                                                                                          \
		return formatted;                                                                                      \
	}
#include "io_calls.def"
