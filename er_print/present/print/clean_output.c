/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams that let text through and nothing else. */
#include "clean_output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

enum { HELD_MAX = 4 };
struct cleaner {
	int descriptor;
	unsigned char held[HELD_MAX]; /* the beginning of a character of several bytes */
	unsigned held_count;
	bool reports;   /* not standard error, nor a file that is one by itself */
	bool any;       /* text was written */
	unsigned parts; /* of those that were asked for */
	bool carriage;  /* a carriage return came: before a newline it stays */
	char out[4096];
	size_t used;
};
static FILE *terminal;
static unsigned char allowed;
static unsigned parts;
static uint64_t reported;
static bool (*gate)(void);

static bool write_out(struct cleaner *cleaner)
{
	if (gate && cleaner->used && !gate())
		cleaner->used = 0;
	for (size_t done = 0; done < cleaner->used;) {
		ssize_t written = write(cleaner->descriptor, cleaner->out + done, cleaner->used - done);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0) {
			cleaner->used = 0;
			return false;
		}
		done += (size_t)written;
	}
	cleaner->used = 0;
	return true;
}

static bool put(struct cleaner *cleaner, unsigned char byte)
{
	bool written = cleaner->used < sizeof cleaner->out || write_out(cleaner);
	cleaner->out[cleaner->used++] = (char)byte;
	return written;
}

/* How many bytes a character has that begins so; 0: none does. */
static unsigned length_of(unsigned char first)
{
	return first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

/* Whether the byte can be the next one of the character that is held (RFC 3629, section 4), which is no control character. */
static bool continues(const struct cleaner *cleaner, unsigned char byte)
{
	unsigned char first = cleaner->held[0];
	if (byte < 0x80 || byte > 0xbf)
		return false;
	if (cleaner->held_count > 1)
		return true;
	return (first != 0xe0 || byte >= 0xa0) && (first != 0xed || byte < 0xa0) && (first != 0xf0 || byte >= 0x90) &&
	       (first != 0xf4 || byte < 0x90);
}

/* U+0080 to U+009F: the control characters beyond ASCII. */
static bool is_control(const struct cleaner *cleaner)
{
	return cleaner->held[0] == 0xc2 && cleaner->held[1] < 0xa0;
}

static bool put_held(struct cleaner *cleaner)
{
	bool written = true;
	if (is_control(cleaner))
		written = put(cleaner, '?');
	for (unsigned i = 0; i < cleaner->held_count && !is_control(cleaner); i++)
		written &= put(cleaner, cleaner->held[i]);
	cleaner->held_count = 0;
	return written;
}

/* Ends of lines as CSV and the sources of other systems have them. Alone, a carriage return lets a text hide what stands before. */
static bool put_carriage(struct cleaner *cleaner, unsigned char next)
{
	bool written = !cleaner->carriage || put(cleaner, next == '\n' ? '\r' : '?');
	cleaner->carriage = false;
	return written;
}

static bool clean(struct cleaner *cleaner, unsigned char byte)
{
	bool written = put_carriage(cleaner, byte);
	if (cleaner->held_count && continues(cleaner, byte)) {
		cleaner->held[cleaner->held_count++] = byte;
		return cleaner->held_count < length_of(cleaner->held[0]) || put_held(cleaner);
	}
	if (cleaner->held_count)
		written &= put(cleaner, '?');
	cleaner->held_count = 0;
	if (byte && byte == allowed)
		return put(cleaner, byte) && written;
	if (byte == '\r') {
		cleaner->carriage = true;
		return written;
	}
	if (byte >= 0x80 && length_of(byte)) {
		cleaner->held[cleaner->held_count++] = byte;
		return written;
	}
	bool good = (byte >= ' ' && byte < 0x7f) || byte == '\n' || byte == '\t';
	return put(cleaner, good ? byte : '?') && written;
}

static ssize_t write_clean(void *cookie, const char *bytes, size_t count)
{
	struct cleaner *cleaner = cookie;
	bool written = true;
	if (cleaner->any && cleaner->reports && cleaner->parts != parts)
		written = put(cleaner, '\n');
	cleaner->parts = parts;
	cleaner->any |= count > 0;
	reported += cleaner->reports ? count : 0;
	for (size_t i = 0; i < count; i++)
		written &= clean(cleaner, (unsigned char)bytes[i]);
	return write_out(cleaner) && written ? (ssize_t)count : 0;
}

static int close_clean(void *cookie)
{
	struct cleaner *cleaner = cookie;
	bool held = cleaner->held_count || cleaner->carriage;
	bool written = !held || (put(cleaner, '?') && write_out(cleaner));
	int status = close(cleaner->descriptor);
	free(cleaner);
	return written ? status : -1;
}

static FILE *open_cleaner(struct cleaner *cleaner, int descriptor)
{
	FILE *file =
		cleaner ? fopencookie(cleaner, "w", (cookie_io_functions_t){.write = write_clean, .close = close_clean})
			: 0;
	if (file)
		cleaner->descriptor = descriptor;
	else
		free(cleaner);
	return file;
}

FILE *clean_output_open(int descriptor, bool reports)
{
	struct cleaner *cleaner = calloc(1, sizeof *cleaner);
	if (cleaner)
		cleaner->reports = reports;
	return open_cleaner(cleaner, descriptor);
}

void clean_output_begin(void)
{
	/* Libc keeps these two where a search for leaks does not look. */
	static struct cleaner *standard[2];
	standard[0] = calloc(1, sizeof *standard[0]);
	standard[1] = calloc(1, sizeof *standard[1]);
	FILE *output = open_cleaner(standard[0], STDOUT_FILENO), *errors = open_cleaner(standard[1], STDERR_FILENO);
	terminal = stdout;
	if (!output || !errors)
		return;
	standard[0]->reports = true;
	setvbuf(output, 0, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, BUFSIZ);
	setvbuf(errors, 0, _IONBF, 0);
	stdout = output;
	stderr = errors;
}

FILE *clean_output_terminal(void)
{
	return terminal ? terminal : stdout;
}

void clean_output_set_gate(bool (*may_print)(void))
{
	gate = may_print;
}

void clean_output_part(void)
{
	parts++;
}

uint64_t clean_output_count(void)
{
	return reported;
}

void clean_output_allow(char byte)
{
	allowed = (unsigned char)byte;
}
