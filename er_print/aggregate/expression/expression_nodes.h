/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An expression as nodes; for the expression_*.c files only. */
#ifndef EXPRESSION_NODES_H
#define EXPRESSION_NODES_H

#include "expression.h"
#include "kernel_threads.h"
#include "mpi_world.h"
#include "storage.h"

#include <regex.h>

/* Precedence as in C, the weakest is 1; all of them associate to the left. Of two operators that begin alike the longer one stands
   first. */
#define BINARY_OPERATORS(ROW)                                                                                          \
	ROW(OR, "||", 1)                                                                                               \
	ROW(AND, "&&", 2)                                                                                              \
	ROW(BIT_OR, "|", 3)                                                                                            \
	ROW(BIT_XOR, "^", 4)                                                                                           \
	ROW(BIT_AND, "&", 5)                                                                                           \
	ROW(EQUAL, "==", 6)                                                                                            \
	ROW(NOT_EQUAL, "!=", 6)                                                                                        \
	ROW(LESS_EQUAL, "<=", 7)                                                                                       \
	ROW(GREATER_EQUAL, ">=", 7)                                                                                    \
	ROW(SHIFT_LEFT, "<<", 8)                                                                                       \
	ROW(SHIFT_RIGHT, ">>", 8)                                                                                      \
	ROW(LESS, "<", 7)                                                                                              \
	ROW(GREATER, ">", 7)                                                                                           \
	ROW(ADD, "+", 9)                                                                                               \
	ROW(SUBTRACT, "-", 9)                                                                                          \
	ROW(MULTIPLY, "*", 10)                                                                                         \
	ROW(DIVIDE, "/", 10)                                                                                           \
	ROW(REMAINDER, "%", 10)
enum { PRECEDENCE_COMPARISON = 7 };

enum operation {
	/* numbers */
	OPERATION_NUMBER,      /* number */
	OPERATION_KEYWORD,     /* number: enum event_keyword */
	OPERATION_FIELD,       /* number: of expression->fields */
	OPERATION_HAS_FIELD,   /* the same: 1 if events of the kind have it */
	OPERATION_STACK_TEST,  /* number: of expression->tests */
	OPERATION_OBJECT_TEST, /* number: of expression->patterns, against the name of what the event is about */
	OPERATION_NOT,
	OPERATION_COMPLEMENT,
	OPERATION_NEGATE,
	OPERATION_CONDITIONAL, /* left ? right : third */
#define ROW(name, text, precedence) OPERATION_##name,
	BINARY_OPERATORS(ROW)
#undef ROW
	/* operands of the IN family */
	OPERATION_LIST,    /* left: first node, right: next LIST node or NO_NODE */
	OPERATION_PATTERN, /* number: of expression->patterns */
	OPERATION_STACK,   /* number: STACK_NUMBER */
};
enum { NO_NODE = UINT32_MAX, NODES_MAX = 100000, HEIGHT_MAX = 500 };

struct expression_node {
	enum operation operation;
	uint32_t left, right, third;
	uint32_t height; /* of the tree below */
	uint32_t slots;  /* columns that its evaluation needs */
	uint64_t cost;   /* nodes that are evaluated for it, shared ones each time */
	int64_t number;
};

struct function_pattern {
	regex_t regex;
	enum event_keyword of; /* of an OBJECT_TEST: the keyword that numbers its objects */
	bool *matches;         /* [function or line], while stacks are tested; of an OBJECT_TEST: [object] */
};

/* Reads the regular expression of FNAME, DNAME or CNAME (`what`). False and *error if it is none. */
bool function_pattern_read(struct function_pattern *pattern, const char *what, const char *text, struct error *error);

/* A stack's view and elements as one number. */
#define STACK_NUMBER(view, elements) ((view) | (int64_t)(elements) << 8)
static inline enum expression_view stack_view(int64_t number)
{
	return (enum expression_view)(number & 0xff);
}
static inline enum expression_elements stack_elements(int64_t number)
{
	return (enum expression_elements)(number >> 8);
}

/* One list of functions or lines against one stack. */
enum stack_relation { STACK_HAS_ALL, STACK_HAS_SOME, STACK_HAS_RUN, STACK_ONLY_OF };
struct stack_test {
	enum expression_view view;
	enum expression_elements elements;
	enum stack_relation relation;
	struct stack_place { /* one element of the list: a pattern's functions or lines, or a function by its number */
		uint32_t pattern; /* NO_NODE: the number counts */
		int64_t number;
	} * places;
	uint32_t place_count;
	uint8_t *holds; /* [stack] */
};

