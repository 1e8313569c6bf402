/* SPDX-License-Identifier: Apache-2.0 */
/* Filling in struct error. */
#include "error.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool error_set(struct error *error, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(error->text, sizeof(error->text), format, arguments);
	va_end(arguments);
	return false;
}

bool error_context(struct error *error, const char *format, ...)
{
	struct error inner = *error;
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(error->text, sizeof(error->text), format, arguments);
	va_end(arguments);
	size_t length = strlen(error->text);
	snprintf(error->text + length, sizeof(error->text) - length, ": %s", inner.text);
	return false;
}
