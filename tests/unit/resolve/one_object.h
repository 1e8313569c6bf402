/* SPDX-License-Identifier: Apache-2.0 */
/* Data with a single load object, made by hand, for tests that ask about addresses of a file. */
#ifndef ONE_OBJECT_H
#define ONE_OBJECT_H

#include "data_tables.h"
#include "resolver.h"

struct one_object {
	struct data *data;
	struct resolver *resolver;
	uint32_t object;
};

static inline struct one_object one_object_open(const char *path, const char *build_id)
{
	struct one_object one = {.data = data_create()};
	one.object = data_object(one.data,
		&(struct load_object){.type = OBJECT_FILE, .path = path, .build_id = build_id, .checksum = ""});
	one.resolver = resolver_create(one.data);
	return one;
}

static inline void one_object_close(struct one_object *one)
{
	resolver_destroy(one->resolver);
	data_destroy(one->data);
}

#endif