struct expression_field {
	int index[KIND_COUNT]; /* -1: the kind's events lack it */
};

enum critical_answer { CRITICAL_ASKED, CRITICAL_ALWAYS, CRITICAL_NEVER };
struct expression {
	struct expression_node *nodes;
	uint32_t count, root;
	struct function_pattern *patterns;
	uint32_t pattern_count;
	struct stack_test *tests;
	uint32_t test_count;
	struct expression_field *fields;
	uint32_t field_count;
	bool uses[KEYWORD_COUNT];
	/* Set by expression_prepare. */
	const struct expression_setting *setting;
	uint32_t stack_count;
	uint32_t *leaf_function; /* [stack]; 0 where it is not used */
	uint64_t *leaf_address;
	struct kernel_threads threads;
	struct data_objects *data_objects; /* 0 where it is not used */
	struct mpi_world *mpi_world;       /* likewise */
	int64_t *mpi_ranks;                /* by experiment: MRANK */
	struct mpi_critical *mpi_critical;
	enum critical_answer critical_answer; /* what MCRITICAL is (critical_split.h) */
	struct heap_events *heap_events;
	struct omp_times *omp_times;
	const struct space_times *space_times; /* the setting's; 0 where it is not used */
	expression_column *columns;
};

/* A new node; heights and slots follow from its operands. NO_NODE and *error if the expression is too large. */
uint32_t expression_node(struct expression *expression, const struct expression_node *node, struct error *error);
static inline bool operation_is_number(enum operation operation)
{
	return operation < OPERATION_LIST;
}

/* A IN B, A SOME IN B, A ORDERED IN B as a node that is a number. NO_NODE and *error if it has no meaning. */
enum in_form { IN_ALL, IN_SOME, IN_ORDERED };
uint32_t expression_in(
	struct expression *expression, enum in_form form, uint32_t left, uint32_t right, struct error *error);

/* The values of WCPU, ULCK and the other words for thread states, of the events [first, first + count) of a batch. */
void expression_state_values(enum event_keyword which, int kind, const struct data_batch *batch, uint32_t first,
	uint32_t count, int64_t *values);

/* Prepares communicators, ranks and the critical path; and the values of MRANK, MPEER, MCOMM or MCRITICAL of the events
   [first, first + count) of a batch. */
void expression_prepare_mpi(struct expression *expression);
void expression_free_mpi(struct expression *expression);
void expression_mpi_values(const struct expression *expression, enum event_keyword which, int kind,
	const struct data_batch *batch, uint32_t first, uint32_t count, int64_t *values);

/* Replays the heap events, where that is needed; and the values of HLEAKED and its kin of the events [first, first + count) of a
   batch. */
void expression_prepare_heap(struct expression *expression);
void expression_free_heap(struct expression *expression);
void expression_heap_values(const struct expression *expression, enum event_keyword which, int kind,
	const struct data_batch *batch, uint32_t first, uint32_t count, int64_t *values);

/* Finds code spaces, where that is needed; and the values of SPACE or APPEARANCE of the events [first, first + count) of a
   batch. */
void expression_prepare_spaces(struct expression *expression);
void expression_space_values(const struct expression *expression, enum event_keyword which, int kind,
	const struct data_batch *batch, uint32_t first, uint32_t count, int64_t *values);

/* Reads what OpenMP's threads did, where that is needed; and the values of OMPSTATE and its kin of the events
   [first, first + count) of a batch. */
void expression_prepare_openmp(struct expression *expression);
void expression_free_openmp(struct expression *expression);
void expression_openmp_values(const struct expression *expression, enum event_keyword which, int kind,
	const struct data_batch *batch, uint32_t first, uint32_t count, int64_t *values);

/* Prepares data objects and the names that tests of objects match; after expression_prepare_mpi. */
void expression_prepare_objects(struct expression *expression);
/* The values of DOBJ, DMEMBER, VADDR, IOFILE or MCOMM of the events [first, first + count) of a batch. */
void expression_object_values(const struct expression *expression, enum event_keyword which, int kind,
	const struct data_batch *batch, uint32_t first, uint32_t count, int64_t *values);
/* Whether the names of what they are about match: 1 or 0 each. */
void expression_object_test(const struct expression *expression, const struct function_pattern *pattern, int kind,
	const struct data_batch *batch, uint32_t first, uint32_t count, int64_t *values);

/* Fills tests' holds. */
void expression_test_stacks(struct expression *expression);

#endif
