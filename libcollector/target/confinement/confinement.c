/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of prctl and syscall, for seccomp; waits among the target's own calls go on to waiting_calls.c. */
#include "confinement.h"
#include "acceptance.h"
#include "architecture.h"
#include "collector.h"
#include "filter.h"
#include "hold.h"
#include "interpose.h"
#include "lifetime.h"
#include "our_signal.h"
#include "signal_calls.h"
#include "system_calls.h"
#include "text.h"
#include "thread.h"
#include "waiting_calls.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/netlink.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* No pointers: pages with those are written, and so copied, in each process that begins. */
static const struct our_call {
	char name[24];
	bool needed;
	int number;
	uint64_t arguments[6];
} our_calls[] = {
#define NEEDED(name, ...) {#name, true, SYS_##name, {__VA_ARGS__}},
#define CALL(name, ...)   {#name, false, SYS_##name, {__VA_ARGS__}},
#include "our_calls.def"
};
enum { OUR_CALLS = sizeof our_calls / sizeof *our_calls, WORDS = SYSTEM_CALLS_KNOWN / 64 };

/* The consequences of a filter for us. */
struct consequence {
	uint64_t denied[WORDS];
	bool ends, kills;
	const char *names[OUR_CALLS];
	unsigned name_count;
};

static bool kills_images;
static struct hold hold;
static struct sock_filter filter[BPF_MAXINSNS]; /* like what follows under the hold */
static struct consequence consequence;

bool confinement_kills_images(void)
{
	return kills_images;
}

static void deny(const struct our_call *call)
{
	uint64_t *word = &consequence.denied[call->number / 64], bit = 1ull << call->number % 64;
	consequence.ends |= call->needed;
	if (*word & bit)
		return;
	*word |= bit;
	consequence.names[consequence.name_count++] = call->name;
}

static void foresee(uint32_t (*verdict)(const struct our_call *call))
{
	consequence = (struct consequence){.ends = false};
	for (unsigned i = 0; i < OUR_CALLS; i++) {
		uint32_t action = verdict(&our_calls[i]) & SECCOMP_RET_ACTION_FULL;
		if (action == SECCOMP_RET_ALLOW || action == SECCOMP_RET_LOG)
			continue;
		consequence.kills |= action != SECCOMP_RET_ERRNO;
		deny(&our_calls[i]);
	}
}

static unsigned filter_length;
static uint32_t verdict_of_filter(const struct our_call *call)
{
	struct seccomp_data data = {
		.nr = call->number, .arch = AUDIT_ARCHITECTURE, .instruction_pointer = (uint64_t)verdict_of_filter};
	memcpy(data.args, call->arguments, sizeof data.args);
	return filter_verdict(filter, filter_length, &data);
}

static uint32_t verdict_of_strict_mode(const struct our_call *call)
{
	bool allowed = call->number == SYS_read || call->number == SYS_write || call->number == SYS_rt_sigreturn;
	return allowed ? SECCOMP_RET_ALLOW : SECCOMP_RET_KILL_THREAD;
}

static void say(void)
{
	static char words[2048];
	struct text text = {.bytes = words, .capacity = sizeof words - 1};
	text_string(&text, consequence.ends ? "recording ends here: " : "");
	text_string(&text, "the program confines itself by seccomp, without these calls of the collector:");
	for (unsigned i = 0; i < consequence.name_count; i++) {
		text_append(&text, " ", 1);
		text_string(&text, consequence.names[i]);
	}
	words[text.size] = 0;
	collector_log("cwarn", words);
}

/* Before the kernel gets the filter: afterwards it would be too late. */
static void prepare(uint64_t before[WORDS])
{
	bool recording = collector_recording();
	memcpy(before, system_calls_denied, sizeof consequence.denied);
	if (recording && consequence.name_count)
		say();
	if (recording && consequence.ends) {
		collector_close("seccomp");
		if (current_thread) /* nothing is left to take at its end */
			current_thread->ending = true;
	}
	for (unsigned i = 0; i < WORDS; i++)
		__atomic_fetch_or(&system_calls_denied[i], consequence.denied[i], __ATOMIC_RELAXED);
}

