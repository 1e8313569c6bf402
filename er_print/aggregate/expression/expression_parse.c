/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From text to nodes: precedence climbing over C's operators. */
#include "expression_names.h"
#include "expression_nodes.h"
#include "expression_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DEPTH_MAX = 200 };

struct parser {
	struct expression *expression;
	struct expression_words words;
	struct error *error;
	expression_definition *definition;
	const void *context;
	unsigned depth;
};

static const struct {
	const char *text;
	enum operation operation;
	int precedence;
} binary[] = {
#define ROW(name, text, precedence) {text, OPERATION_##name, precedence},
	BINARY_OPERATORS(ROW)
#undef ROW
};

static uint32_t add(struct parser *parser, enum operation operation, int64_t number, uint32_t left, uint32_t right)
{
	return expression_node(parser->expression,
		&(struct expression_node){
			.operation = operation, .number = number, .left = left, .right = right, .third = NO_NODE},
		parser->error);
}

static uint32_t refuse(struct parser *parser, const char *format, const char *text)
{
	if (parser->words.type != WORD_BAD)
		error_set(parser->error, format, text);
	parser->words.type = WORD_BAD;
	return NO_NODE;
}

static void next(struct parser *parser)
{
	if (parser->words.type != WORD_BAD)
		expression_next_word(&parser->words, parser->error);
}

static bool is_sign(const struct parser *parser, const char *sign)
{
	return parser->words.type == WORD_SIGN && !strcmp(parser->words.text, sign);
}

static bool is_name(const struct parser *parser, const char *name)
{
	return parser->words.type == WORD_NAME && !strcasecmp(parser->words.text, name);
}

static bool take_sign(struct parser *parser, const char *sign)
{
	bool taken = is_sign(parser, sign);
	if (taken)
		next(parser);
	else
		refuse(parser, "%s is missing", sign);
	return taken;
}

/* A number is needed here: a leaf stands for its function's number, other stacks and lists for none. */
static uint32_t number_of(struct parser *parser, uint32_t node)
{
	if (node == NO_NODE)
		return node;
	struct expression_node *what = &parser->expression->nodes[node];
	if (what->operation == OPERATION_STACK && what->number == EXPRESSION_LEAF) {
		parser->expression->uses[KEYWORD_LEAF_FUNCTION] = true;
		return add(parser, OPERATION_KEYWORD, KEYWORD_LEAF_FUNCTION, NO_NODE, NO_NODE);
	}
	if (operation_is_number(what->operation))
		return node;
	return refuse(parser, "%s",
		what->operation == OPERATION_LIST      ? "a list stands beside IN, SOME IN or ORDERED IN only"
		: what->operation == OPERATION_PATTERN ? "FNAME stands beside IN, SOME IN or ORDERED IN only"
						       : "a call stack stands beside IN, SOME IN or ORDERED IN only");
}

static uint32_t parse_conditional(struct parser *parser, bool list);
static uint32_t parse_binary(struct parser *parser, int precedence);

/* The regular expression in parentheses behind FNAME or the name of an object test: its number, NO_NODE if there is none. */
static uint32_t parse_pattern(struct parser *parser, const char *what)
{
	struct expression *expression = parser->expression;
	next(parser);
	if (!take_sign(parser, "("))
		return NO_NODE;
	if (parser->words.type != WORD_STRING)
		return refuse(parser, "%s needs a regular expression in double quotes", what);
	struct function_pattern pattern = {.matches = 0};
	if (!function_pattern_read(&pattern, what, parser->words.text, parser->error)) {
		parser->words.type = WORD_BAD;
		return NO_NODE;
	}
	expression->patterns =
		memory_room(expression->patterns, expression->pattern_count, sizeof *expression->patterns);
	expression->patterns[expression->pattern_count] = pattern;
	next(parser);
	return take_sign(parser, ")") ? expression->pattern_count++ : (regfree(&pattern.regex), NO_NODE);
}

