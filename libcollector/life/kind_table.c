/* SPDX-License-Identifier: Apache-2.0 */
/* The one place that names each kind: from here on they are called by their operations alone (kind.h). */
#include "kind_table.h"

#define KIND(identifier, name, title) extern const struct kind_operations name##_operations;
#include "kinds.def"

const struct kind_operations *const kind_table[KIND_COUNT] = {
#define KIND(identifier, name, title) [KIND_##identifier] = &name##_operations,
#include "kinds.def"
};
