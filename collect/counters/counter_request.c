/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the values of -h. */
#include "counter_request.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define INTERVAL_MOST (UINT32_MAX / 2u)

static bool named_rate(const char *text, enum counter_rate *rate)
{
	static const struct {
		const char *name;
		enum counter_rate rate;
	} names[] = {
		{"", RATE_AUTO},
		{"auto", RATE_AUTO},
		{"on", RATE_ON},
		{"h", RATE_HIGH},
		{"hi", RATE_HIGH},
		{"high", RATE_HIGH},
		{"lo", RATE_LOW},
		{"low", RATE_LOW},
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(text, names[i].name) == 0) {
			*rate = names[i].rate;
			return true;
		}
	return false;
}

/* Decimal or, after 0x, hexadecimal. */
static bool number_of(const char *text, uint64_t *number)
{
	char *end;
	bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	if (!isxdigit((unsigned char)text[hexadecimal ? 2 : 0]))
		return false;
	errno = 0;
	*number = strtoull(text, &end, hexadecimal ? 16 : 10);
	return *end == '\0' && errno == 0;
}

static bool read_rate(struct counter_request *request, const char *text, struct error *error)
{
	if (named_rate(text, &request->rate))
		return true;
	request->rate = RATE_INTERVAL;
	if (!number_of(text, &request->interval))
		return error_set(error,
			"Invalid interval for HW counter `%s': %s: neither on, hi, lo, auto nor an integer (the next "
			"counter comes after an empty one: %s,,%s)",
			request->name, text, request->name, text);
	if (request->interval == 0 || request->interval > INTERVAL_MOST)
		return error_set(error, "Invalid interval for HW counter `%s': %s: it must be from 1 to %u",
			request->name, text, INTERVAL_MOST);
	return true;
}

/* A name may hold what separates, in perf's own form: cpu/event=0x3c,umask=0/. */
static size_t name_length(const char *text)
{
	size_t length = strcspn(text, ", /");
	if (text[length] != '/' || isdigit((unsigned char)text[length + 1]))
		return strcspn(text, ", ");
	const char *end = strchr(text + length + 1, '/');
	return end ? (size_t)(end + 1 - text) + strcspn(end + 1, ", ") : strcspn(text, ", ");
}

static bool read_attribute(struct counter_request *request, const char *text, const char *whole, struct error *error)
{
	const char *equals = strchr(text, '=');
	if (request->attribute_count == COUNTER_ATTRIBUTES_MAX)
		return error_set(error, "HW counter `%s': more than %u attributes", whole, COUNTER_ATTRIBUTES_MAX);
	struct counter_attribute *attribute = &request->attributes[request->attribute_count++];
	size_t length = equals ? (size_t)(equals - text) : 0;
	if (!length || length >= sizeof attribute->name || !number_of(equals + 1, &attribute->value))
		return error_set(error, "HW counter `%s': `~%s' is not ~ATTRIBUTE=NUMBER", whole, text);
	memcpy(attribute->name, text, length);
	attribute->name[length] = '\0';
	return true;
}

static void take_register(struct counter_request *request)
{
	char *slash = strrchr(request->name, '/');
	if (!slash || slash == request->name || !slash[1] || strspn(slash + 1, "0123456789") != strlen(slash + 1))
		return;
	*slash = '\0';
	request->has_register = true;
}

/* [+|-|=]NAME[~ATTRIBUTE=VALUE]...[/REGISTER] */
static bool read_counter(struct counter_request *request, const char *text, size_t length, struct error *error)
{
	char whole[sizeof request->name];
	if (length >= sizeof whole)
		return error_set(error, "Invalid HW counter name: %.100s...", text);
	memcpy(whole, text, length);
	whole[length] = '\0';
	*request = (struct counter_request){
		.read = whole[0] == '=', .memory = whole[0] == '+', .no_memory = whole[0] == '-'};
	strcpy(request->name, whole + (request->read || request->memory || request->no_memory));
	take_register(request);
	char *rest = request->name;
	strsep(&rest, "~");
	while (rest)
		if (!read_attribute(request, strsep(&rest, "~"), whole, error))
			return false;
	return request->name[0] || error_set(error, "Invalid HW counter name: `%s'", whole);
}

/* The default set, or off: words that stand alone. */
static bool read_word(struct counter_requests *requests, const char *value, bool *is_word, struct error *error)
{
	bool off = strcmp(value, "off") == 0;
	enum counter_rate rate;
	*is_word = off || (value[0] && named_rate(value, &rate));
	if (!*is_word)
		return true;
	if (requests->off || (off && (requests->count || requests->standard)))
		return error_set(error, "-h off cannot be used with any other -h arguments");
	if (requests->standard)
		return error_set(error, "The default set of HW counters may be asked for only once");
	requests->off = off;
	requests->standard = !off;
	if (!off) {
		requests->standard_rate = rate;
		requests->standard_decides = rate == RATE_HIGH || rate == RATE_LOW;
	}
	return true;
}

/* Takes the rate of a counter off the text. One that is read has none. */
static bool take_rate(struct counter_request *request, const char **text, struct error *error)
{
	char rate[32];
	uint64_t number;
	enum counter_rate unused;
	size_t length = strcspn(*text, ", ");
	size_t copied = length < sizeof rate ? length : sizeof rate - 1;
	memcpy(rate, *text, copied);
	rate[copied] = '\0';
	if (request->read && length) {
		bool is_rate = named_rate(rate, &unused) || number_of(rate, &number);
		return !is_rate ||
		       error_set(error, "HW counter `=%s' is read at clock ticks: leave out its interval, %s",
			       request->name, rate);
	}
	if (copied < length)
		return error_set(error, "Invalid interval for HW counter `%s': %s", request->name, *text);
	if (!read_rate(request, rate, error))
		return false;
	*text += length + ((*text)[length] != '\0');
	return true;
}

bool counter_requests_add(struct counter_requests *requests, const char *value, struct error *error)
{
	bool is_word;
	if (!read_word(requests, value, &is_word, error))
		return false;
	if (is_word)
		return true;
	if (requests->off)
		return error_set(error, "-h off cannot be used with any other -h arguments");
	for (const char *at = value; *at || at == value;) {
		if (requests->count == OVERFLOW_COUNTERS_MAX)
			return error_set(error,
				"The HW counter configuration could not be loaded: More than %u counters were "
				"specified",
				OVERFLOW_COUNTERS_MAX);
		struct counter_request *request = &requests->items[requests->count];
		size_t length = name_length(at);
		if (!read_counter(request, at, length, error))
			return false;
		at += length + (at[length] != '\0');
		if (!take_rate(request, &at, error))
			return false;
		if (request->read && strcmp(request->name, "on") == 0)
			requests->standard_read = true;
		else
			requests->count++;
	}
	return true;
}

uint64_t counter_request_attribute(const struct counter_request *request, const char *name, uint64_t missing)
{
	for (unsigned i = 0; i < request->attribute_count; i++)
		if (strcasecmp(request->attributes[i].name, name) == 0)
			return request->attributes[i].value;
	return missing;
}
