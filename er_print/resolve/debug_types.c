/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes and texts of DWARF's types, by walks that end whatever they refer to (DWARF 5, chapter 5). */
#include "debug_types.h"
#include <dwarf.h>
#include <stdio.h>
#include <string.h>

enum { CHAIN_MAX = 64 }; /* of types around types; people stay below 10 */

bool debug_type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attribute;
	Dwarf_Die whole;
	if (!dwarf_attr_integrate(die, DW_AT_type, &attribute) || !dwarf_formref_die(&attribute, type))
		return false;
	/* A declaration may name the type unit that has it all. */
	if (dwarf_attr(type, DW_AT_signature, &attribute) && dwarf_formref_die(&attribute, &whole))
		*type = whole;
	return true;
}

static bool is_qualifier(int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type ||
	       tag == DW_TAG_atomic_type;
}

bool debug_type_peel(const Dwarf_Die *type, Dwarf_Die *peeled)
{
	*peeled = *type;
	for (unsigned i = 0; i < CHAIN_MAX; i++) {
		int tag = dwarf_tag(peeled);
		Dwarf_Die inner;
		if (tag != DW_TAG_typedef && !is_qualifier(tag))
			return true;
		if (!debug_type_of(peeled, &inner))
			return false;
		*peeled = inner;
	}
	return false;
}

bool debug_type_is_structure(Dwarf_Die *peeled)
{
	int tag = dwarf_tag(peeled);
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
}

bool debug_next_child(Dwarf_Die *parent, Dwarf_Die *child)
{
	Dwarf_Die next;
	if (!child->addr)
		return !dwarf_child(parent, child);
	/* A damaged sibling reference may point back. */
	if (dwarf_siblingof(child, &next) || (char *)next.addr <= (char *)child->addr)
		return false;
	*child = next;
	return true;
}

/* Only the signed forms can be negative: compilers write 65535 in two bytes. */
static bool constant(Dwarf_Die *die, unsigned name, Dwarf_Sword *value)
{
	Dwarf_Attribute attribute;
	if (!dwarf_attr(die, name, &attribute))
		return false;
	unsigned form = dwarf_whatform(&attribute);
	if (form == DW_FORM_sdata || form == DW_FORM_implicit_const)
		return !dwarf_formsdata(&attribute, value);
	return !dwarf_formudata(&attribute, (Dwarf_Word *)value);
}

/* The elements of one dimension of an array; 0 if not known. */
static uint64_t dimension(Dwarf_Die *subrange)
{
	Dwarf_Sword count, upper, lower, first = 0;
	if (constant(subrange, DW_AT_count, &count))
		return count > 0 ? (uint64_t)count : 0;
	if (!constant(subrange, DW_AT_upper_bound, &upper))
		return 0;
	Dwarf_Die unit;
	if (constant(subrange, DW_AT_lower_bound, &lower))
		first = lower;
	else if (!dwarf_diecu(subrange, &unit, 0, 0) || dwarf_default_lower_bound(dwarf_srclang(&unit), &first))
		first = 0;
	return upper >= first ? (uint64_t)upper - (uint64_t)first + 1 : 0;
}

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;
	return __builtin_mul_overflow(a, b, &product) ? 0 : product;
}

uint64_t debug_type_size(const Dwarf_Die *type)
{
	uint64_t elements = 1;
	Dwarf_Die here, inner;
	if (!debug_type_peel(type, &here))
		return 0;
	for (unsigned i = 0; i < CHAIN_MAX; i++) {
		Dwarf_Sword size;
		Dwarf_Die child = {0};
		int tag = dwarf_tag(&here);
		if (constant(&here, DW_AT_byte_size, &size))
			return size > 0 ? times((uint64_t)size, elements) : 0;
		if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type)
			return times(sizeof(void *), elements);
		if (tag != DW_TAG_array_type && tag != DW_TAG_enumeration_type)
			return 0;
		while (tag == DW_TAG_array_type && debug_next_child(&here, &child))
			if (dwarf_tag(&child) == DW_TAG_subrange_type)
				elements = times(elements, dimension(&child));
		if (!debug_type_of(&here, &inner) || !debug_type_peel(&inner, &here))
			return 0;
	}
	return 0;
}

