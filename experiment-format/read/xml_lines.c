/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing lines of XML with expat: see xml_lines.h. */
#include "xml_lines.h"
#include "storage.h"
#include <ctype.h>
#include <expat.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK      ((size_t)1 << 16) /* of lines that are parsed at a time, and one line more */
#define PARSED_MAX (2 * CHUNK)       /* a writer's lines are much shorter (LOG_LINE_MAX) */

static const char before[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><lines>", after[] = "</lines>";

/* The lines that were parsed of a chunk. */
struct parsed {
	struct arena memory;
	struct xml_element top; /* its children are the elements of the lines */
	struct xml_element *open;
	char *text; /* of the open element, until now */
	size_t text_size;
};

static void *allocate(size_t size)
{
	return memory_new(size, 1);
}

static void *reallocate(void *memory, size_t size)
{
	return memory_resize(memory, size, 1);
}

static const struct xml_attribute *copy_attributes(struct parsed *parsed, const char **pairs, unsigned *count)
{
	for (*count = 0; pairs[2 * *count];)
		++*count;
	struct xml_attribute *attributes = arena_new(&parsed->memory, *count * sizeof *attributes);
	for (unsigned i = 0; i < *count; i++) {
		const char *name = pairs[2 * i], *value = pairs[2 * i + 1];
		attributes[i].name = arena_string(&parsed->memory, name, strlen(name));
		attributes[i].value = arena_string(&parsed->memory, value, strlen(value));
	}
	return attributes;
}

static void begin_element(void *context, const char *name, const char **pairs)
{
	struct parsed *parsed = context;
	struct xml_element *parent = parsed->open, *element = &parsed->top;
	if (parent) {
		element = arena_new(&parsed->memory, sizeof *element);
		*(parent->last_child ? &parent->last_child->next : &parent->children) = element;
		parent->last_child = element;
	}
	*element = (struct xml_element){.parent = parent, .text = ""};
	element->name = arena_string(&parsed->memory, name, strlen(name));
	element->attributes = copy_attributes(parsed, pairs, &element->attribute_count);
	parsed->open = element;
	parsed->text_size = 0;
}

static void end_element(void *context, const char *name)
{
	struct parsed *parsed = context;
	struct xml_element *element = parsed->open;
	(void)name;
	if (!element->children)
		element->text = arena_string(&parsed->memory, parsed->text ? parsed->text : "", parsed->text_size);
	parsed->open = element->parent;
}

static void add_text(void *context, const char *text, int size)
{
	struct parsed *parsed = context;
	parsed->text = memory_resize(parsed->text, parsed->text_size + (size_t)size, 1);
	memcpy(parsed->text + parsed->text_size, text, (size_t)size);
	parsed->text_size += (size_t)size;
}

static void parsed_free(struct parsed *parsed)
{
	arena_free(&parsed->memory);
	free(parsed->text);
}

/* False if it is not well-formed. To be freed in either case. */
static bool parse(struct parsed *parsed, const char *text, size_t size)
{
	/* With the house's allocation, so that expat meets no lack of memory that it would report as bad XML. */
	static const XML_Memory_Handling_Suite memory = {allocate, reallocate, free};
	*parsed = (struct parsed){.open = 0};
	if (size > PARSED_MAX)
		return false;
	XML_Parser parser = XML_ParserCreate_MM(0, &memory, 0);
	XML_SetUserData(parser, parsed);
	XML_SetElementHandler(parser, begin_element, end_element);
	XML_SetCharacterDataHandler(parser, add_text);
	bool good = XML_Parse(parser, before, sizeof before - 1, false) == XML_STATUS_OK &&
		    XML_Parse(parser, text, (int)size, false) == XML_STATUS_OK &&
		    XML_Parse(parser, after, sizeof after - 1, true) == XML_STATUS_OK;
	XML_ParserFree(parser);
	return good;
}

/* Visits what is well-formed. */
static bool visit_parsed(
	const char *text, size_t size, void (*visit)(void *, const struct xml_element *), void *context)
{
	struct parsed parsed;
	bool good = parse(&parsed, text, size);
	for (const struct xml_element *element = parsed.top.children; good && element; element = element->next)
		visit(context, element);
	parsed_free(&parsed);
	return good;
}

/* Parses lines together; if that fails, halves of them, down to the lines that are bad. */
static void visit_lines(const struct xml_lines *lines, const char *text, size_t size)
{
	if (visit_parsed(text, size, lines->element, lines->context))
		return;
	/* Halving costs a parse for each power of two, so a bad line in a long log does not make all others be parsed one by one.
	   */
	const char *middle = memchr(text + size / 2, '\n', size - size / 2);
	if (middle + 1 == text + size)
		middle = memrchr(text, '\n', size - 1);
	if (!middle) {
		lines->bad_line(lines->context);
		return;
	}
	size_t first = (size_t)(middle + 1 - text);
	visit_lines(lines, text, first);
	visit_lines(lines, text + first, size - first);
}

static bool starts_with(const char *line, size_t size, const char *start)
{
	return size >= strlen(start) && !memcmp(line, start, strlen(start));
}

/* The root's start tag is made an empty element. */
static void visit_root(const struct xml_lines *lines, const char *line, size_t size)
{
	while (size && (isspace((unsigned char)line[size - 1]) || line[size - 1] == '>'))
		size--;
	char *tag = memory_new(size + 3, 1);
	memcpy(tag, line, size);
	memcpy(tag + size, "/>", 2);
	if (!visit_parsed(tag, size + 2, lines->root, lines->context))
		lines->bad_line(lines->context);
	free(tag);
}

void xml_lines_visit(const struct xml_lines *lines, const char *text, size_t size)
{
	const char *last = memrchr(text, '\n', size);
	const char *end = last ? last + 1 : text;
	if (lines->cut && end < text + size)
		lines->cut(lines->context);
	while (text < end) {
		size_t line = (size_t)((char *)memchr(text, '\n', (size_t)(end - text)) + 1 - text);
		if (starts_with(text, line, "<experiment")) {
			if (lines->root)
				visit_root(lines, text, line);
		} else if (!starts_with(text, line, "<?xml") && !starts_with(text, line, "</experiment>")) {
			break;
		}
		text += line;
	}
	while (text < end) {
		size_t left = (size_t)(end - text), size_here = left;
		if (left > CHUNK)
			size_here = (size_t)((char *)memchr(text + CHUNK, '\n', left - CHUNK) + 1 - text);
		visit_lines(lines, text, size_here);
		text += size_here;
	}
}

static int hex_digit(char digit)
{
	return isdigit((unsigned char)digit) ? digit - '0' : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

void log_unescape(char *text)
{
	char *to = text;
	for (const char *from = text; *from;) {
		if (from[0] == '\\' && from[1] == '\\') {
			*to++ = '\\';
			from += 2;
		} else if (from[0] == '\\' && from[1] == 'x' && hex_digit(from[2]) >= 0 && hex_digit(from[3]) >= 0 &&
			   (from[2] != '0' || from[3] != '0')) {
			*to++ = (char)(hex_digit(from[2]) << 4 | hex_digit(from[3]));
			from += 4;
		} else {
			*to++ = *from++;
		}
	}
	*to = 0;
}

static char *unescaped_copy(const char *text)
{
	size_t size = strlen(text);
	char *copy = memcpy(memory_new(size + 1, 1), text, size);
	log_unescape(copy);
	return copy;
}

char *xml_attribute(const struct xml_element *element, const char *name)
{
	for (unsigned i = 0; i < element->attribute_count; i++)
		if (!strcmp(element->attributes[i].name, name))
			return unescaped_copy(element->attributes[i].value);
	return 0;
}

char *xml_content(const struct xml_element *element)
{
	return unescaped_copy(element->text);
}

uint64_t xml_number(const struct xml_element *element, const char *name)
{
	char *value = xml_attribute(element, name);
	if (!value)
		return 0;
	bool hex = value[0] == '0' && value[1] == 'x';
	uint64_t number = isxdigit((unsigned char)value[hex ? 2 : 0]) ? strtoull(value, 0, hex ? 16 : 10) : 0;
	free(value);
	return number;
}

uint64_t xml_time(const struct xml_element *element, const char *name)
{
	char *value = xml_attribute(element, name), *point = 0;
	if (!value)
		return 0;
	uint64_t nanoseconds = isdigit((unsigned char)value[0]) ? strtoull(value, &point, 10) * 1000000000u : 0;
	if (point && *point == '.')
		for (uint64_t unit = 100000000; unit && isdigit((unsigned char)*++point); unit /= 10)
			nanoseconds += unit * (uint64_t)(*point - '0');
	free(value);
	return nanoseconds;
}