static void refused(const uint64_t before[WORDS])
{
	if (consequence.ends)
		collector_tell_founder("cwarn", 0, "the kernel refused that filter; recording had ended before it", 0);
	for (unsigned i = 0; i < WORDS; i++)
		__atomic_store_n(&system_calls_denied[i], before[i], __ATOMIC_RELAXED);
}

struct call {
	long number, arguments[6];
};

/* A mode or filter that the call sets; false: none that the kernel will take. */
static bool sets_filter(const struct call *call)
{
	long mode = call->arguments[0], program = call->arguments[2];
	bool by_prctl = call->number == SYS_prctl;
	if (by_prctl) {
		if (call->arguments[0] != PR_SET_SECCOMP)
			return false;
		mode = call->arguments[1] == SECCOMP_MODE_STRICT ? SECCOMP_SET_MODE_STRICT : SECCOMP_SET_MODE_FILTER;
	}
	if (mode == SECCOMP_SET_MODE_STRICT) {
		if (!by_prctl && !strict_mode_is_accepted((unsigned long)call->arguments[1], (const void *)program))
			return false;
		foresee(verdict_of_strict_mode);
		return true;
	}
	if (mode != SECCOMP_SET_MODE_FILTER || !filter_read((const struct sock_fprog *)program, filter, &filter_length))
		return false;
	if (!filter_is_valid(filter, filter_length) ||
		!filter_is_permitted(by_prctl ? 0 : (unsigned long)call->arguments[1]))
		return false;
	foresee(verdict_of_filter);
	return true;
}

static bool is_about_seccomp(long number, long first)
{
	return number == SYS_seccomp || (number == SYS_prctl && first == PR_SET_SECCOMP);
}

static bool forbids_counter(long number, long first, long second)
{
	return number == SYS_prctl && first == PR_SET_TSC && second == PR_TSC_SIGSEGV;
}

/* Makes the call by libc's own function. */
static long make(const struct call *call)
{
	const long *a = call->arguments;
	if (call->number == SYS_prctl)
		return REAL(prctl)((int)a[0], a[1], a[2], a[3], a[4]);
	return REAL(syscall)(call->number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* With SECCOMP_FILTER_FLAG_TSYNC alone a positive result is the thread that could not be confined. */
static bool has_failed(const struct call *call, long result)
{
	const unsigned long both = SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_NEW_LISTENER;
	bool names_thread =
		call->number == SYS_seccomp && ((unsigned long)call->arguments[1] & both) == SECCOMP_FILTER_FLAG_TSYNC;
	return result < 0 || (names_thread && result > 0);
}

static long confine(const struct call *call)
{
	uint64_t before[WORDS];
	bool ours = (collector_recording() || collector.carried) && hold_take(&hold);
	if (!ours)
		return make(call);
	int saved = errno;
	bool sets = sets_filter(call);
	if (sets)
		prepare(before);
	errno = saved;
	long result = make(call);
	if (sets && has_failed(call, result))
		refused(before);
	else if (sets)
		kills_images |= consequence.kills;
	hold_release(&hold);
	return result;
}

INTERPOSE int prctl(int option, ...)
{
	va_list list;
	va_start(list, option);
	long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long);
	va_end(list);
	if (forbids_counter(SYS_prctl, option, a))
		time_forbid_counter();
	if (!is_about_seccomp(SYS_prctl, option))
		return REAL(prctl)(option, a, b, c, d);
	/* As syscall() has them: the program of both is the third. */
	return (int)confine(&(struct call){SYS_prctl, {option, a, b, c, d, 0}});
}

/* Not variadic, which is the same to callers: so that the compiler jumps to libc's function and leaves no frame of ours under
   it, for calls that return twice on one stack. */
long syscall_in_front(long number, long a, long b, long c, long d, long e, long f) __asm__("syscall");
typedef long syscall_function(long number, long a, long b, long c, long d, long e, long f);
INTERPOSE long syscall_in_front(long number, long a, long b, long c, long d, long e, long f)
{
	if (is_about_seccomp(number, a))
		return confine(&(struct call){number, {a, b, c, d, e, f}});
	if (forbids_counter(number, a, b))
		time_forbid_counter();
	if (signal_call_is(number))
		return signal_call(number, a, b, c, d);
	if (waiting_call_is(number))
		return waiting_call(number, a, b, c, d, e, f);
	return ((syscall_function *)REAL(syscall))(number, a, b, c, d, e, f);
}
