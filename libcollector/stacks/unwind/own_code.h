/* SPDX-License-Identifier: Apache-2.0 */
/* Which code is the collector's own: its frames (wrappers, the start routine of threads) are in no stack. */
#ifndef OWN_CODE_H
#define OWN_CODE_H

#include <stdint.h>

extern uint64_t own_code_start, own_code_size;

/* Learns where this library is. Linked into a program (tests), nothing is the collector's own. */
void own_code_learn(void);

#endif
