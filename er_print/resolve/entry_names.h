/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The whole name of a function that has no linkage name, from its debug information: qualified and with the types of its
   arguments, as the demangler writes it. */
#ifndef ENTRY_NAMES_H
#define ENTRY_NAMES_H

#include "entry_parents.h"

/* "aa::work(unsigned long)", "main::{lambda(int)#1}::operator()(int) const"; without arguments "aa::work". In other languages
   than C++ never with arguments ("module::procedure"); in C the name alone. 0: it has none, or there is more than a name can
   hold. The caller frees it. */
char *entry_name(struct entry_parents *parents, Dwarf_Die *die, bool with_arguments);
/* The class that a function is declared in. False: none. */
bool entry_class(struct entry_parents *parents, const Dwarf_Die *die, Dwarf_Die *class);

#endif
