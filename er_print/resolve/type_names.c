/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C++'s types as the demangler writes them: "char const*", "void (*)(int)", "unsigned long" (gcc's entries say "long unsigned
   int"). */
#include "debug_types.h"
#include "name_writer.h"
#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MODIFIERS_MAX = 32 }; /* pointers, references and qualifiers around a type; people stay below 8 */

/* Outermost first. */
struct modifiers {
	Dwarf_Die array[MODIFIERS_MAX];
	unsigned count;
};

static bool has_word(const char *name, const char *word)
{
	size_t length = strlen(word);
	for (const char *found = name; (found = strstr(found, word)); found += length)
		if ((found == name || found[-1] == ' ') && (found[length] == 0 || found[length] == ' '))
			return true;
	return false;
}

void name_put_base_type(struct name_writer *writer, const char *name)
{
	const char *first = strstr(name, "long");
	bool twice = first && strstr(first + 4, "long");
	const char *size = has_word(name, "short") ? "short" : twice ? "long long" : first ? "long" : 0;
	if (!strcmp(name, "_Bool"))
		name_put(writer, "bool");
	else if (has_word(name, "double") || has_word(name, "float") || has_word(name, "char") ||
		 !has_word(name, "int"))
		name_put(writer, strcmp(name, "__int128 unsigned") ? name : "unsigned __int128");
	else {
		name_put(writer, has_word(name, "unsigned") ? "unsigned " : "");
		name_put(writer, size ? size : "int");
	}
}

/* The standard library's own short names. */
static void shorten(struct name_writer *writer, size_t begin)
{
	static const char *const names[][2] = {
		{"std::basic_ostream<char, std::char_traits<char> >", "std::ostream"},
		{"std::basic_istream<char, std::char_traits<char> >", "std::istream"},
		{"std::basic_iostream<char, std::char_traits<char> >", "std::iostream"},
		{"std::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string"},
	};
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(writer->text + begin, names[i][0])) {
			writer->length = begin;
			name_put(writer, names[i][1]);
			return;
		}
}

static void put_named(struct name_writer *writer, Dwarf_Die *type)
{
	const char *name = dwarf_diename(type);
	size_t begin = writer->length;
	switch (dwarf_tag(type)) {
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
	case DW_TAG_enumeration_type:
		name_put_scopes(writer, type);
		name_put_class(writer, type);
		shorten(writer, begin);
		break;
	case DW_TAG_base_type:
	case DW_TAG_unspecified_type:
		name_put_base_type(writer, name ? name : "");
		break;
	default:
		writer->failed = true;
	}
}

static bool is_qualifier(int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type;
}

static bool is_modifier(int tag)
{
	return is_qualifier(tag) || tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
	       tag == DW_TAG_rvalue_reference_type || tag == DW_TAG_ptr_to_member_type;
}

static bool is_transparent(int tag)
{
	return tag == DW_TAG_typedef || tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type ||
	       tag == DW_TAG_template_alias;
}

/* False: what is left is void. */
static bool take_modifiers(struct name_writer *writer, Dwarf_Die *type, struct modifiers *modifiers)
{
	Dwarf_Die inner;
	for (unsigned steps = 0; is_modifier(dwarf_tag(type)) || is_transparent(dwarf_tag(type)); steps++) {
		if (modifiers->count == MODIFIERS_MAX || steps == NESTING_MAX) {
			writer->failed = true;
			return false;
		}
		if (is_modifier(dwarf_tag(type)))
			modifiers->array[modifiers->count++] = *type;
		if (!debug_type_of(type, &inner))
			return false;
		*type = inner;
	}
	return true;
}

static void put_member_of(struct name_writer *writer, Dwarf_Die *pointer, bool blank)
{
	Dwarf_Attribute attribute;
	Dwarf_Die containing;
	name_put(writer, blank ? " " : "");
	if (dwarf_attr(pointer, DW_AT_containing_type, &attribute) && dwarf_formref_die(&attribute, &containing))
		name_put_type(writer, &containing);
	else
		writer->failed = true;
	name_put(writer, "::*");
}

/* Innermost first; "const" before "volatile". `alone`: a blank has been written. */
static void put_modifiers(struct name_writer *writer, struct modifiers *modifiers, bool alone)
{
	for (unsigned i = modifiers->count; i-- > 0;) {
		int tag = dwarf_tag(&modifiers->array[i]);
		int outer = i ? dwarf_tag(&modifiers->array[i - 1]) : 0;
		if (tag == DW_TAG_volatile_type && outer == DW_TAG_const_type) {
			name_put(writer, " const volatile");
			i--;
		} else if (is_qualifier(tag)) {
			name_put(writer, tag == DW_TAG_const_type ? " const" : " volatile");
		} else if (tag == DW_TAG_ptr_to_member_type) {
			put_member_of(writer, &modifiers->array[i], !alone);
		} else {
			name_put(writer, tag == DW_TAG_pointer_type ? "*" : tag == DW_TAG_reference_type ? "&" : "&&");
		}
		alone = false;
	}
}