static uint32_t parse_function_name(struct parser *parser)
{
	uint32_t pattern = parse_pattern(parser, "FNAME");
	return pattern == NO_NODE ? NO_NODE : add(parser, OPERATION_PATTERN, pattern, NO_NODE, NO_NODE);
}

/* DNAME("regex"), or in the manual's way of FNAME: DNAME("regex") IN DOBJ. An event has one data object, one communicator and one
   file, so both say the same. */
static uint32_t parse_object_name(struct parser *parser, const struct object_test *test)
{
	uint32_t pattern = parse_pattern(parser, test->name);
	if (pattern == NO_NODE)
		return NO_NODE;
	parser->expression->patterns[pattern].of = test->of;
	parser->expression->uses[test->of] = true;
	/* The words are read ahead, and put back when they turn out to be another use of IN. */
	struct expression_words before = parser->words;
	if (is_name(parser, "SOME") || is_name(parser, "ORDERED"))
		next(parser);
	bool in = is_name(parser, "IN");
	if (in)
		next(parser);
	if (in && (is_name(parser, test->beside[0]) || is_name(parser, test->beside[1])))
		next(parser);
	else
		parser->words = before;
	return add(parser, OPERATION_OBJECT_TEST, pattern, NO_NODE, NO_NODE);
}

static uint32_t add_field(struct parser *parser, enum operation operation, const struct expression_field *field)
{
	struct expression *expression = parser->expression;
	expression->fields = memory_room(expression->fields, expression->field_count, sizeof *expression->fields);
	expression->fields[expression->field_count] = *field;
	return add(parser, operation, expression->field_count++, NO_NODE, NO_NODE);
}

static uint32_t parse_has_property(struct parser *parser)
{
	next(parser);
	if (!take_sign(parser, "("))
		return NO_NODE;
	if (parser->words.type != WORD_NAME)
		return refuse(parser, "HAS_PROP needs the name of %s", "a field");
	struct expression_field field;
	const struct expression_constant *constant = expression_constant_find(parser->words.text);
	expression_field_find(&field, parser->words.text);
	uint32_t node = constant && constant->operation != OPERATION_NUMBER
				? add(parser, OPERATION_NUMBER, 1, NO_NODE, NO_NODE)
				: add_field(parser, OPERATION_HAS_FIELD, &field);
	next(parser);
	return take_sign(parser, ")") ? node : NO_NODE;
}

/* A word that the user has defined is replaced by its expression, as if that stood in parentheses. */
static uint32_t parse_definition(struct parser *parser, const char *text)
{
	if (parser->depth >= DEPTH_MAX)
		return refuse(parser, "it is nested too deeply%s", "");
	parser->depth++;
	struct expression_words outer = parser->words;
	parser->words = (struct expression_words){.at = text};
	next(parser);
	uint32_t node = number_of(parser, parse_conditional(parser, false));
	bool good = parser->words.type == WORD_END;
	parser->words = outer;
	parser->depth--;
	if (!good)
		parser->words.type = WORD_BAD;
	return good ? node : NO_NODE;
}

static uint32_t refuse_name(struct parser *parser, const char *name)
{
	char text[384], near[256];
	const char *why = expression_absent(name);
	if (why) {
		snprintf(text, sizeof text, "%.100s has no meaning here: %s", name, why);
		return refuse(parser, "the name %s", text);
	}
	snprintf(text, sizeof text, "%.100s is not known%s", name, expression_nearest_names(name, near, sizeof near));
	return refuse(parser, "the name %s; describe lists those that are", text);
}

