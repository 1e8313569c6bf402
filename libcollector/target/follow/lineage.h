/* SPDX-License-Identifier: Apache-2.0 */
/* Which experiment a process records into: the founder's directory for lineage "", FOUNDER/LINEAGE.er for a descendant. */
#ifndef LINEAGE_H
#define LINEAGE_H

#include "text.h"
#include <stdbool.h>
#include <stdint.h>

/* Begins recording as LINEAGE (the settings are loaded). If that experiment is another process's already, which happens
   below a process that could not be followed itself, a new name under it is taken. */
bool lineage_start(const char *lineage);

/* Appends LETTER and NUMBER ("_f3") to a lineage. */
void lineage_append(struct text *lineage, char letter, uint64_t number);

/* Names of this process's next descendants. A number is used once, whether the call succeeds or not. */
uint64_t lineage_next_fork(void);
uint64_t lineage_next_exec(void);
/* The exec that took NUMBER failed: it is used again unless a later one was taken. */
void lineage_exec_failed(uint64_t number);
/* In a new process image or fork child: numbers begin again. */
void lineage_reset(void);

#endif
