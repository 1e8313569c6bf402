/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Template arguments as the demangler writes them: "<int, 3ul, true, (char)97>". */
#include "debug_types.h"
#include "name_writer.h"
#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* How literals of a type end; 0: they have the type in front, in brackets. */
static const char *suffix_of(const char *type)
{
	static const char *const suffixes[][2] = {{"int", ""}, {"unsigned int", "u"}, {"long", "l"},
		{"unsigned long", "ul"}, {"long long", "ll"}, {"unsigned long long", "ull"}};
	for (unsigned i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
		if (!strcmp(type, suffixes[i][0]))
			return suffixes[i][1];
	return 0;
}

static bool is_signed(const Dwarf_Die *type)
{
	Dwarf_Attribute attribute;
	Dwarf_Die peeled, below;
	Dwarf_Word encoding;
	if (!debug_type_peel(type, &peeled))
		return false;
	if (dwarf_tag(&peeled) == DW_TAG_enumeration_type && debug_type_of(&peeled, &below))
		return is_signed(&below);
	return dwarf_attr(&peeled, DW_AT_encoding, &attribute) && !dwarf_formudata(&attribute, &encoding) &&
	       (encoding == DW_ATE_signed || encoding == DW_ATE_signed_char);
}

static void put_value(struct name_writer *writer, Dwarf_Die *parameter)
{
	Dwarf_Attribute attribute;
	Dwarf_Die type;
	Dwarf_Sword value;
	char digits[32];
	if (!debug_type_of(parameter, &type) || !dwarf_attr(parameter, DW_AT_const_value, &attribute) ||
		dwarf_formsdata(&attribute, &value)) {
		writer->failed = true;
		return;
	}
	Dwarf_Word plain;
	bool negative = is_signed(&type);
	if (!negative && !dwarf_formudata(&attribute, &plain))
		value = (Dwarf_Sword)plain;
	size_t begin = writer->length;
	name_put(writer, "(");
	name_put_type(writer, &type);
	if (writer->failed)
		return;
	const char *name = writer->text + begin + 1, *suffix = suffix_of(name);
	bool truth = !strcmp(name, "bool");
	snprintf(digits, sizeof digits, negative ? "%" PRId64 : "%" PRIu64, (int64_t)value);
	if (truth || suffix) {
		writer->length = begin;
		writer->text[begin] = 0;
		name_put(writer, truth ? (value ? "true" : "false") : digits);
		name_put(writer, suffix ? suffix : "");
	} else {
		name_put(writer, ")");
		name_put(writer, digits);
	}
}

/* Whether a parameter that the compiler made of `auto` was there before: gcc lists them twice. */
static bool is_again(Dwarf_Die *die, Dwarf_Die *parameter)
{
	Dwarf_Die child = {0};
	const char *name = dwarf_tag(parameter) == DW_TAG_template_type_parameter ? dwarf_diename(parameter) : 0;
	if (!name || strncmp(name, "auto:", 5) != 0)
		return false;
	while (debug_next_child(die, &child) && child.addr != parameter->addr) {
		const char *other = dwarf_tag(&child) == DW_TAG_template_type_parameter ? dwarf_diename(&child) : 0;
		if (other && !strcmp(other, name))
			return true;
	}
	return false;
}

/* How many there are with these. */
static unsigned put_list(struct name_writer *writer, Dwarf_Die *die, unsigned count)
{
	Dwarf_Die child = {0};
	Dwarf_Attribute attribute;
	const char *name;
	while (!writer->failed && debug_next_child(die, &child)) {
		if (is_again(die, &child))
			continue;
		switch (dwarf_tag(&child)) {
		case DW_TAG_template_type_parameter:
			name_put(writer, count++ ? ", " : "");
			name_put_type_of(writer, &child);
			break;
		case DW_TAG_template_value_parameter:
			name_put(writer, count++ ? ", " : "");
			put_value(writer, &child);
			break;
		case DW_TAG_GNU_template_template_param:
			name_put(writer, count++ ? ", " : "");
			name = dwarf_attr(&child, DW_AT_GNU_template_name, &attribute) ? dwarf_formstring(&attribute)
										       : 0;
			writer->failed |= !name;
			name_put(writer, name ? name : "");
			break;
		case DW_TAG_GNU_template_parameter_pack:
			count = put_list(writer, &child, count);
			break;
		default:
			break;
		}
	}
	return count;
}

static bool has_arguments(Dwarf_Die *die)
{
	Dwarf_Die child = {0};
	while (debug_next_child(die, &child)) {
		int tag = dwarf_tag(&child);
		if (tag == DW_TAG_template_type_parameter || tag == DW_TAG_template_value_parameter ||
			tag == DW_TAG_GNU_template_template_param || tag == DW_TAG_GNU_template_parameter_pack)
			return true;
	}
	return false;
}

bool name_put_template(struct name_writer *writer, Dwarf_Die *die)
{
	size_t begin = writer->length;
	if (writer->failed || !has_arguments(die) || writer->nesting >= NESTING_MAX)
		return false;
	writer->nesting++;
	name_put(writer, "<");
	put_list(writer, die, 0);
	if (!writer->failed && writer->text[writer->length - 1] == '>')
		name_put(writer, " ");
	name_put(writer, ">");
	writer->nesting--;
	if (!writer->failed)
		return true;
	/* An argument that is not known here may be in the entry's own name. */
	writer->failed = writer->length + 64 >= NAME_TEXT_MAX;
	writer->length = begin;
	writer->text[begin] = 0;
	return false;
}
