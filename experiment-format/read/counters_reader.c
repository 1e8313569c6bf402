/* SPDX-License-Identifier: Apache-2.0 */
/* The file "counters": names from its description, then the values. */
#include "input.h"
#include "parts.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum counter_class counter_class_of(const char *name)
{
	for (unsigned class = 0; class <= COUNTER_GUESS; class ++)
		if (!strcmp(name, counter_class_name(class)))
			return class;
	return COUNTER_FACT;
}

static void read_values(struct experiment *experiment, int fd, uint64_t offset)
{
	for (size_t i = 0; i < experiment->counter_count; i++) {
		uint64_t *value = &experiment->counters[i].value;
		if (input_read(fd, value, sizeof(*value), offset + i * sizeof(*value)) < sizeof(*value)) {
			damage_count(experiment, &experiment->damage.bytes_skipped, sizeof(*value), "%s is cut",
				COUNTERS_FILE);
			experiment->counter_count = i;
			return;
		}
	}
}

static void take_names(struct experiment *experiment, char *text)
{
	struct arena *strings = experiment_strings(experiment);
	const char *words[4];
	while (description_line(&text, words, 4)) {
		if (strcmp(words[0], "counter"))
			continue;
		experiment->counters =
			memory_room(experiment->counters, experiment->counter_count, sizeof(*experiment->counters));
		experiment->counters[experiment->counter_count++] = (struct counter_value){
			.name = arena_string(strings, words[1], strlen(words[1])),
			.class = counter_class_of(words[2]),
			.text = arena_string(strings, words[3], strlen(words[3])),
		};
	}
}

/* Those that log.xml names. */
static void take_named(struct experiment *experiment)
{
	struct experiment_private *private = experiment->private;
	experiment->counters = private->counters;
	experiment->counter_count = private->counter_count;
	private->counters = 0;
	private->counter_count = 0;
}

static void read_file(struct experiment *experiment, int fd, struct described_file *file)
{
	if (file->header.description_size)
		take_names(experiment, file->text);
	else
		take_named(experiment);
	read_values(experiment, fd, file->header.header_size);
}

void counters_read(struct experiment *experiment)
{
	struct described_file file;
	struct error error;
	int fd = input_open(experiment->path, COUNTERS_FILE);
	if (fd < 0)
		return;
	if (described_file_read(fd, true, &file, &error))
		read_file(experiment, fd, &file);
	else if (described_file_begun(fd))
		damage_count(experiment, &experiment->damage.blocks_bad, 1, "%s: %s", COUNTERS_FILE, error.text);
	free(file.text);
	close(fd);
}

uint64_t experiment_counter(const struct experiment *experiment, enum counter counter)
{
	for (size_t i = 0; i < experiment->counter_count; i++)
		if (!strcmp(experiment->counters[i].name, counter_row(counter)->name))
			return experiment->counters[i].value;
	return 0;
}
