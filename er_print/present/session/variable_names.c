/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches load objects for variables. */
#include "variable_names.h"
#include "address_space.h"
#include "session.h"

#include <inttypes.h>
#include <stdlib.h>

void variable_names_free(struct variable_names *names)
{
	for (uint32_t e = 0; e < names->count; e++)
		address_space_free(names->spaces[e]);
	free(names->spaces);
	*names = (struct variable_names){.spaces = 0};
}

static const struct address_space *space_of(struct session *session, uint32_t experiment)
{
	struct variable_names *names = &session->variable_names;
	if (!names->spaces) {
		names->count = session->data->experiment_count;
		names->spaces = memory_new(names->count, sizeof *names->spaces);
	}
	if (!names->spaces[experiment])
		names->spaces[experiment] = address_space_read(session->data, session->resolver, experiment);
	return names->spaces[experiment];
}

const char *variable_name_at(struct session *session, struct table *table, uint64_t process, uint64_t address)
{
	uint32_t object;
	uint64_t offset;
	if (process < 1 || process > session->data->experiment_count)
		return 0;
	/* At the time 0 all that was ever mapped counts. */
	if (!address_space_object(space_of(session, (uint32_t)process - 1), address, 0, &object, &offset))
		return 0;
	const struct data_variable *variable = resolver_variable(session->resolver, object, offset);
	if (!variable)
		return 0;
	uint32_t member = data_variable_member(variable, offset);
	if (member != NO_MEMBER)
		return table_text(table, "%s%s", variable->name, variable->members[member].path);
	return offset == variable->start ? table_text(table, "%s", variable->name)
					 : table_text(table, "%s+0x%" PRIx64, variable->name, offset - variable->start);
}