static uint32_t parse_name(struct parser *parser)
{
	if (is_name(parser, "FNAME"))
		return parse_function_name(parser);
	const struct object_test *test = object_test_find(parser->words.text);
	if (test)
		return parse_object_name(parser, test);
	if (is_name(parser, "HAS_PROP"))
		return parse_has_property(parser);
	const char *name = parser->words.text;
	struct expression_field field;
	const struct expression_constant *constant = expression_constant_find(name);
	if (constant) {
		if (constant->operation == OPERATION_KEYWORD)
			parser->expression->uses[constant->number] = true;
		next(parser);
		return add(parser, constant->operation, constant->number, NO_NODE, NO_NODE);
	}
	uint32_t node;
	const char *definition = parser->definition ? parser->definition(parser->context, name) : 0;
	if (expression_field_find(&field, name))
		node = add_field(parser, OPERATION_FIELD, &field);
	else if (definition)
		node = parse_definition(parser, definition);
	else
		return refuse_name(parser, name);
	next(parser);
	return node;
}

static uint32_t parse_primary(struct parser *parser)
{
	uint32_t node;
	switch (parser->words.type) {
	case WORD_NUMBER:
		node = add(parser, OPERATION_NUMBER, parser->words.number, NO_NODE, NO_NODE);
		next(parser);
		return node;
	case WORD_NAME:
		return parse_name(parser);
	case WORD_END:
		return refuse(parser, "it ends too early%s", "");
	default:
		break;
	}
	if (!is_sign(parser, "("))
		return refuse(parser, "%s stands where a number or a name should", parser->words.text);
	next(parser);
	node = parse_conditional(parser, true);
	return node != NO_NODE && take_sign(parser, ")") ? node : NO_NODE;
}

static uint32_t parse_unary(struct parser *parser)
{
	static const struct {
		const char *sign;
		enum operation operation;
	} unary[] = {{"!", OPERATION_NOT}, {"~", OPERATION_COMPLEMENT}, {"-", OPERATION_NEGATE}};
	/* Every nesting comes through here, so this one bound keeps the parser's own stack from overflowing. */
	if (++parser->depth > DEPTH_MAX)
		return refuse(parser, "it is nested too deeply%s", "");
	uint32_t node = NO_NODE;
	bool plus = is_sign(parser, "+");
	if (plus)
		next(parser);
	unsigned u = 0;
	while (u < 3 && !is_sign(parser, unary[u].sign))
		u++;
	if (plus || u < 3) {
		if (!plus)
			next(parser);
		uint32_t operand = number_of(parser, parse_unary(parser));
		if (operand != NO_NODE)
			node = plus ? operand : add(parser, unary[u].operation, 0, operand, NO_NODE);
	} else {
		node = parse_primary(parser);
	}
	parser->depth--;
	return node;
}

/* A comma list, each element read by `read`; one element alone is itself. */
static uint32_t parse_list(struct parser *parser, uint32_t (*read)(struct parser *parser))
{
	uint32_t *elements = 0, count = 0, node;
	do {
		if (count)
			next(parser);
		node = read(parser);
		elements = memory_room(elements, count, sizeof *elements);
		elements[count++] = node;
	} while (node != NO_NODE && is_sign(parser, ","));
	if (node != NO_NODE && count > 1) {
		node = NO_NODE;
		for (uint32_t i = count; i-- > 0;) {
			node = add(parser, OPERATION_LIST, 0, elements[i], node);
			if (node == NO_NODE)
				break;
		}
	}
	free(elements);
	return node;
}

static uint32_t parse_in_operand(struct parser *parser)
{
	return parse_binary(parser, PRECEDENCE_COMPARISON + 1);
}

/* Whether a node is this word of an event. */
static bool is_word(const struct expression *expression, const struct expression_node *node, const char *word)
{
	struct expression_field field;
	const struct expression_constant *constant = expression_constant_find(word);
	if (constant)
		return node->operation == constant->operation && node->number == constant->number;
	return node->operation == OPERATION_FIELD && expression_field_find(&field, word) &&
	       !memcmp(&field, &expression->fields[node->number], sizeof field);
}

/* A test of names on the right of IN stands beside its objects' number alone, and says by itself whether the event is in. */
static uint32_t in_object_test(struct parser *parser, uint32_t left, uint32_t right)
{
	const struct expression *expression = parser->expression;
	const struct object_test *test = object_test_of(expression->patterns[expression->nodes[right].number].of);
	for (unsigned b = 0; b < 2; b++)
		if (is_word(expression, &expression->nodes[left], test->beside[b]))
			return right;
	error_set(parser->error, "%s stands beside %s only", test->name, test->beside[0]);
	parser->words.type = WORD_BAD;
	return NO_NODE;
}

