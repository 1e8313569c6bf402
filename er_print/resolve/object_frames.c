/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A load object as one function: what a hidden one is shown as. */
#include "resolver_state.h"

void resolver_object_frame(struct resolver *resolver, uint32_t object, struct frame *frame)
{
	struct functions *functions = &resolver->functions;
	object = resolver_shown_object(resolver, object, 0);
	uint32_t function = functions_inlined(
		functions, &(struct function_facts){.object = object, .name = resolver_object_name(resolver, object)});
	functions->array[function]->artificial = true;
	*frame = (struct frame){.function = function,
		.own = function,
		.line = functions_line(functions, function, 0, NO_LINE),
		.address = UINT32_MAX};
}
