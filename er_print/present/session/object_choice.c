/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Load objects by name, and how they are shown. */
#include "object_choice.h"
#include "base_name.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_named(struct session *session, uint32_t object, const char *name, size_t length)
{
	const char *path = session->data->objects[object].path;
	const char *names[] = {path, base_name(path), resolver_object_name(session->resolver, object)};
	for (unsigned n = 0; n < 3; n++)
		if (strlen(names[n]) == length && !strncmp(names[n], name, length))
			return true;
	return false;
}

/* All builds of an object that are shown together. */
static void set_builds(struct session *session, uint32_t object, enum object_expansion expansion)
{
	struct object_choice *choice = &session->object_choice;
	uint32_t builds, shown = resolver_shown_object(session->resolver, object, &builds);
	choice->expansion[object] = expansion;
	for (uint32_t o = 0; builds > 1 && o < choice->count; o++)
		if (resolver_shown_object(session->resolver, o, 0) == shown)
			choice->expansion[o] = expansion;
}

/* One name of a list. The object that holds <Total> is none that could be hidden. */
static bool set_one(struct session *session, const char *name, size_t length, enum object_expansion expansion)
{
	struct object_choice *choice = &session->object_choice;
	bool all = length == 3 && !strncasecmp(name, "all", 3), found = all;
	for (uint32_t o = 0; o < choice->count; o++)
		if (session->data->objects[o].type != OBJECT_TOTAL && (all || is_named(session, o, name, length))) {
			set_builds(session, o, expansion);
			found = true;
		}
	return found;
}

bool object_choice_set(struct session *session, const char *names, enum object_expansion expansion, bool quiet)
{
	bool good = true;
	for (const char *name = names; *name;) {
		size_t length = strcspn(name, ",");
		if (!set_one(session, name, length, expansion)) {
			good = false;
			if (!quiet)
				session_error(session, "Unknown load object: `%.*s'", (int)length, name);
		}
		name += length + (name[length] == ',');
	}
	struct object_choice *choice = &session->object_choice;
	choice->any = false;
	for (uint32_t o = 0; o < choice->count; o++)
		choice->any |= choice->expansion[o] != OBJECT_SHOWN;
	return good;
}

static void apply_defaults(struct session *session)
{
	const struct object_choice *choice = &session->object_choice;
	for (unsigned d = 0; d < choice->default_count; d++)
		object_choice_set(session, choice->defaults[d].names, choice->defaults[d].expansion, true);
}

void object_choice_extend(struct session *session)
{
	struct object_choice *choice = &session->object_choice;
	uint32_t count = session->data->object_count, old = choice->count;
	enum object_expansion *before = choice->expansion;
	choice->expansion = memory_new(count, sizeof *choice->expansion);
	choice->count = count;
	apply_defaults(session);
	if (old)
		memcpy(choice->expansion, before, old * sizeof *before);
	free(before);
	for (uint32_t o = 0; o < count; o++)
		choice->any |= choice->expansion[o] != OBJECT_SHOWN;
}

void object_choice_reset(struct session *session)
{
	object_choice_set(session, "all", OBJECT_SHOWN, true);
	apply_defaults(session);
}

void object_choice_add_default(struct object_choice *choice, const char *names, enum object_expansion expansion)
{
	choice->defaults = memory_room(choice->defaults, choice->default_count, sizeof *choice->defaults);
	choice->defaults[choice->default_count++] = (struct object_default){strdup(names), expansion};
}

void object_choice_forget(struct object_choice *choice)
{
	free(choice->expansion);
	choice->expansion = 0;
	choice->count = 0;
	choice->any = false;
}

void object_choice_free(struct object_choice *choice)
{
	for (unsigned d = 0; d < choice->default_count; d++)
		free(choice->defaults[d].names);
	free(choice->defaults);
	free(choice->expansion);
}
