/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The classes in which the types of I/O events (kinds.def: IO, type) are counted. */
#ifndef IO_TYPES_H
#define IO_TYPES_H

#include "kinds.h"
#include <stdbool.h>

static inline bool io_is_other(uint64_t type)
{
	return type == STATE_VALUE(IO, type, open) || type == STATE_VALUE(IO, type, close) ||
	       type == STATE_VALUE(IO, type, other);
}
static inline bool io_is_wait(uint64_t type)
{
	return type == STATE_VALUE(IO, type, wait) || type == STATE_VALUE(IO, type, wait_error);
}
static inline bool io_is_error(uint64_t type)
{
	return (type >= STATE_VALUE(IO, type, read_error) && type <= STATE_VALUE(IO, type, other_error)) ||
	       type == STATE_VALUE(IO, type, wait_error);
}

#endif
