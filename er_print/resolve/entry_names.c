/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of functions and of what they are in, as the demangler writes them (Itanium C++ ABI, section 5.1). */
#include "entry_names.h"
#include "debug_types.h"
#include "name_writer.h"
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

void name_put(struct name_writer *writer, const char *text)
{
	size_t length = strlen(text);
	if (writer->failed || writer->length + length >= NAME_TEXT_MAX) {
		writer->failed = true;
		return;
	}
	memcpy(writer->text + writer->length, text, length + 1);
	writer->length += length;
}

/* The declaration: where the entry was written first. */
static Dwarf_Die declaration_of(const Dwarf_Die *die)
{
	static const unsigned links[] = {DW_AT_abstract_origin, DW_AT_specification, DW_AT_signature};
	Dwarf_Die here = *die, next;
	Dwarf_Attribute attribute;
	for (unsigned i = 0, step = 0; i < 3 && step < NESTING_MAX;) {
		if (dwarf_attr(&here, links[i], &attribute) && dwarf_formref_die(&attribute, &next)) {
			here = next;
			step++;
			i = 0;
		} else {
			i++;
		}
	}
	return here;
}

/* The entry around one; false: the unit. */
static bool entry_around(struct entry_parents *parents, const Dwarf_Die *die, Dwarf_Die *parent)
{
	const struct scope_entries *entries = entry_parents_of_unit(parents, die);
	uint32_t index = scope_entries_find(entries, die);
	if (index == UINT32_MAX || entries->array[index].parent == UINT32_MAX)
		return false;
	*parent = entries->array[entries->array[index].parent].die;
	return true;
}

static bool parent_of(struct name_writer *writer, const Dwarf_Die *die, Dwarf_Die *parent)
{
	return entry_around(writer->parents, die, parent);
}

