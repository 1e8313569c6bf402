/* SPDX-License-Identifier: Apache-2.0 */
/* Names in "archives": see archive_name.h. */
#include "archive_name.h"
#include "text.h"

#define BASE_MAX 160 /* bytes of the base name that are kept */
#define ID_MAX   80

static bool harmless(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
	       byte == '.' || byte == '-' || byte == '+' || byte == '_';
}

static const char *base_of(const char *path)
{
	const char *base = path;
	for (; *path; path++)
		if (*path == '/')
			base = path + 1;
	return base;
}

static void append_harmless(struct text *text, const char *string, size_t most)
{
	for (; *string && most; string++, most--)
		text_append(text, harmless(*string) ? string : "_", 1);
}

/* FNV-1a, 64 bits. */
static uint64_t hash(uint64_t state, const char *string)
{
	for (; *string; string++)
		state = (state ^ (unsigned char)*string) * 0x100000001b3ull;
	return (state ^ 0xff) * 0x100000001b3ull;
}

static void finish(struct text *text)
{
	text->bytes[text->size] = '\0';
}

void archive_object_name(char name[ARCHIVE_NAME_MAX], const char *path, const char *build_id, const char *checksum)
{
	struct text text = {.bytes = name, .capacity = ARCHIVE_NAME_MAX - 1};
	append_harmless(&text, base_of(path), BASE_MAX);
	text_string(&text, "_");
	if (build_id && build_id[0])
		append_harmless(&text, build_id, ID_MAX);
	else
		text_number(&text, hash(hash(0xcbf29ce484222325ull, path), checksum ? checksum : ""), 16, 16);
	finish(&text);
}

void archive_source_name(char name[ARCHIVE_NAME_MAX], const char *path)
{
	struct text text = {.bytes = name, .capacity = ARCHIVE_NAME_MAX - 1};
	append_harmless(&text, base_of(path), BASE_MAX);
	text_string(&text, "_");
	text_number(&text, hash(0xcbf29ce484222325ull, path), 16, 16);
	finish(&text);
}

void archive_simplify_path(char *path)
{
	bool absolute = path[0] == '/';
	char *to = path;
	const char *from = path;
	size_t kept = 0; /* components in front of `to` that a ".." may take back */
	while (*from) {
		while (*from == '/')
			from++;
		size_t size = 0;
		while (from[size] && from[size] != '/')
			size++;
		if (size == 0)
			break;
		bool up = size == 2 && from[0] == '.' && from[1] == '.';
		if (up && kept) {
			while (to > path && *--to != '/')
				;
			kept--;
		} else if (!(size == 1 && from[0] == '.') && !(up && absolute)) {
			if (to > path || absolute)
				*to++ = '/';
			for (size_t i = 0; i < size; i++)
				to[i] = from[i];
			to += size;
			kept += !up;
		}
		from += size;
	}
	if (to == path && absolute)
		*to++ = '/';
	*to = '\0';
}
