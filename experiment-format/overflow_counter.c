/* SPDX-License-Identifier: Apache-2.0 */
/* The text of the setting "counters", written and read. */
#include "overflow_counter.h"
#include "text.h"

#define COUNTER_END  ';'
#define PROPERTY_END '|'

static void encode_text(struct text *out, const char *value)
{
	for (; *value; value++)
		if (*value != COUNTER_END && *value != PROPERTY_END && *value != '\n')
			text_append(out, value, 1);
}

static void encode_counter(struct text *out, const struct overflow_counter *counter)
{
	size_t start = out->size;
#define SEPARATE()                                                                                                     \
	if (out->size != start)                                                                                        \
	text_append(out, &(const char){PROPERTY_END}, 1)
#define NUMBER(name, text_)                                                                                            \
	SEPARATE();                                                                                                    \
	text_number(out, counter->name, 10, 1);
#define TEXT(name, size_, text_)                                                                                       \
	SEPARATE();                                                                                                    \
	encode_text(out, counter->name);
#include "overflow_counters.def"
#undef NUMBER
#undef TEXT
#undef SEPARATE
}

size_t overflow_counters_encode(const struct overflow_counter *counters, unsigned count, char *text, size_t size)
{
	struct text out = {.bytes = text, .capacity = size - 1};
	for (unsigned i = 0; i < count; i++) {
		if (i)
			text_append(&out, &(const char){COUNTER_END}, 1);
		encode_counter(&out, &counters[i]);
	}
	text[out.cut ? 0 : out.size] = 0;
	return out.cut ? 0 : out.size;
}

/* Both take one property out of *text, up to what ends it. False: it is malformed. */
static bool decode_number(const char **text, uint64_t *number)
{
	*number = 0;
	for (; **text && **text != PROPERTY_END && **text != COUNTER_END; ++*text)
		if (**text < '0' || **text > '9' || __builtin_mul_overflow(*number, (uint64_t)10, number) ||
			__builtin_add_overflow(*number, (uint64_t)(**text - '0'), number))
			return false;
	*text += **text == PROPERTY_END;
	return true;
}

static bool decode_text(const char **text, char *value, size_t size)
{
	size_t length = 0;
	for (; **text && **text != PROPERTY_END && **text != COUNTER_END; ++*text) {
		if (length + 1 >= size)
			return false;
		value[length++] = **text;
	}
	value[length] = 0;
	*text += **text == PROPERTY_END;
	return true;
}

static bool decode_counter(const char **text, struct overflow_counter *counter)
{
#define NUMBER(name, text_)                                                                                            \
	if (!decode_number(text, &counter->name))                                                                      \
		return false;
#define TEXT(name, size_, text_)                                                                                       \
	if (!decode_text(text, counter->name, size_))                                                                  \
		return false;
#include "overflow_counters.def"
#undef NUMBER
#undef TEXT
	while (**text && **text != COUNTER_END) /* properties of a later version */
		++*text;
	return counter->name[0];
}

unsigned overflow_counters_decode(const char *text, struct overflow_counter counters[OVERFLOW_COUNTERS_MAX])
{
	unsigned count = 0;
	while (*text && count < OVERFLOW_COUNTERS_MAX && decode_counter(&text, &counters[count])) {
		count++;
		text += *text == COUNTER_END;
	}
	return count;
}
