/* SPDX-License-Identifier: GPL-3.0-or-later */
/* States by construct and by stack. */
#include "omp_state.h"

enum omp_state omp_state_at(uint64_t construct)
{
	switch (construct) {
	case STATE_VALUE(OPENMP, construct, explicit_barrier):
		return OMP_EXPLICIT_BARRIER;
	case STATE_VALUE(OPENMP, construct, reduction):
	case STATE_VALUE(OPENMP, construct, internal_barrier):
		return OMP_REDUCTION;
	case STATE_VALUE(OPENMP, construct, critical):
		return OMP_CRITICAL;
	case STATE_VALUE(OPENMP, construct, lock):
		return OMP_LOCK;
	case STATE_VALUE(OPENMP, construct, ordered):
	case STATE_VALUE(OPENMP, construct, doacross):
		return OMP_ORDERED;
	case STATE_VALUE(OPENMP, construct, atomic):
		return OMP_ATOMIC;
	case STATE_VALUE(OPENMP, construct, taskwait):
	case STATE_VALUE(OPENMP, construct, taskgroup):
		return OMP_TASKWAIT;
	default:
		return OMP_IMPLICIT_BARRIER;
	}
}

enum omp_state omp_state_of_stack(const struct data *data, uint32_t stack)
{
	const struct stack *leaf = &data->stacks[stack];
	if (!stack || leaf->flags & STACK_ROOT)
		return OMP_NONE;
	const struct code_address *address = &data->addresses[leaf->address];
	uint64_t state = address->offset - OMP_OFFSET(OMP_NONE);
	return address->object == OBJECT_INDEX_TOTAL && state < OMP_STATES ? (enum omp_state)state : OMP_NONE;
}