/* The text around a name in a C declaration, and the qualifiers that wait for what they qualify. */
struct declaration {
	char around[TYPE_TEXT_MAX / 2];
	const char *qualifier;
};

static void put(struct declaration *declaration, const char *before, const char *after)
{
	char text[sizeof declaration->around];
	snprintf(text, sizeof text, "%s%s%s", before, declaration->around, after);
	memcpy(declaration->around, text, sizeof text);
}

/* An array or function binds closer than the pointers in front of it: those are put into brackets. */
static void put_behind(struct declaration *declaration, const char *text)
{
	bool pointers = strchr("*&", declaration->around[0]) && declaration->around[0];
	put(declaration, pointers ? "(" : "", pointers ? ")" : "");
	put(declaration, "", text);
}

static void put_array(struct declaration *declaration, Dwarf_Die *array)
{
	Dwarf_Die child = {0};
	char text[64] = "";
	while (debug_next_child(array, &child)) {
		size_t length = strlen(text);
		uint64_t count = dimension(&child);
		if (dwarf_tag(&child) == DW_TAG_subrange_type && count)
			snprintf(text + length, sizeof text - length, "[%llu]", (unsigned long long)count);
		else if (dwarf_tag(&child) == DW_TAG_subrange_type)
			snprintf(text + length, sizeof text - length, "[]");
	}
	put_behind(declaration, text);
}

/* False: the type ends here. */
static bool put_around(struct declaration *declaration, Dwarf_Die *type)
{
	switch (dwarf_tag(type)) {
	case DW_TAG_const_type:
		declaration->qualifier = "const ";
		return true;
	case DW_TAG_volatile_type:
		declaration->qualifier = "volatile ";
		return true;
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
		return true;
	case DW_TAG_pointer_type:
		put(declaration, *declaration->qualifier ? "*const " : "*", "");
		declaration->qualifier = "";
		return true;
	case DW_TAG_reference_type:
		put(declaration, "&", "");
		return true;
	case DW_TAG_rvalue_reference_type:
		put(declaration, "&&", "");
		return true;
	case DW_TAG_array_type:
		put_array(declaration, type);
		return true;
	case DW_TAG_subroutine_type:
		put_behind(declaration, "()");
		return true;
	default:
		return false;
	}
}

static const char *word_of(Dwarf_Die *type)
{
	switch (dwarf_tag(type)) {
	case DW_TAG_structure_type:
		return "struct ";
	case DW_TAG_class_type:
		return "class ";
	case DW_TAG_union_type:
		return "union ";
	case DW_TAG_enumeration_type:
		return "enum ";
	default:
		return "";
	}
}

void debug_type_text(const Dwarf_Die *type, char text[TYPE_TEXT_MAX])
{
	struct declaration declaration = {.qualifier = ""};
	Dwarf_Die here = *type, inner;
	bool more = true, known = true;
	for (unsigned i = 0; more && i < CHAIN_MAX; i++) {
		more = put_around(&declaration, &here);
		known = !more || debug_type_of(&here, &inner);
		if (!known)
			break;
		here = more ? inner : here;
	}
	const char *name = !known ? "void" : more ? "..." : dwarf_diename(&here);
	size_t length = strlen(declaration.around);
	while (length && declaration.around[length - 1] == ' ')
		declaration.around[--length] = 0;
	snprintf(text, TYPE_TEXT_MAX, "%s%s%.100s%s%s", declaration.qualifier, known && !more ? word_of(&here) : "",
		name ? name : "{...}", declaration.around[0] && declaration.around[0] != '[' ? " " : "",
		declaration.around);
}
