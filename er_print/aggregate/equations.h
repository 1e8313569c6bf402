/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The equations between exclusive, inclusive and attributed sums, checked exactly: a debugging aid for users,
   and what the tests run on every experiment. */
#ifndef EQUATIONS_H
#define EQUATIONS_H

#include "callers_callees.h"
#include "key_sums.h"
#include "path_tree.h"
#include "resolver.h"
#include "stack_sums.h"

struct equations {
	uint64_t checked; /* equations */
	uint64_t violated;
	char first[256]; /* the first violation in words */
};
/* Checks, for each metric: E over all functions = total; I(f) = sum of f's caller-attributed; I(f) = E(f) +
   sum of f's callee-attributed; a load object's E = sum of its functions' E, its I at most their sum; a
   function that is only ever a leaf has E = I. And against a summation of its own, stack by stack: E and I of
   each function. */
struct equations equations_check(struct resolver *resolver, const struct data *data, const struct stack_sums *sums,
	const struct stack_view *view);

#endif
