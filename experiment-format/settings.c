/* SPDX-License-Identifier: Apache-2.0 */
/* The settings' table as functions: defaults, and the text form NAME=VALUE. */
#include "settings.h"
#include "text.h"

static void copy_string(char *to, const char *from, size_t size)
{
	for (size_t i = 0; i < size; i++)
		to[i] = from[i];
	to[size] = 0;
}

void settings_default(struct settings *settings)
{
#define NUMBER(name, initial, text) settings->name = initial;
#define TEXT(name, size, text)      settings->name[0] = 0;
#include "settings.def"
#undef NUMBER
#undef TEXT
}

static bool decode_number(uint64_t *number, const char *value, size_t size)
{
	uint64_t result = 0;
	for (size_t i = 0; i < size; i++) {
		if (value[i] < '0' || value[i] > '9' || __builtin_mul_overflow(result, (uint64_t)10, &result) ||
			__builtin_add_overflow(result, (uint64_t)(value[i] - '0'), &result))
			return false;
	}
	*number = result;
	return size > 0;
}

static bool decode_string(char *string, size_t capacity, const char *value, size_t size)
{
	if (size >= capacity)
		return false;
	for (size_t i = 0; i < size; i++)
		if (!value[i])
			return false;
	copy_string(string, value, size);
	return true;
}

static bool named(const char *name, const char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (name[i] != bytes[i]) /* ends at the terminator: no byte of a line is 0 and equal */
			return false;
	return !name[size];
}

static bool decode_line(struct settings *settings, const char *line, size_t size)
{
	size_t name = 0;
	while (name < size && line[name] != '=') {
		if (!line[name])
			return false;
		name++;
	}
	if (name == size)
		return size == 0;
	const char *value = line + name + 1;
	size_t length = size - name - 1;
#define NUMBER(field, initial, text)                                                                                   \
	if (named(#field, line, name))                                                                                 \
		return decode_number(&settings->field, value, length);
#define TEXT(field, capacity, text)                                                                                    \
	if (named(#field, line, name))                                                                                 \
		return decode_string(settings->field, capacity, value, length);
#include "settings.def"
#undef NUMBER
#undef TEXT
	return true;
}

bool settings_decode(struct settings *settings, const char *text, size_t size, unsigned *line)
{
	*line = 0;
	for (size_t start = 0; start < size;) {
		size_t end = start;
		while (end < size && text[end] != '\n')
			end++;
		++*line;
		if (!decode_line(settings, text + start, end - start))
			return false;
		start = end + 1;
	}
	return true;
}

static void encode_number(struct text *text, const char *name, uint64_t value)
{
	text_string(text, name);
	text_append(text, "=", 1);
	text_number(text, value, 10, 1);
	text_append(text, "\n", 1);
}

static void encode_string(struct text *text, const char *name, const char *value)
{
	text_string(text, name);
	text_append(text, "=", 1);
	text_string(text, value);
	text_append(text, "\n", 1);
	for (; *value; value++)
		text->cut |= *value == '\n';
}

size_t settings_encode(const struct settings *settings, char *bytes, size_t size)
{
	struct text text = {.bytes = bytes, .capacity = size};
#define NUMBER(name, initial, text_) encode_number(&text, #name, settings->name);
#define TEXT(name, capacity, text_)  encode_string(&text, #name, settings->name);
#include "settings.def"
#undef NUMBER
#undef TEXT
	return text.cut ? 0 : text.size;
}

static const struct setting_choice choices[] = {
#define NUMBER(name, initial, text)
#define TEXT(name, size, text)
#define CHOICE(setting, value, name, text) {SETTING_##setting, value, #name, text},
#include "settings.def"
#undef NUMBER
#undef TEXT
};
enum { CHOICES = sizeof choices / sizeof *choices };

const struct setting_choice *setting_choice(enum setting setting, uint64_t value)
{
	for (unsigned i = 0; i < CHOICES; i++)
		if (choices[i].setting == setting && choices[i].value == value)
			return &choices[i];
	return 0;
}

const struct setting_choice *setting_choice_named(enum setting setting, const char *name)
{
	for (unsigned i = 0; i < CHOICES; i++)
		if (choices[i].setting == setting && named(choices[i].name, name, text_length(name)))
			return &choices[i];
	return 0;
}

static struct tracing tracing_of(enum setting setting, uint64_t value, const char *label)
{
	const struct setting_choice *choice = setting_choice(setting, value);
	const char *detail = choice ? choice->text : "";
	return (struct tracing){setting, value != 0, label, detail[0] ? ", " : "", detail};
}

void settings_tracings(const struct settings *settings, struct tracing tracings[TRACINGS])
{
#define NUMBER(name, initial, text)
#define TEXT(name, size, text)
#define TRACING(name, label, text) tracings[TRACING_##name] = tracing_of(SETTING_##name, settings->name, label);
#include "settings.def"
#undef NUMBER
#undef TEXT
}

void settings_visit(
	const struct settings *settings, void (*visit)(void *, const char *, uint64_t, const char *), void *context)
{
#define NUMBER(name, initial, text) visit(context, #name, settings->name, 0);
#define TEXT(name, size, text)      visit(context, #name, 0, settings->name);
#include "settings.def"
#undef NUMBER
#undef TEXT
}
