/* SPDX-License-Identifier: Apache-2.0 */
/* Reading times, signals, periods and sizes: see option_values.h. */
#include "option_values.h"
#include <ctype.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define NANOSECONDS_PER_SECOND      1000000000u
#define NANOSECONDS_PER_MICROSECOND 1000u
#define SECONDS_MAX                 1e9 /* thirty years: nanoseconds still fit */
#define STACK_DEPTH_MAX             65536
#define COLLECTOR_SIGNAL            61 /* libcollector's own */
#define LIBC_SIGNALS                32 /* and 33: libc's own */

/* A plain decimal number at *text, which moves behind it: no sign, blank, exponent or "inf". */
static bool read_decimal(const char **text, double *number)
{
	size_t length = strspn(*text, "0123456789.");
	char *end;
	if (length == 0 || !strpbrk(*text, "0123456789"))
		return false;
	char copy[32];
	if (length >= sizeof copy)
		return false;
	memcpy(copy, *text, length);
	copy[length] = '\0';
	*number = strtod(copy, &end);
	*text += length;
	return *end == '\0' && isfinite(*number);
}

/* N, Nm, Ns; *text moves behind it. */
static bool read_time(const char **text, uint64_t *nanoseconds)
{
	double seconds;
	if (!read_decimal(text, &seconds))
		return false;
	if (**text == 'm')
		seconds *= 60;
	if (**text == 'm' || **text == 's')
		++*text;
	if (seconds > SECONDS_MAX)
		return false;
	*nanoseconds = (uint64_t)(seconds * NANOSECONDS_PER_SECOND + 0.5);
	return true;
}

bool option_times(const char *value, uint64_t *from, uint64_t *until, struct error *error)
{
	const char *at = value;
	*from = *until = 0;
	bool ok = *at == '-' || read_time(&at, until);
	bool both = ok && *at == '-';
	if (both) {
		at++;
		*from = *until;
		ok = read_time(&at, until);
	}
	if (!ok || *at)
		return error_set(error,
			"Invalid time parameter `%s': neither N, Nm (minutes), Ns (seconds) nor a range A-B", value);
	if (*from == 0 && *until == 0)
		return error_set(error, "Invalid time parameter `%s': nothing would be recorded", value);
	if (*until != 0 && *from >= *until)
		return error_set(error, "Invalid time parameter `%s': start time must be earlier than end time", value);
	return true;
}

/* "USR1" or "SIGUSR1"; 0: none. (sigabbrev_np(3) is too new.) */
static int signal_of_name(const char *name)
{
#define NAME(suffix)                                                                                                   \
	{                                                                                                              \
#suffix, SIG##suffix                                                                                   \
	}
	static const struct {
		const char *name;
		int number;
	} names[] = {NAME(HUP), NAME(INT), NAME(QUIT), NAME(ILL), NAME(TRAP), NAME(ABRT), NAME(BUS), NAME(FPE),
		NAME(KILL), NAME(USR1), NAME(SEGV), NAME(USR2), NAME(PIPE), NAME(ALRM), NAME(TERM), NAME(STKFLT),
		NAME(CHLD), NAME(CONT), NAME(STOP), NAME(TSTP), NAME(TTIN), NAME(TTOU), NAME(URG), NAME(XCPU),
		NAME(XFSZ), NAME(VTALRM), NAME(PROF), NAME(WINCH), NAME(IO), NAME(POLL), NAME(PWR), NAME(SYS)};
#undef NAME
	if (strncasecmp(name, "SIG", 3) == 0)
		name += 3;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcasecmp(names[i].name, name) == 0)
			return names[i].number;
	return 0;
}

static const char *reason_against(int number)
{
	switch (number) {
	case SIGKILL:
	case SIGSTOP:
		return "cannot be caught";
	case SIGSEGV:
	case SIGBUS:
	case SIGFPE:
	case SIGILL:
	case SIGTRAP:
	case SIGSYS:
	case SIGABRT:
		return "tells of an error of the program";
	case SIGIO:
	case COLLECTOR_SIGNAL:
		return "is used by the collector itself";
	case LIBC_SIGNALS:
	case LIBC_SIGNALS + 1:
		return "is used by the C library";
	default:
		return 0;
	}
}

bool option_signal(const char *value, uint64_t *signal_number, struct error *error)
{
	char *end;
	*signal_number = 0;
	if (strcmp(value, "off") == 0)
		return true;
	long number = isdigit((unsigned char)value[0]) ? strtol(value, &end, 10) : signal_of_name(value);
	if (number <= 0 || number >= _NSIG || (isdigit((unsigned char)value[0]) && *end))
		return error_set(error, "Unknown signal `%s'", value);
	const char *reason = reason_against((int)number);
	if (reason)
		return error_set(error, "Signal %s cannot be used: it %s", value, reason);
	*signal_number = (uint64_t)number;
	return true;
}

/* A whole number above 0 that times `unit` fits into 63 bits. */
static bool read_whole(const char *value, uint64_t unit, uint64_t *result)
{
	char *end;
	if (!isdigit((unsigned char)value[0]))
		return false;
	unsigned long long number = strtoull(value, &end, 10);
	*result = number * unit;
	return *end == '\0' && number > 0 && number <= INT64_MAX / unit;
}

bool option_period(const char *value, uint64_t *nanoseconds, struct error *error)
{
	*nanoseconds = strcmp(value, "on") == 0 ? NANOSECONDS_PER_SECOND : 0;
	if (*nanoseconds || strcmp(value, "off") == 0 || read_whole(value, NANOSECONDS_PER_SECOND, nanoseconds))
		return true;
	return error_set(error, "Unrecognized sample period `%s'", value);
}

bool option_microseconds(const char *value, uint64_t *nanoseconds, struct error *error)
{
	*nanoseconds = 0;
	if (value[0] && strspn(value, "0") == strlen(value))
		return true;
	return read_whole(value, NANOSECONDS_PER_MICROSECOND, nanoseconds) ||
	       error_set(error,
		       "Unrecognized synchronization threshold `%s': it is \"off\", \"on\" (\"calibrate\"), \"all\" or "
		       "a number of microseconds",
		       value);
}

bool option_depth(const char *value, uint64_t *frames, struct error *error)
{
	if (read_whole(value, 1, frames) && *frames <= STACK_DEPTH_MAX)
		return true;
	return error_set(
		error, "Unrecognized stack depth `%s': it is a number of frames, 1 to %d", value, STACK_DEPTH_MAX);
}

bool option_size(const char *value, uint64_t *bytes, struct error *error)
{
	*bytes = 0;
	if (strcmp(value, "unlimited") == 0 || strcmp(value, "none") == 0 || read_whole(value, 1u << 20, bytes))
		return true;
	return error_set(error, "Unrecognized size limit `%s'", value);
}
