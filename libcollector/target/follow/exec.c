/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of the exec family: the image that takes over finds its experiment. */
#include "departure.h"
#include "interpose.h"
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

/* An exec of PATH by CALL, in which `departure.environment` is the environment. */
#define EXEC(image, path, target_environment, call)                                                                    \
	({                                                                                                             \
		struct departure departure;                                                                            \
		departure_exec(&departure, image, path, target_environment);                                           \
		call;                                                                                                  \
		departure_failed(&departure, path);                                                                    \
	})

/* Our own calls must not go through the names that we stand in front of. */
static int exec_path(const char *path, char *const arguments[], char *const environment[])
{
	return EXEC(image_of(AT_FDCWD, path), path, environment, REAL(execve)(path, arguments, departure.environment));
}

static int exec_command(const char *file, char *const arguments[], char *const environment[])
{
	return EXEC(image_of_command(file), file, environment, REAL(execvpe)(file, arguments, departure.environment));
}

INTERPOSE int execve(const char *path, char *const arguments[], char *const environment[])
{
	return exec_path(path, arguments, environment);
}

INTERPOSE int execv(const char *path, char *const arguments[])
{
	return exec_path(path, arguments, environ);
}

INTERPOSE int execvpe(const char *file, char *const arguments[], char *const environment[])
{
	return exec_command(file, arguments, environment);
}

INTERPOSE int execvp(const char *file, char *const arguments[])
{
	return exec_command(file, arguments, environ);
}

INTERPOSE int fexecve(int fd, char *const arguments[], char *const environment[])
{
	return EXEC(image_of(fd, ""), "", environment, REAL(fexecve)(fd, arguments, departure.environment));
}

#if __GLIBC_PREREQ(2, 34)
INTERPOSE int execveat(int fd, const char *path, char *const arguments[], char *const environment[], int flags)
{
	return EXEC(image_of(fd, path), path, environment,
		REAL(execveat)(fd, path, arguments, departure.environment, flags));
}
#endif

/* Arguments from the second until the null pointer that ends them, with it and with the first. */
static size_t count_arguments(va_list list)
{
	va_list copy;
	size_t count = 2;
	va_copy(copy, list);
	while (va_arg(copy, char *))
		count++;
	va_end(copy);
	return count;
}

static void collect_arguments(va_list *list, const char *first, char **arguments)
{
	*arguments++ = (char *)first;
	while ((*arguments++ = va_arg(*list, char *)))
		;
}

INTERPOSE int execl(const char *path, const char *first, ...)
{
	va_list list;
	va_start(list, first);
	char **arguments = __builtin_alloca(count_arguments(list) * sizeof(char *));
	collect_arguments(&list, first, arguments);
	va_end(list);
	return exec_path(path, arguments, environ);
}

INTERPOSE int execlp(const char *file, const char *first, ...)
{
	va_list list;
	va_start(list, first);
	char **arguments = __builtin_alloca(count_arguments(list) * sizeof(char *));
	collect_arguments(&list, first, arguments);
	va_end(list);
	return exec_command(file, arguments, environ);
}

INTERPOSE int execle(const char *path, const char *first, ...)
{
	va_list list;
	va_start(list, first);
	char **arguments = __builtin_alloca(count_arguments(list) * sizeof(char *));
	collect_arguments(&list, first, arguments);
	char *const *environment = va_arg(list, char *const *);
	va_end(list);
	return exec_path(path, arguments, environment);
}
