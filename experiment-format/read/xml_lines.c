/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing lines of XML with libxml2: see xml_lines.h. */
#include "xml_lines.h"
#include "memory.h"
#include <ctype.h>
#include <libxml/parser.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK      ((size_t)1 << 16) /* of lines that are parsed at a time, and one line more */
#define PARSED_MAX (2 * CHUNK)       /* a writer's lines are much shorter (LOG_LINE_MAX) */

static const char before[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><lines>", after[] = "</lines>";

/* 0 if it is not well-formed. */
static xmlDoc *parse(const char *text, size_t size)
{
	size_t whole = sizeof(before) - 1 + size + sizeof(after) - 1;
	if (size > PARSED_MAX)
		return 0;
	char *document = memory_new(whole + 1, 1);
	memcpy(document, before, sizeof(before) - 1);
	memcpy(document + sizeof(before) - 1, text, size);
	memcpy(document + sizeof(before) - 1 + size, after, sizeof(after) - 1);
	xmlDoc *parsed = xmlReadMemory(document, (int)whole, 0, 0,
		XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NOBLANKS);
	free(document);
	return parsed;
}

static void visit_children(xmlDoc *document, void (*visit)(void *, xmlNode *), void *context)
{
	for (xmlNode *node = xmlDocGetRootElement(document)->children; node; node = node->next)
		if (node->type == XML_ELEMENT_NODE)
			visit(context, node);
}

/* Parses lines together; if that fails, halves of them, down to the lines that are bad. */
static void visit_lines(const struct xml_lines *lines, const char *text, size_t size)
{
	xmlDoc *document = parse(text, size);
	if (document) {
		visit_children(document, lines->element, lines->context);
		xmlFreeDoc(document);
		return;
	}
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
	xmlDoc *document = parse(tag, size + 2);
	free(tag);
	if (!document) {
		lines->bad_line(lines->context);
		return;
	}
	visit_children(document, lines->root, lines->context);
	xmlFreeDoc(document);
}

static void initialize(void)
{
	xmlInitParser();
}

void xml_lines_visit(const struct xml_lines *lines, const char *text, size_t size)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, initialize);
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

/* libxml2 has its own free. */
static char *unescaped_copy(xmlChar *text)
{
	const char *string = text ? (const char *)text : "";
	size_t size = strlen(string);
	char *copy = memcpy(memory_new(size + 1, 1), string, size);
	xmlFree(text);
	log_unescape(copy);
	return copy;
}

char *xml_attribute(xmlNode *element, const char *name)
{
	xmlChar *value = xmlGetNoNsProp(element, (const xmlChar *)name);
	return value ? unescaped_copy(value) : 0;
}

char *xml_content(xmlNode *element)
{
	return unescaped_copy(xmlNodeGetContent(element));
}

uint64_t xml_number(xmlNode *element, const char *name)
{
	char *value = xml_attribute(element, name);
	if (!value)
		return 0;
	bool hex = value[0] == '0' && value[1] == 'x';
	uint64_t number = isxdigit((unsigned char)value[hex ? 2 : 0]) ? strtoull(value, 0, hex ? 16 : 10) : 0;
	free(value);
	return number;
}

uint64_t xml_time(xmlNode *element, const char *name)
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