static void put_bounds(struct name_writer *writer, Dwarf_Die *array)
{
	Dwarf_Die child = {0};
	char text[32];
	while (debug_next_child(array, &child)) {
		if (dwarf_tag(&child) != DW_TAG_subrange_type)
			continue;
		Dwarf_Attribute attribute;
		Dwarf_Word bound;
		snprintf(text, sizeof text, "[]");
		if (dwarf_attr(&child, DW_AT_count, &attribute) && !dwarf_formudata(&attribute, &bound))
			snprintf(text, sizeof text, "[%" PRIu64 "]", (uint64_t)bound);
		else if (dwarf_attr(&child, DW_AT_upper_bound, &attribute) && !dwarf_formudata(&attribute, &bound))
			snprintf(text, sizeof text, "[%" PRIu64 "]", (uint64_t)bound + 1);
		name_put(writer, text);
	}
}

/* A type that binds closer than what is in front of it: "int (*) [3]", "void (A::*)(int) const". */
static void put_around(struct name_writer *writer, Dwarf_Die *type, struct modifiers *modifiers)
{
	bool function = dwarf_tag(type) == DW_TAG_subroutine_type;
	name_put_type_of(writer, type);
	name_put(writer, " ");
	if (modifiers->count) {
		name_put(writer, "(");
		put_modifiers(writer, modifiers, true);
		name_put(writer, function ? ")" : ") ");
	}
	if (!function) {
		put_bounds(writer, type);
		return;
	}
	name_put_arguments(writer, type);
	name_put_qualifiers(writer, type);
}

void name_put_type(struct name_writer *writer, const Dwarf_Die *type)
{
	struct modifiers modifiers = {.count = 0};
	Dwarf_Die here = type ? *type : (Dwarf_Die){0};
	if (writer->failed || ++writer->nesting > NESTING_MAX) {
		writer->failed = true;
		return;
	}
	if (!type || !take_modifiers(writer, &here, &modifiers)) {
		name_put(writer, "void");
		put_modifiers(writer, &modifiers, false);
	} else if (dwarf_tag(&here) == DW_TAG_subroutine_type || dwarf_tag(&here) == DW_TAG_array_type) {
		put_around(writer, &here, &modifiers);
	} else {
		put_named(writer, &here);
		put_modifiers(writer, &modifiers, false);
	}
	writer->nesting--;
}

void name_put_type_of(struct name_writer *writer, Dwarf_Die *die)
{
	Dwarf_Die type;
	name_put_type(writer, debug_type_of(die, &type) ? &type : 0);
}

/* Qualifiers of an argument itself are no part of the function's type. */
static void put_argument(struct name_writer *writer, Dwarf_Die *argument)
{
	Dwarf_Die type, inner;
	bool known = debug_type_of(argument, &type);
	for (unsigned i = 0; known && i < NESTING_MAX; i++) {
		int tag = dwarf_tag(&type);
		if (!is_qualifier(tag) && !is_transparent(tag))
			break;
		known = debug_type_of(&type, &inner);
		type = inner;
	}
	name_put_type(writer, known ? &type : 0);
}

static bool has_flag(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	bool flag = false;
	return dwarf_attr_integrate(die, name, &attribute) && !dwarf_formflag(&attribute, &flag) && flag;
}

static unsigned put_arguments(struct name_writer *writer, Dwarf_Die *die, unsigned count)
{
	Dwarf_Die child = {0};
	while (!writer->failed && debug_next_child(die, &child)) {
		int tag = dwarf_tag(&child);
		if (tag == DW_TAG_GNU_formal_parameter_pack)
			count = put_arguments(writer, &child, count);
		if ((tag != DW_TAG_formal_parameter || has_flag(&child, DW_AT_artificial)) &&
			tag != DW_TAG_unspecified_parameters)
			continue;
		name_put(writer, count++ ? ", " : "");
		if (tag == DW_TAG_formal_parameter)
			put_argument(writer, &child);
		else
			name_put(writer, "...");
	}
	return count;
}

void name_put_arguments(struct name_writer *writer, Dwarf_Die *die)
{
	name_put(writer, "(");
	put_arguments(writer, die, 0);
	name_put(writer, ")");
}

void name_put_qualifiers(struct name_writer *writer, Dwarf_Die *function)
{
	Dwarf_Die child = {0}, type, inner;
	bool is_const = false, is_volatile = false, known = false;
	while (!known && debug_next_child(function, &child))
		if (dwarf_tag(&child) == DW_TAG_formal_parameter) {
			if (!has_flag(&child, DW_AT_artificial) || !debug_type_of(&child, &type))
				break;
			known = true;
		}
	/* `this` is a constant itself. */
	while (known && is_qualifier(dwarf_tag(&type)) && debug_type_of(&type, &inner))
		type = inner;
	known = known && dwarf_tag(&type) == DW_TAG_pointer_type && debug_type_of(&type, &inner);
	for (unsigned i = 0; known && i < NESTING_MAX && is_qualifier(dwarf_tag(&inner)); i++) {
		is_const |= dwarf_tag(&inner) == DW_TAG_const_type;
		is_volatile |= dwarf_tag(&inner) == DW_TAG_volatile_type;
		type = inner;
		known = debug_type_of(&type, &inner);
	}
	name_put(writer, is_const ? " const" : "");
	name_put(writer, is_volatile ? " volatile" : "");
	name_put(writer, has_flag(function, DW_AT_reference)          ? " &"
			 : has_flag(function, DW_AT_rvalue_reference) ? " &&"
								      : "");
}
