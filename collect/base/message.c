/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of collect: see message.h. */
#include "message.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int file = -1;

bool message_set_file(const char *path, struct error *error)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
	if (fd < 0)
		return error_set(error, "Unable to open the output file `%s' of -O: %s", path, strerror(errno));
	file = fd;
	return true;
}

static void say(int descriptor, const char *prefix, const char *end, const char *format, va_list arguments)
{
	/* One write for a line, and no stdio buffer that a forked child could flush again. */
	char text[16384];
	size_t size = strlen(prefix);
	memcpy(text, prefix, size);
	int n = vsnprintf(text + size, sizeof text - size - 1, format, arguments);
	if (n < 0)
		return;
	size += (size_t)n < sizeof text - size - 1 ? (size_t)n : sizeof text - size - 2;
	size += (size_t)sprintf(text + size, "%s", end);
	const char *next = text;
	while (size > 0) {
		ssize_t written = write(file >= 0 ? file : descriptor, next, size);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return;
		next += written;
		size -= (size_t)written;
	}
}

void message_error(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	say(STDERR_FILENO, "collect: ", "\n", format, arguments);
	va_end(arguments);
}

void message_warning(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	say(STDERR_FILENO, "collect: ", "\n", format, arguments);
	va_end(arguments);
}

void message_answer(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	say(STDOUT_FILENO, "", "", format, arguments);
	va_end(arguments);
}

void message_information(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	say(STDERR_FILENO, "", "", format, arguments);
	va_end(arguments);
}

int message_start_descriptor(void)
{
	if (file >= 0)
		return file;
	return isatty(STDOUT_FILENO) ? STDOUT_FILENO : STDERR_FILENO;
}
