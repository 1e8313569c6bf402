/* SPDX-License-Identifier: Apache-2.0 */
/* The nominal rate of the CPUs, by which cycles become time. */
#ifndef CPU_RATE_H
#define CPU_RATE_H

#include <stdbool.h>
#include <stdint.h>

struct cpu_rate {
	uint64_t kilohertz; /* harmonic mean over the online CPUs; 0: not known */
	bool varies;        /* CPUs differ, or their clock changes with the load */
};
struct cpu_rate cpu_rate_of_machine(void);

#endif
