/* SPDX-License-Identifier: Apache-2.0 */
/* log.xml and map.xml as what they are: a root element that is never closed, and one element a line. expat parses the
   lines in chunks, each inside a root of its own: a document type (and so an entity) cannot occur there, nothing is
   fetched, and a line that is no XML costs itself only. (libxml2 would bring ICU into `collect`: 30 MB of address space, which
   targets under `ulimit -v` do not have.) */
#ifndef XML_LINES_H
#define XML_LINES_H

#include <stddef.h>
#include <stdint.h>

struct xml_attribute {
	const char *name, *value; /* as in the file */
};
/* It dies with the visit. */
struct xml_element {
	const char *name;
	const struct xml_attribute *attributes; /* in the file's order */
	unsigned attribute_count;
	const char *text; /* of an element without children; else "" */
	struct xml_element *children, *next;
	struct xml_element *parent, *last_child; /* while it is read */
};

struct xml_lines {
	void (*element)(void *context, const struct xml_element *element); /* for each top-level element, in order */
	void (*root)(void *context, const struct xml_element *element); /* for the root's start tag, first; may be 0 */
	void (*bad_line)(void *context);                                /* for each line that is no XML */
	void (*cut)(void *context); /* for bytes behind the last newline; may be 0 */
	void *context;
};

/* Visits `size` bytes. A line is written by one call: what follows the last newline was cut off or is left of a full disk. */
void xml_lines_visit(const struct xml_lines *lines, const char *text, size_t size);

/* An attribute's value with log_text_attribute()'s escapes undone, or 0. The caller frees. */
char *xml_attribute(const struct xml_element *element, const char *name);
/* The text inside the element, likewise; "" if there is none. The caller frees. */
char *xml_content(const struct xml_element *element);
/* Undoes the escapes in place: \\ and \xHH (FORMAT.md, "Text in XML"). */
void log_unescape(char *text);

/* Numbers: decimal or 0x hexadecimal, 0 if it is none; "seconds.nanoseconds" as nanoseconds. 0 if missing. */
uint64_t xml_number(const struct xml_element *element, const char *name);
uint64_t xml_time(const struct xml_element *element, const char *name);

#endif
