/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many cores work at once. */
#ifndef CORES_H
#define CORES_H

enum { CORES_MAX = 64 };
/* How many threads share what can be shared out: at least 1. */
unsigned cores(void);
/* 0: as many as the process may run on. */
void cores_set(unsigned count);

#endif
