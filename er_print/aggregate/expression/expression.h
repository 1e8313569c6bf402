/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions over events, of the commands filters and indxobj_define: C's operators with C's precedence on signed 64-bit
   numbers, lists, and the IN family at the level of comparisons.

     THRID IN 1,3 && FNAME("m.*") SOME IN USTACK

   Read once into nodes; prepared against the data, where all that depends on a stack alone is computed once a stack; then
   evaluated by columns of events. */
#ifndef EXPRESSION_H
#define EXPRESSION_H

#include "data_objects.h"
#include "resolver.h"
#include "view_mode.h"
#include <stdbool.h>
#include <stdint.h>

enum expression_view { EXPRESSION_USER, EXPRESSION_EXPERT, EXPRESSION_MACHINE, EXPRESSION_CURRENT, EXPRESSION_LEAF };
enum expression_elements { EXPRESSION_FUNCTIONS, EXPRESSION_LINES };

/* An event, as far as expressions ask about it. */
enum event_keyword {
#define KEYWORD(name, text) KEYWORD_##name,
#include "event_keywords.def"
	KEYWORD_LEAF_FUNCTION, /* LEAF as a number */
	KEYWORD_COUNT
};

/* The text behind a name that a user has defined (an index object), or 0. */
typedef const char *expression_definition(const void *context, const char *name);

struct expression;
struct space_times;
/* Reads an expression; definitions may be 0. 0 and *error if it is none. */
struct expression *expression_parse(
	const char *text, expression_definition *definition, const void *context, struct error *error);
void expression_free(struct expression *expression);

/* The data that an expression is evaluated against. */
struct expression_setting {
	struct data *data;
	struct resolver *resolver;
	enum view_mode mode;
	const uint32_t *group; /* by experiment: EXPGRID; 0: all are 1 */
	/* In which code spaces threads were; the pointer may be 0, and what it returns: nothing is known of them. */
	const struct space_times *(*space_times)(const void *context);
	bool compared; /* EXPID_CMP counts the experiments of each group apart, so that they match */
	/* A function's name as FNAME sees it; 0: the long name. The text is used at once. */
	const char *(*function_name)(const void *context, uint32_t function);
	/* A line's name as FNAME sees it in stacks of lines; 0: its function's long name. The text is used at once. */
	const char *(*line_name)(const void *context, uint32_t line);
	/* A data object's name as DNAME sees it; the text is used at once. */
	const char *(*data_name)(const void *context, const struct data_object *object);
	const void *context;
};
/* Computes what depends on stacks and threads alone. To be called again when the setting's data, mode or names have
   changed. The setting must stay alive. */
void expression_prepare(struct expression *expression, const struct expression_setting *setting);

/* Whether it has a word that tells processes or threads apart; false for 0. */
bool expression_tells_members(const struct expression *expression);

/* The data objects behind the numbers of DOBJ and DMEMBER, when it is prepared; 0 if it does not use them. The expression's own. */
const struct data_objects *expression_data_objects(const struct expression *expression);

enum { EXPRESSION_CHUNK = 1024 };
typedef int64_t expression_column[EXPRESSION_CHUNK];
/* The values of the events [first, first + count) of a batch of this kind, count <= EXPRESSION_CHUNK. The column is the
   expression's own, and good until the next call. */
const int64_t *expression_evaluate(
	struct expression *expression, int kind, const struct data_batch *batch, uint32_t first, uint32_t count);
/* Evaluates in columns of the caller's: several threads evaluate one expression, each in columns of its own. */
const int64_t *expression_evaluate_in(expression_column *columns, const struct expression *expression, int kind,
	const struct data_batch *batch, uint32_t first, uint32_t count);
/* Columns for that. The caller frees them. */
expression_column *expression_columns(const struct expression *expression);

#endif
