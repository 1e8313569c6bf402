/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Template arguments in the name of an entry, where the entry does not list them: the compiler writes "vector<const T*, long
   unsigned int>" what the demangler writes "vector<T const*, unsigned long>". */
#include "name_writer.h"
#include <string.h>

struct reader {
	struct name_writer *writer;
	const char *at;
};

static bool skip_word(struct reader *reader, const char *word)
{
	size_t length = strlen(word);
	if (strncmp(reader->at, word, length) != 0 || reader->at[length] != ' ')
		return false;
	reader->at += length + 1;
	return true;
}

static void copy(struct reader *reader, size_t length)
{
	char text[2] = "";
	for (; length && *reader->at; length--) {
		text[0] = *reader->at++;
		name_put(reader->writer, text);
	}
}

/* How long the words of a type of the language are that begin here, like "long unsigned int"; 0: it is another type. */
static size_t length_of_base(const char *at)
{
	static const char *const words[] = {"long", "unsigned", "short", "signed", "int", "char"};
	size_t length = 0;
	for (unsigned w = 0; w < sizeof words / sizeof *words; w++) {
		size_t size = strlen(words[w]);
		const char *word = at + length + (length && at[length] == ' ');
		if (strncmp(word, words[w], size) != 0 || (word[size] && !strchr(" *&,>()[", word[size])))
			continue;
		length = (size_t)(word - at) + size;
		w = UINT32_MAX; /* from the first word again */
	}
	return length;
}

static void put_list(struct reader *reader, char end);

/* The length of "(anonymous namespace)::", or of a function's arguments before "::"; 0: the bracket is no part of a scope's name.
   */
static size_t length_of_scope(const char *at)
{
	size_t length = 0;
	for (int depth = 0; at[length]; length++) {
		depth += (at[length] == '(') - (at[length] == ')');
		if (!depth)
			break;
	}
	return at[0] == '(' && at[length] && !strncmp(at + length + 1, "::", 2) ? length + 1 : 0;
}

static void put_base(struct reader *reader)
{
	char name[64] = "";
	size_t length = length_of_base(reader->at);
	if (length && length < sizeof name) {
		memcpy(name, reader->at, length);
		reader->at += length;
		name_put_base_type(reader->writer, name);
		return;
	}
	while (*reader->at && (length_of_scope(reader->at) || !strchr("*&,>()", *reader->at))) {
		if (*reader->at == '(') {
			copy(reader, length_of_scope(reader->at));
			continue;
		}
		bool list = *reader->at == '<';
		copy(reader, 1);
		if (list)
			put_list(reader, '>');
	}
}

static void put_written_type(struct reader *reader)
{
	struct name_writer *writer = reader->writer;
	bool is_const = false, is_volatile = false, again = true;
	while (again) {
		bool one = skip_word(reader, "const"), other = skip_word(reader, "volatile");
		is_const |= one;
		is_volatile |= other;
		again = one || other;
	}
	put_base(reader);
	bool blank = !writer->failed && writer->length && writer->text[writer->length - 1] == ' ';
	if ((is_const || is_volatile) && blank)
		writer->text[--writer->length] = 0;
	name_put(writer, is_const ? " const" : "");
	name_put(writer, is_volatile ? " volatile" : "");
	name_put(writer, (is_const || is_volatile) && blank ? " " : "");
	while (*reader->at && !strchr(",>)", *reader->at)) {
		char open = *reader->at;
		copy(reader, 1);
		if (open == '(' || open == '<')
			put_list(reader, open == '(' ? ')' : '>');
	}
}

/* Types up to the end, which is copied. */
static void put_list(struct reader *reader, char end)
{
	if (reader->writer->failed || ++reader->writer->nesting > NESTING_MAX) {
		reader->writer->failed = true;
		return;
	}
	while (!reader->writer->failed && *reader->at && *reader->at != end) {
		put_written_type(reader);
		if (*reader->at == ',') {
			copy(reader, 1 + (reader->at[1] == ' '));
		} else if (*reader->at && *reader->at != end) {
			reader->writer->failed = true;
		}
	}
	copy(reader, 1);
	reader->writer->nesting--;
}

void name_put_written_arguments(struct name_writer *writer, const char *text)
{
	struct reader reader = {writer, text};
	size_t begin = writer->length;
	unsigned nesting = writer->nesting;
	if (*text != '<' || writer->failed) {
		name_put(writer, text);
		return;
	}
	copy(&reader, 1);
	put_list(&reader, '>');
	if (!writer->failed && !*reader.at)
		return;
	/* It is not as expected: then as it stands. */
	writer->failed = false;
	writer->nesting = nesting;
	writer->length = begin;
	writer->text[begin] = 0;
	name_put(writer, text);
}
