/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From linkage names to the names of the source, by libiberty, which this file alone knows; Fortran's by hand, which it does not
   know. */
#include "demangle.h"
#include <libiberty/demangle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Unpacked names grow faster than packed ones: no compiler writes longer ones for people to read. */
enum { NAME_MAX_LENGTH = 8192 };

static bool is_of_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* gfortran: __module_MOD_procedure, or __module.submodule_MOD_procedure; what follows a point is a clone's (gcc/fortran,
   gfc_sym_mangled_function_id). */
static char *of_gfortran(const char *mangled)
{
	static const char mark[] = "_MOD_";
	const char *module = mangled + 2, *end = strstr(module, mark);
	if (strncmp(mangled, "__", 2) != 0 || !end || end == module)
		return 0;
	const char *procedure = end + sizeof mark - 1;
	size_t length = strcspn(procedure, ".");
	char *name = malloc(2 * strlen(mangled) + sizeof " [clone ]"), *to = name;
	for (const char *c = module; name && c < end; c++)
		to += sprintf(to, *c == '.' ? "::" : "%c", *c);
	if (name)
		sprintf(to, procedure[length] ? "::%.*s [clone %s]" : "::%.*s", (int)length, procedure,
			procedure + length);
	return name;
}

/* LLVM's flang: _Q, and for each module (M), submodule (S) and procedure (F around others, P) its letter and name, which has no
   capitals (flang/docs/BijectiveInternalNameUniquing.md). */
static char *of_flang(const char *mangled)
{
	char *name = strncmp(mangled, "_Q", 2) || !mangled[2] ? 0 : malloc(2 * strlen(mangled) + 1), *to = name;
	bool good = name != 0;
	for (const char *c = mangled + 2; good && *c;) {
		good = strchr("MSFP", *c) && is_of_name(c[1]);
		to += good && c > mangled + 2 ? sprintf(to, "::") : 0;
		for (c++; good && is_of_name(*c); c++)
			*to++ = *c;
	}
	if (good) {
		*to = 0;
		return name;
	}
	free(name);
	return 0;
}

char *demangle_name(const char *mangled, bool with_arguments)
{
	if (mangled[0] != '_' || strnlen(mangled, NAME_MAX_LENGTH) == NAME_MAX_LENGTH)
		return 0;
	char *name = of_gfortran(mangled);
	name = name ? name : of_flang(mangled);
	return name ? name
		    : cplus_demangle(mangled, DMGL_AUTO | (with_arguments ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS));
}