static bool is_class(int tag)
{
	return tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

/* The function call operator of a lambda's class, which has no name (before gcc 8 "<lambda(int)>"). */
static bool closure_call(Dwarf_Die *class, Dwarf_Die *call)
{
	const char *name = dwarf_diename(class), *member;
	Dwarf_Die child = {0};
	if (!is_class(dwarf_tag(class)) || (name && strncmp(name, "<lambda", 7) != 0))
		return false;
	while (debug_next_child(class, &child))
		if (dwarf_tag(&child) == DW_TAG_subprogram && (member = dwarf_diename(&child)) &&
			!strncmp(member, "operator()", 10)) {
			*call = child;
			return true;
		}
	return false;
}

/* The entry in which unnamed types are counted: the function around, else any other entry around. Its index; UINT32_MAX: the unit.
   */
static uint32_t counted_in(const struct scope_entries *entries, uint32_t index)
{
	do
		index = entries->array[index].parent;
	while (index != UINT32_MAX && dwarf_tag(&entries->array[index].die) == DW_TAG_lexical_block);
	return index;
}

static void arguments_of_lambda(struct name_writer *writer, Dwarf_Die *call, char *text)
{
	size_t begin = writer->length;
	name_put_arguments(writer, call);
	memcpy(text, writer->text + begin, writer->length - begin + 1);
	writer->length = begin;
	writer->text[begin] = 0;
}

static void put_number(struct name_writer *writer, unsigned number)
{
	char digits[16], *next = digits + sizeof digits;
	*--next = 0;
	do
		*--next = (char)('0' + number % 10);
	while (number /= 10);
	name_put(writer, next);
}

/* gcc numbered all lambdas of a function in one sequence until its version 13 (-fabi-version=18). */
static bool is_one_sequence(const Dwarf_Die *die)
{
	Dwarf_Die unit, entry = *die;
	Dwarf_Attribute attribute;
	const char *producer = 0, *version;
	if (dwarf_diecu(&entry, &unit, 0, 0) && dwarf_attr(&unit, DW_AT_producer, &attribute))
		producer = dwarf_formstring(&attribute);
	if (!producer || strncmp(producer, "GNU C", 5) != 0 || !(version = strchr(producer + 4, ' ')))
		return false;
	return strtoul(version, 0, 10) < 13;
}

/* Those before it in the same function with the same arguments. */
static unsigned number_of_lambda(struct name_writer *writer, const Dwarf_Die *class, const char *arguments)
{
	const struct scope_entries *entries = entry_parents_of_unit(writer->parents, class);
	uint32_t own = scope_entries_find(entries, class);
	uint32_t place = own == UINT32_MAX ? UINT32_MAX : counted_in(entries, own);
	unsigned number = 1;
	bool all = is_one_sequence(class);
	char *other = malloc(NAME_TEXT_MAX);
	/* The children of an entry stand behind it. */
	for (uint32_t i = place + 1; other && own != UINT32_MAX && i < own; i++) {
		Dwarf_Die entry = entries->array[i].die, call;
		if (counted_in(entries, i) != place || !closure_call(&entry, &call))
			continue;
		arguments_of_lambda(writer, &call, other);
		number += all || !strcmp(other, arguments);
	}
	free(other);
	return number;
}

static void put_lambda(struct name_writer *writer, Dwarf_Die *class, Dwarf_Die *call)
{
	char *arguments = malloc(NAME_TEXT_MAX);
	if (!arguments || ++writer->nesting > NESTING_MAX) {
		writer->failed = true;
		free(arguments);
		return;
	}
	Dwarf_Die declared = declaration_of(call);
	arguments_of_lambda(writer, &declared, arguments);
	name_put(writer, "{lambda");
	name_put(writer, arguments);
	name_put(writer, "#");
	put_number(writer, number_of_lambda(writer, class, arguments));
	name_put(writer, "}");
	free(arguments);
	writer->nesting--;
}

static void put_unnamed(struct name_writer *writer, const Dwarf_Die *type)
{
	const struct scope_entries *entries = entry_parents_of_unit(writer->parents, type);
	uint32_t own = scope_entries_find(entries, type);
	uint32_t place = own == UINT32_MAX ? UINT32_MAX : counted_in(entries, own);
	unsigned number = 1;
	for (uint32_t i = place + 1; own != UINT32_MAX && i < own; i++) {
		Dwarf_Die entry = entries->array[i].die, call;
		int tag = dwarf_tag(&entry);
		number += counted_in(entries, i) == place && (is_class(tag) || tag == DW_TAG_enumeration_type) &&
			  !dwarf_diename(&entry) && !closure_call(&entry, &call);
	}
	name_put(writer, "{unnamed type#");
	put_number(writer, number);
	name_put(writer, "}");
}

/* The part of "operator<< <char>" and "work<int>" before the template arguments. */
static size_t length_without_template(const char *name)
{
	static const char *const operators[] = {"<=>", "<<=", "<<", "<=", "<", "->*", "->", ">>=", ">>", ">=", ">"};
	size_t length = 0;
	if (!strncmp(name, "operator", 8)) {
		length = 8;
		for (unsigned i = 0; i < sizeof operators / sizeof *operators; i++)
			if (!strncmp(name + length, operators[i], strlen(operators[i]))) {
				length += strlen(operators[i]);
				break;
			}
		if (name[length] == ' ' && name[length + 1] != '<')
			return strlen(name); /* a conversion */
	}
	while (name[length] && name[length] != '<')
		length++;
	while (length && name[length - 1] == ' ')
		length--;
	return length;
}

/* "operator long int", whose type is the function's result. */
static bool is_conversion(const char *name)
{
	static const char *const others[] = {"new", "delete", "co_await", "\"\""};
	if (strncmp(name, "operator ", 9) != 0 || name[9] == '<')
		return false;
	for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
		if (!strncmp(name + 9, others[i], strlen(others[i])))
			return false;
	return true;
}

/* With the template arguments of the entry, which are in the name as the compiler writes them. */
static void put_name(struct name_writer *writer, const char *name, Dwarf_Die *die)
{
	size_t length = length_without_template(name);
	const char *arguments = name + length + (name[length] == ' ');
	if (is_conversion(name)) {
		name_put(writer, "operator ");
		name_put_type_of(writer, die);
		return;
	}
	size_t begin = writer->length;
	name_put(writer, name);
	if (writer->failed || !name[length])
		return;
	writer->length = begin + length;
	writer->text[writer->length] = 0;
	if (length && name[length - 1] == '<')
		name_put(writer, " ");
	size_t end = writer->length;
	bool listed = name_put_template(writer, die);
	/* gcc lists no arguments of some packs that have some. */
	if (listed && (strcmp(writer->text + end, "<>") != 0 || !strcmp(arguments, "<>")))
		return;
	writer->length = end;
	writer->text[end] = 0;
	name_put_written_arguments(writer, arguments);
}

void name_put_class(struct name_writer *writer, Dwarf_Die *die)
{
	Dwarf_Die call;
	const char *name = dwarf_diename(die);
	if (closure_call(die, &call))
		put_lambda(writer, die, &call);
	else if (name)
		put_name(writer, name, die);
	else
		put_unnamed(writer, die);
}

static bool is_c(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_ObjC:
	case DW_LANG_UPC:
	case DW_LANG_Mips_Assembler:
		return true;
	default:
		return false;
	}
}