/* After the left operand: IN, SOME IN, ORDERED IN with their right one. */
static uint32_t parse_in(struct parser *parser, uint32_t left)
{
	enum in_form form = is_name(parser, "SOME") ? IN_SOME : is_name(parser, "ORDERED") ? IN_ORDERED : IN_ALL;
	if (form != IN_ALL)
		next(parser);
	if (!is_name(parser, "IN"))
		return refuse(parser, "SOME and ORDERED stand before %s", "IN");
	next(parser);
	uint32_t right = parse_list(parser, parse_in_operand);
	if (right == NO_NODE)
		return NO_NODE;
	if (parser->expression->nodes[right].operation == OPERATION_OBJECT_TEST)
		return in_object_test(parser, left, right);
	uint32_t node = expression_in(parser->expression, form, left, right, parser->error);
	if (node == NO_NODE)
		parser->words.type = WORD_BAD;
	return node;
}

static uint32_t parse_binary(struct parser *parser, int precedence)
{
	uint32_t left = parse_unary(parser);
	while (left != NO_NODE) {
		bool in = is_name(parser, "IN") || is_name(parser, "SOME") || is_name(parser, "ORDERED");
		if (in && precedence <= PRECEDENCE_COMPARISON) {
			left = parse_in(parser, left);
			continue;
		}
		unsigned b = 0;
		while (b < sizeof binary / sizeof *binary && !is_sign(parser, binary[b].text))
			b++;
		if (b == sizeof binary / sizeof *binary || binary[b].precedence < precedence)
			break;
		next(parser);
		left = number_of(parser, left);
		if (left == NO_NODE)
			break;
		uint32_t right = number_of(parser, parse_binary(parser, binary[b].precedence + 1));
		left = right == NO_NODE ? NO_NODE : add(parser, binary[b].operation, 0, left, right);
	}
	return left;
}

static uint32_t parse_choice(struct parser *parser)
{
	uint32_t condition = parse_binary(parser, 1);
	if (condition == NO_NODE || !is_sign(parser, "?"))
		return condition;
	if (++parser->depth > DEPTH_MAX)
		return refuse(parser, "it is nested too deeply%s", "");
	next(parser);
	condition = number_of(parser, condition);
	uint32_t right = condition == NO_NODE ? NO_NODE : number_of(parser, parse_choice(parser));
	uint32_t third =
		right == NO_NODE || !take_sign(parser, ":") ? NO_NODE : number_of(parser, parse_choice(parser));
	parser->depth--;
	if (third == NO_NODE)
		return NO_NODE;
	return expression_node(parser->expression,
		&(struct expression_node){
			.operation = OPERATION_CONDITIONAL, .left = condition, .right = right, .third = third},
		parser->error);
}

static uint32_t parse_conditional(struct parser *parser, bool list)
{
	return list ? parse_list(parser, parse_choice) : parse_choice(parser);
}

struct expression *expression_parse(
	const char *text, expression_definition *definition, const void *context, struct error *error)
{
	struct parser parser = {.expression = memory_new(1, sizeof *parser.expression),
		.words = {.at = text},
		.error = error,
		.definition = definition,
		.context = context};
	error->text[0] = 0;
	next(&parser);
	uint32_t root = number_of(&parser, parse_conditional(&parser, true));
	if (root != NO_NODE && parser.words.type != WORD_END)
		root = refuse(&parser, "%s stands where an operator should",
			parser.words.type == WORD_NUMBER ? "a number" : parser.words.text);
	if (root == NO_NODE) {
		expression_free(parser.expression);
		return 0;
	}
	parser.expression->root = root;
	parser.expression->columns = expression_columns(parser.expression);
	return parser.expression;
}
