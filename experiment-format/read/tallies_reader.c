/* SPDX-License-Identifier: Apache-2.0 */
/* The file "counters": names from its description, then the values. */
#include "input.h"
#include "parts.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum tally_class tally_class_of(const char *name)
{
	for (unsigned class = 0; class <= TALLY_GUESS; class ++)
		if (!strcmp(name, tally_class_name(class)))
			return class;
	return TALLY_FACT;
}

static void read_values(struct experiment *experiment, int fd, uint64_t offset)
{
	for (size_t i = 0; i < experiment->tally_count; i++) {
		uint64_t *value = &experiment->tallies[i].value;
		if (input_read(fd, value, sizeof(*value), offset + i * sizeof(*value)) < sizeof(*value)) {
			damage_count(experiment, &experiment->damage.bytes_skipped, sizeof(*value), "%s is cut",
				TALLIES_FILE);
			experiment->tally_count = i;
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
		experiment->tallies =
			memory_room(experiment->tallies, experiment->tally_count, sizeof(*experiment->tallies));
		experiment->tallies[experiment->tally_count++] = (struct tally_value){
			.name = arena_string(strings, words[1], strlen(words[1])),
			.class = tally_class_of(words[2]),
			.text = arena_string(strings, words[3], strlen(words[3])),
		};
	}
}

/* Those that log.xml names. */
static void take_named(struct experiment *experiment)
{
	const struct log_head *head = experiment_head(experiment);
	experiment->tally_count = head->tally_count;
	experiment->tallies = memory_new(head->tally_count, sizeof(*experiment->tallies));
	if (head->tally_count)
		memcpy(experiment->tallies, head->tallies, head->tally_count * sizeof(*head->tallies));
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
	int fd = input_open(experiment->path, TALLIES_FILE);
	if (fd < 0)
		return;
	if (described_file_read(fd, true, &file, &error))
		read_file(experiment, fd, &file);
	else if (described_file_begun(fd))
		damage_count(experiment, &experiment->damage.blocks_bad, 1, "%s: %s", TALLIES_FILE, error.text);
	free(file.text);
	close(fd);
}

uint64_t experiment_tally(const struct experiment *experiment, enum tally tally)
{
	for (size_t i = 0; i < experiment->tally_count; i++)
		if (!strcmp(experiment->tallies[i].name, tally_row(tally)->name))
			return experiment->tallies[i].value;
	return 0;
}
