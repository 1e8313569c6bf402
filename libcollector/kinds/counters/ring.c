/* SPDX-License-Identifier: Apache-2.0 */
/* Asking for them: see ring.h. */
#include "ring.h"

uint64_t ring_sample_type(const struct overflow_counter *wanted)
{
	uint64_t type = PERF_SAMPLE_IP;
	if (wanted->kernel_stack)
		type |= PERF_SAMPLE_CALLCHAIN;
	if (wanted->memory)
		type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT;
	/* Not PERF_SAMPLE_PERIOD: with it the kernel writes every event of its own, whatever the interval. */
	if (wanted->delivery == DELIVERY_LATER)
		type |= PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	return type;
}

void ring_ask(struct perf_event_attr *attributes, const struct overflow_counter *wanted)
{
	attributes->sample_type = ring_sample_type(wanted);
	attributes->exclude_callchain_user = wanted->kernel_stack != 0;
	if (wanted->delivery != DELIVERY_LATER)
		return;
	attributes->sample_regs_user = PERF_REGISTERS;
	attributes->sample_stack_user = STACK_COPY;
}
