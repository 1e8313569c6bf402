/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluates an expression by columns of events: one loop a node, so that the cost of a node is shared by a chunk. */
#include "event_times.h"
#include "expression_nodes.h"

#include "view_mode.h"

#include <stdlib.h>
#include <string.h>

struct events {
	const struct expression *expression;
	expression_column *columns;
	const struct data_batch *batch;
	int kind;
	uint32_t first, count;
};

#define EACH(value)                                                                                                    \
	do {                                                                                                           \
		for (uint32_t i = 0; i < count; i++)                                                                   \
			a[i] = (int64_t)(value);                                                                       \
	} while (0)

/* Numbers wrap around as two's complement; a division by zero gives 0, a shift by more than 63 shifts all out. */
static int64_t divide(int64_t a, int64_t b)
{
	return b == 0 ? 0 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

static int64_t remainder_of(int64_t a, int64_t b)
{
	/* The smallest number by -1 overflows, and the processor would raise SIGFPE for it. */
	return b == 0 || b == -1 ? 0 : a % b;
}

static int64_t shift_left(int64_t a, int64_t b)
{
	return b < 0 || b > 63 ? 0 : (int64_t)((uint64_t)a << b);
}

static int64_t shift_right(int64_t a, int64_t b)
{
	return b < 0 || b > 63 ? (a < 0 ? -1 : 0) : a >> b;
}

static void binary(enum operation operation, int64_t *a, const int64_t *b, uint32_t count)
{
	switch (operation) {
	/* Both operands are evaluated for every event: an expression has no side effects, and a column without branches is faster
	   than one that stops early. */
	case OPERATION_OR:
		EACH((a[i] != 0) | (b[i] != 0));
		break;
	case OPERATION_AND:
		EACH((a[i] != 0) & (b[i] != 0));
		break;
	case OPERATION_BIT_OR:
		EACH(a[i] | b[i]);
		break;
	case OPERATION_BIT_XOR:
		EACH(a[i] ^ b[i]);
		break;
	case OPERATION_BIT_AND:
		EACH(a[i] & b[i]);
		break;
	case OPERATION_EQUAL:
		EACH(a[i] == b[i]);
		break;
	case OPERATION_NOT_EQUAL:
		EACH(a[i] != b[i]);
		break;
	case OPERATION_LESS:
		EACH(a[i] < b[i]);
		break;
	case OPERATION_GREATER:
		EACH(a[i] > b[i]);
		break;
	case OPERATION_LESS_EQUAL:
		EACH(a[i] <= b[i]);
		break;
	case OPERATION_GREATER_EQUAL:
		EACH(a[i] >= b[i]);
		break;
	case OPERATION_SHIFT_LEFT:
		EACH(shift_left(a[i], b[i]));
		break;
	case OPERATION_SHIFT_RIGHT:
		EACH(shift_right(a[i], b[i]));
		break;
	case OPERATION_ADD:
		EACH((uint64_t)a[i] + (uint64_t)b[i]);
		break;
	case OPERATION_SUBTRACT:
		EACH((uint64_t)a[i] - (uint64_t)b[i]);
		break;
	case OPERATION_MULTIPLY:
		EACH((uint64_t)a[i] * (uint64_t)b[i]);
		break;
	case OPERATION_DIVIDE:
		EACH(divide(a[i], b[i]));
		break;
	case OPERATION_REMAINDER:
		EACH(remainder_of(a[i], b[i]));
		break;
	default:
		break;
	}
}

static void kernel_ids(const struct events *events, int64_t *a)
{
	const struct data_batch *batch = events->batch;
	uint32_t known = 0, id = 0;
	for (uint32_t i = 0; i < events->count; i++) {
		uint32_t thread = batch->thread[events->first + i];
		if (i == 0 || thread != known) {
			known = thread;
			id = kernel_thread(&events->expression->threads, batch->experiment->number, thread);
		}
		a[i] = id;
	}
}

/* The experiments of a group were loaded one after another. */
static int64_t comparable_number(const struct expression_setting *setting, const struct loaded_experiment *experiment)
{
	uint32_t own = (uint32_t)(experiment - setting->data->experiments), first = own;
	if (!setting->compared || !setting->group)
		return experiment->number;
	while (first && setting->group[first - 1] == setting->group[own])
		first--;
	return own - first + 1;
}

/* Events of a thread come in the order of time, so that most are in the stretch of the one before. */
static void sample_numbers(const struct events *events, bool comparable, int64_t *a)
{
	const struct data_batch *batch = events->batch;
	const struct process_samples *samples = &batch->experiment->samples;
	int64_t base = comparable ? comparable_number(events->expression->setting, batch->experiment) << 32 : 0;
	uint64_t from = 1, to = 0; /* of the stretch: none yet */
	uint32_t number = 0;
	for (uint32_t i = 0; i < events->count; i++) {
		uint64_t time = batch->time[events->first + i];
		if (time < from || time >= to) {
			number = process_samples_at(samples, time);
			from = number ? samples->points[number - 1].time : 0;
			to = number < samples->count ? samples->points[number].time : UINT64_MAX;
		}
		a[i] = base | number;
	}
}

static void heap_or_io_bytes(const struct events *events, int64_t *a)
{
	const struct data_batch *batch = events->batch;
	const uint64_t *bytes = events->kind == KIND_HEAP ? batch->field[FIELD_INDEX(HEAP, size)]
				: events->kind == KIND_IO ? batch->field[FIELD_INDEX(IO, bytes)]
							  : 0;
	for (uint32_t i = 0; i < events->count; i++)
		a[i] = bytes ? (int64_t)bytes[events->first + i] : 0;
}

/* When a call of this kind began; 0 for events of other kinds. */
static void requests(const struct events *events, int kind, int64_t *a)
{
	if (events->kind == kind)
		event_times(kind, events->batch, events->first, events->count, false, a);
	else
		memset(a, 0, events->count * sizeof *a);
}

static void keyword(const struct events *events, enum event_keyword which, int64_t *a)
{
	const struct data_batch *batch = events->batch;
	const struct expression *expression = events->expression;
	const struct expression_setting *setting = expression->setting;
	const struct loaded_experiment *experiment = batch->experiment;
	uint32_t count = events->count, first = events->first;
	const uint32_t *stack = batch->stack + first;
	switch (which) {
	case KEYWORD_THRID:
		EACH(batch->thread[first + i]);
		break;
	case KEYWORD_LWPID:
		kernel_ids(events, a);
		break;
	case KEYWORD_CPUID:
		EACH(batch->cpu[first + i]);
		break;
	case KEYWORD_TSTAMP:
		EACH(batch->time[first + i]);
		break;
	case KEYWORD_SAMPLE:
	case KEYWORD_SAMPLE_MAP:
		sample_numbers(events, which == KEYWORD_SAMPLE_MAP, a);
		break;
	case KEYWORD_EXPID:
		EACH(experiment->number);
		break;
	case KEYWORD_EXPID_CMP:
		EACH(comparable_number(setting, experiment));
		break;
	case KEYWORD_EXPGRID:
		EACH(setting->group ? setting->group[experiment - setting->data->experiments] : 1);
		break;
	case KEYWORD_PID:
		EACH(experiment->file->process.pid);
		break;
	case KEYWORD_TSTAMP_LO:
		event_times(events->kind, batch, first, count, false, a);
		break;
	case KEYWORD_TSTAMP_HI:
	case KEYWORD_TSTAMP2:
	case KEYWORD_ETSTAMP:
		event_times(events->kind, batch, first, count, true, a);
		break;
	case KEYWORD_SRQST:
		requests(events, KIND_SYNC, a);
		break;
	case KEYWORD_IORQST:
		requests(events, KIND_IO, a);
		break;
	case KEYWORD_IOHEAPBYTES:
		heap_or_io_bytes(events, a);
		break;
	case KEYWORD_STACKID:
	case KEYWORD_FRINFO:
		EACH(stack[i]);
		break;
	case KEYWORD_LEAFPC:
	case KEYWORD_VIRTPC:
		EACH(stack[i] < expression->stack_count ? expression->leaf_address[stack[i]] : 0);
		break;
	case KEYWORD_LEAF_FUNCTION:
		EACH(stack[i] < expression->stack_count ? expression->leaf_function[stack[i]] : 0);
		break;
	case KEYWORD_VADDR:
	case KEYWORD_DOBJ:
	case KEYWORD_DMEMBER:
	case KEYWORD_IOFILE:
	case KEYWORD_MCOMM:
		expression_object_values(expression, which, events->kind, batch, first, count, a);
		break;
	case KEYWORD_HLEAKED:
	case KEYWORD_HFREED:
	case KEYWORD_HCUR_NET_ALLOC:
	case KEYWORD_HCUR_ALLOCS:
	case KEYWORD_HCUR_LEAKS:
	case KEYWORD_HMEM_USAGE:
		expression_heap_values(expression, which, events->kind, batch, first, count, a);
		break;
	case KEYWORD_SPACE:
	case KEYWORD_APPEARANCE:
	case KEYWORD_PHASE:
		expression_space_values(expression, which, events->kind, batch, first, count, a);
		break;
	case KEYWORD_OMPSTATE:
	case KEYWORD_CPRID:
	case KEYWORD_PPRID:
	case KEYWORD_TSKID:
	case KEYWORD_PTSKID:
	case KEYWORD_PRPC:
	case KEYWORD_PARREG:
		expression_openmp_values(expression, which, events->kind, batch, first, count, a);
		break;
	case KEYWORD_WCPU:
	case KEYWORD_ULCK:
	case KEYWORD_TSLP:
	case KEYWORD_TFLT:
	case KEYWORD_DFLT:
	case KEYWORD_TSTP:
		expression_state_values(which, events->kind, batch, first, count, a);
		break;
	case KEYWORD_MRANK:
	case KEYWORD_MPEER:
	case KEYWORD_MCRITICAL:
		expression_mpi_values(expression, which, events->kind, batch, first, count, a);
		break;
	case KEYWORD_COUNT:
		break;
	}
}

/* The place of a field in events of this kind, -1 if they lack it. */
static int field_index(const struct events *events, int64_t field)
{
	if (events->kind < 0 || events->kind >= KIND_COUNT)
		return -1;
	return events->expression->fields[field].index[events->kind];
}

static void stack_test(const struct events *events, int64_t test, int64_t *a)
{
	const struct expression *expression = events->expression;
	const uint32_t *stack = events->batch->stack + events->first;
	const uint8_t *holds = expression->tests[test].holds;
	uint32_t count = events->count;
	EACH(stack[i] < expression->stack_count ? holds[stack[i]] : 0);
}

/* Leaves the values of a node in column `slot`; the columns above it are free. */
static void evaluate(const struct events *events, uint32_t index, uint32_t slot)
{
	const struct expression_node *node = &events->expression->nodes[index];
	int64_t *a = events->columns[slot], *b = a + EXPRESSION_CHUNK;
	uint32_t count = events->count;
	const uint32_t operands[] = {node->left, node->right, node->third};
	for (unsigned o = 0; o < 3; o++)
		if (operands[o] != NO_NODE)
			evaluate(events, operands[o], slot + o);
	int field;
	switch (node->operation) {
	case OPERATION_NUMBER:
		EACH(node->number);
		break;
	case OPERATION_KEYWORD:
		keyword(events, (enum event_keyword)node->number, a);
		break;
	case OPERATION_FIELD:
		field = field_index(events, node->number);
		if (field >= 0)
			EACH(events->batch->field[field][events->first + i]);
		else
			memset(a, 0, count * sizeof *a);
		break;
	case OPERATION_HAS_FIELD:
		EACH(field_index(events, node->number) >= 0);
		break;
	case OPERATION_STACK_TEST:
		stack_test(events, node->number, a);
		break;
	case OPERATION_OBJECT_TEST:
		expression_object_test(events->expression, &events->expression->patterns[node->number], events->kind,
			events->batch, events->first, count, a);
		break;
	case OPERATION_NOT:
		EACH(!a[i]);
		break;
	case OPERATION_COMPLEMENT:
		EACH(~a[i]);
		break;
	case OPERATION_NEGATE:
		EACH(0 - (uint64_t)a[i]);
		break;
	case OPERATION_CONDITIONAL:
		EACH(a[i] ? b[i] : b[i + EXPRESSION_CHUNK]);
		break;
	default:
		binary(node->operation, a, b, count);
	}
}

const int64_t *expression_evaluate_in(expression_column *columns, const struct expression *expression, int kind,
	const struct data_batch *batch, uint32_t first, uint32_t count)
{
	const struct events events = {expression, columns, batch, kind, first, count};
	evaluate(&events, expression->root, 0);
	return columns[0];
}

const int64_t *expression_evaluate(
	struct expression *expression, int kind, const struct data_batch *batch, uint32_t first, uint32_t count)
{
	return expression_evaluate_in(expression->columns, expression, kind, batch, first, count);
}

expression_column *expression_columns(const struct expression *expression)
{
	return memory_new(expression->nodes[expression->root].slots, sizeof(expression_column));
}

static void find_leaves(struct expression *expression)
{
	const struct expression_setting *setting = expression->setting;
	const struct data *data = setting->data;
	struct frame frames[FRAMES_MAX];
	expression->leaf_function = memory_new(data->stack_count, sizeof *expression->leaf_function);
	expression->leaf_address = memory_new(data->stack_count, sizeof *expression->leaf_address);
	for (uint32_t s = 0; s < data->stack_count; s++) {
		bool code = s && !(data->stacks[s].flags & STACK_ROOT);
		uint32_t root = code || !s ? FUNCTION_TOTAL : resolver_root_function(data->stacks[s].address);
		expression->leaf_function[s] = root == FUNCTION_TOTAL ? FUNCTION_NO_STACK : root;
		if (!code)
			continue;
		uint32_t own = view_mode_stack(setting->mode, data, s);
		bool shown = view_mode_rewrite(setting->mode, frames, resolver_frames(setting->resolver, own, frames));
		uint32_t caller = data->stacks[s].parent;
		expression->leaf_function[s] = shown ? frames[0].function : expression->leaf_function[caller];
		expression->leaf_address[s] =
			shown ? data->addresses[data->stacks[s].address].offset : expression->leaf_address[caller];
	}
}

void expression_prepare(struct expression *expression, const struct expression_setting *setting)
{
	expression->setting = setting;
	free(expression->leaf_function);
	free(expression->leaf_address);
	expression->leaf_function = 0;
	expression->leaf_address = 0;
	/* Resolving can add addresses, never stacks. */
	expression->stack_count = setting->data->stack_count;
	if (expression->uses[KEYWORD_LWPID])
		kernel_threads_read(&expression->threads, setting->data);
	if (expression->uses[KEYWORD_LEAFPC] || expression->uses[KEYWORD_VIRTPC] ||
		expression->uses[KEYWORD_LEAF_FUNCTION])
		find_leaves(expression);
	expression_prepare_mpi(expression);
	expression_prepare_heap(expression);
	expression_prepare_spaces(expression);
	expression_prepare_openmp(expression);
	expression_prepare_objects(expression);
	expression_test_stacks(expression);
}

const struct data_objects *expression_data_objects(const struct expression *expression)
{
	return expression->data_objects;
}
