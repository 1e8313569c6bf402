/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a file of another tool, whichever format it has, and makes experiments of it. */
#include "data_tables.h"
#include "folded.h"
#include "import_input.h"
#include "imported_experiments.h"
#include "perf_script.h"
#include "pprof_profile.h"
#include "sample_feed.h"
#include <stdlib.h>
#include <string.h>

static void read_folded(struct imported_profile *profile, struct import_input *input)
{
	struct folded folded;
	char *line;
	ssize_t length;
	folded_begin(&folded, profile);
	for (uint64_t number = 1; (length = import_input_line(input, &line)) >= 0; number++)
		folded_take(&folded, line, (size_t)length, number);
	folded_end(&folded);
}

static void read_perf_script(struct imported_profile *profile, struct import_input *input)
{
	struct perf_script script;
	char *line;
	ssize_t length;
	perf_script_begin(&script, profile);
	for (uint64_t number = 1; (length = import_input_line(input, &line)) >= 0; number++)
		perf_script_take(&script, line, (size_t)length, number);
	perf_script_end(&script);
}

static void read_feed(struct imported_profile *profile, struct import_input *input)
{
	struct sample_feed feed;
	char *line;
	ssize_t length;
	sample_feed_begin(&feed, profile);
	for (uint64_t number = 1; (length = import_input_line(input, &line)) >= 0; number++)
		sample_feed_take(&feed, line, (size_t)length, number);
	sample_feed_end(&feed);
}

static bool read_pprof(
	struct imported_profile *profile, struct import_input *input, const char *path, struct error *error)
{
	size_t size;
	const unsigned char *bytes = import_input_rest(input, &size, error);
	return bytes && import_input_good(input, error) &&
	       (pprof_read(profile, bytes, size, error) || error_context(error, "%s", path));
}

static bool read_file(
	struct imported_profile *profile, struct import_input *input, const char *path, struct error *error)
{
	enum { SEEN = 4096 };
	unsigned char start[SEEN + 1];
	size_t size = import_input_peek(input, start, SEEN);
	if (size >= 8 && !memcmp(start, "PERFILE2", 8))
		return error_set(error,
			"%s: is what perf record writes: import what `perf script -F +pid -i %s` prints", path, path);
	if (pprof_begins(start, size))
		return read_pprof(profile, input, path, error);
	start[size] = 0;
	char *line = (char *)start + strspn((char *)start, " \t\r\n");
	while (line > (char *)start && line[-1] != '\n')
		line--;
	line[strcspn(line, "\n")] = 0;
	if (sample_feed_begins(line))
		read_feed(profile, input);
	else if (perf_script_begins(line))
		read_perf_script(profile, input);
	else
		read_folded(profile, input);
	return true;
}

bool data_import(struct data *data, const char *path, struct error *error)
{
	if (data_is_loaded(data, path))
		return true;
	struct import_input *input = import_input_open(path, error);
	if (!input)
		return false;
	struct imported_profile *profile = imported_profile_create();
	bool read = read_file(profile, input, path, error) && import_input_good(input, error);
	import_input_close(input);
	if (read && !profile->event_count)
		read = error_set(error,
			"%s: there is nothing in it that can be imported: folded stacks (frames separated by "
			"semicolons, a blank, "
			"a count), what perf script prints, a profile of pprof, or a feed of samples",
			path);
	if (read && !imported_scale_counts(profile))
		read = error_set(error, "%s: the sum of its counts is too large", path);
	if (read)
		imported_experiments_add(data, path, profile);
	imported_profile_free(profile);
	return read;
}
