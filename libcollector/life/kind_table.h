/* SPDX-License-Identifier: Apache-2.0 */
/* All kinds of data. */
#ifndef KIND_TABLE_H
#define KIND_TABLE_H

#include "kind.h"

extern const struct kind_operations *const kind_table[KIND_COUNT];

#endif