static bool is_cplusplus(Dwarf_Die *unit)
{
	enum { LANGUAGE_CPLUSPLUS_17 = 0x2a, LANGUAGE_CPLUSPLUS_20 = 0x2b, LANGUAGE_CPLUSPLUS_23 = 0x3a };
	int language = dwarf_srclang(unit);
	return language == DW_LANG_C_plus_plus || language == DW_LANG_C_plus_plus_03 ||
	       language == DW_LANG_C_plus_plus_11 || language == DW_LANG_C_plus_plus_14 ||
	       language == DW_LANG_ObjC_plus_plus || language == LANGUAGE_CPLUSPLUS_17 ||
	       language == LANGUAGE_CPLUSPLUS_20 || language == LANGUAGE_CPLUSPLUS_23;
}

static bool returns_nothing_in_name(const char *name, Dwarf_Die *declared, struct name_writer *writer)
{
	Dwarf_Die class;
	const char *own =
		parent_of(writer, declared, &class) && is_class(dwarf_tag(&class)) ? dwarf_diename(&class) : 0;
	size_t length = length_without_template(name);
	bool conversion = !strncmp(name, "operator ", 9);
	bool constructor = own && length == length_without_template(own) && !strncmp(name, own, length);
	return name[0] == '~' || conversion || constructor;
}

static bool has_parameters(Dwarf_Die *die)
{
	Dwarf_Die child = {0};
	while (debug_next_child(die, &child))
		if (dwarf_tag(&child) == DW_TAG_formal_parameter)
			return true;
	return false;
}

/* Where its parameters are: a declaration whose class is in a type unit has none. */
static Dwarf_Die parameters_of(const Dwarf_Die *die, Dwarf_Die *declared)
{
	Dwarf_Die here = *die, origin;
	Dwarf_Attribute attribute;
	if (has_parameters(declared))
		return *declared;
	if (dwarf_attr(&here, DW_AT_abstract_origin, &attribute) && dwarf_formref_die(&attribute, &origin))
		here = origin;
	return has_parameters(&here) ? here : *declared;
}

/* `inside`: what it holds is named, and no result is. */
static void put_function(struct name_writer *writer, Dwarf_Die *die, bool with_arguments, bool inside)
{
	Dwarf_Die declared = declaration_of(die), unit;
	const char *name = dwarf_diename(&declared);
	if (!name || !dwarf_diecu(&declared, &unit, 0, 0) || ++writer->nesting > NESTING_MAX) {
		writer->failed = true;
		return;
	}
	bool arguments = with_arguments && is_cplusplus(&unit) && strcmp(name, "main") != 0;
	size_t begin = writer->length;
	if (arguments && !inside && !returns_nothing_in_name(name, &declared, writer)) {
		/* Only templates have their result in their names. */
		bool is_template = name_put_template(writer, &declared);
		writer->length = begin;
		writer->text[begin] = 0;
		if (is_template) {
			name_put_type_of(writer, &declared);
			name_put(writer, " ");
		}
	}
	name_put_scopes(writer, &declared);
	put_name(writer, name, &declared);
	if (arguments) {
		Dwarf_Die parameters = parameters_of(die, &declared);
		name_put_arguments(writer, &parameters);
		name_put_qualifiers(writer, &parameters);
	}
	writer->nesting--;
}

void name_put_scopes(struct name_writer *writer, const Dwarf_Die *die)
{
	Dwarf_Die declared = declaration_of(die), parent;
	const char *name;
	if (writer->failed || !parent_of(writer, &declared, &parent) || ++writer->nesting > NESTING_MAX)
		return;
	switch (dwarf_tag(&parent)) {
	case DW_TAG_subprogram:
		put_function(writer, &parent, true, true);
		break;
	case DW_TAG_lexical_block:
		name_put_scopes(writer, &parent);
		writer->nesting--;
		return;
	case DW_TAG_namespace:
	case DW_TAG_module:
		name_put_scopes(writer, &parent);
		name = dwarf_diename(&parent);
		name_put(writer, name ? name : "(anonymous namespace)");
		break;
	default:
		name_put_scopes(writer, &parent);
		name_put_class(writer, &parent);
	}
	name_put(writer, "::");
	writer->nesting--;
}

char *entry_name(struct entry_parents *parents, Dwarf_Die *die, bool with_arguments)
{
	Dwarf_Die unit;
	const char *plain = dwarf_diename(die);
	char *result = 0;
	if (plain && dwarf_diecu(die, &unit, 0, 0) && is_c(&unit))
		return strdup(plain);
	struct name_writer *writer = calloc(1, sizeof *writer);
	if (writer) {
		writer->parents = parents;
		put_function(writer, die, with_arguments, false);
		result = writer->failed ? 0 : strdup(writer->text);
	}
	free(writer);
	return result ? result : plain ? strdup(plain) : 0;
}

bool entry_class(struct entry_parents *parents, const Dwarf_Die *die, Dwarf_Die *class)
{
	Dwarf_Die declared = declaration_of(die);
	return entry_around(parents, &declared, class) && is_class(dwarf_tag(class));
}
