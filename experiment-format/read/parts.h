/* SPDX-License-Identifier: Apache-2.0 */
/* The rooms of the reader among themselves: each fills in its part of a struct experiment. */
#ifndef PARTS_H
#define PARTS_H

#include "experiment.h"
#include "storage.h"

/* The parts that experiment.h shows as `private`. */
struct experiment_private {
	struct arena strings;
	bool damage_noted;     /* damage.first is taken, */
	uint64_t damage_place; /* by damage there */
	struct log_head *head;
};

/* The head of log.xml, which holds for a founder and all its descendants: they share it. */
struct log_head {
	int users; /* atomic */
	struct arena strings;
	struct settings settings;
	struct system_info system;
	struct event_source *profiles; /* the kinds: names and fields */
	unsigned profile_count;
	struct tally_value *tallies; /* for a file without a description; their values are 0 */
	size_t tally_count;
};
/* One in which nothing is known. */
struct log_head *log_head_new(void);
/* Makes it the experiment's, in the place of the one that it has. */
void log_head_share(struct experiment *experiment, struct log_head *head);
void log_head_release(struct log_head *head);

static inline struct arena *experiment_strings(struct experiment *experiment)
{
	return &((struct experiment_private *)experiment->private)->strings;
}
static inline struct log_head *experiment_head(const struct experiment *experiment)
{
	return ((const struct experiment_private *)experiment->private)->head;
}

/* Counts a file that could not be opened (errno says why) where there are events, which are nothing without it. After
   sources_read(). */
void part_is_missing(struct experiment *experiment, uint64_t *number, const char *file);
/* Adds to one of experiment->damage's numbers; the first time also says in words what it was. Thread-safe. */
void damage_count(struct experiment *experiment, uint64_t *number, uint64_t n, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Counts damage in a block of events: of several that threads find at once the first in the files is told, whoever comes first. */
void damage_count_in_block(struct experiment *experiment, const struct event_source *source, uint64_t offset,
	uint64_t *number, const char *what);

/* A file's header and description, checked. The text ends with a 0; the caller frees it. */
struct described_file {
	struct file_header header;
	char *text;   /* 0: not usable */
	bool foreign; /* undamaged, of another major version */
};
/* False if nothing was ever written to the file: its writer was killed or found no space when it had just created it. */
bool described_file_begun(int fd);
/* False if they are damaged, cut or of another major version (*error says which). One that may be bare has its content right
   behind a header without a description. */
bool described_file_read(int fd, bool may_be_bare, struct described_file *file, struct error *error);
/* The next line of a description, cut into at most `count` words, the last of which is the rest of the line; missing ones
   are "". Writes zeros into the text. False at its end. */
bool description_line(char **text, const char **words, unsigned count);

/* log.xml: everything it says. False if it says that the experiment is none of ours. A descendant's head is its founder's; where
   that is not open (0) it is read from there. */
bool log_read(struct experiment *experiment, const struct experiment *founder, struct error *error);
/* map.xml */
void map_read(struct experiment *experiment);
/* Its lines about announced code, of the experiment itself and of those whose code it inherited. */
void announced_read(struct experiment *experiment);
/* By its name; one that is not known here is a fact. */
enum tally_class tally_class_of(const char *name);
/* "counters" */
void counters_read(struct experiment *experiment);
/* "mpi" */
void mpi_read(struct experiment *experiment);
/* "stacks": to be called after sources_read, so that it holds the stacks of all events seen there. */
void stacks_read(struct experiment *experiment);
/* Every NAME.events: its fields and where its blocks are. */
void sources_read(struct experiment *experiment);
void sources_free(struct experiment *experiment);
/* Where the fields of our table are among the source's; its kind by its name. */
void source_map_to_table(struct event_source *source);
/* event_source_read of a source in memory. */
bool columns_read(const struct event_source *source, unsigned index, struct event_batch *batch);
/* Room in a batch for so many events with so many fields. */
void event_batch_reserve(struct event_batch *batch, unsigned fields, uint32_t capacity);
/* An experiment of which nothing is known but its path. */
struct experiment *experiment_unknown(const char *path);

/* Where a committed stretch of events lies: what the header said when the experiment was opened. */
struct event_block {
	uint64_t offset;
	uint64_t start;     /* raw time of its header */
	uint32_t used;      /* payload bytes that are there */
	bool verify;        /* sealed and whole: the checksum must hold */
	int damage_counted; /* atomic: several passes read a block, damage is counted once */
};

/* One time triple more: moves experiment->end. */
void triple_seen(struct experiment *experiment, const struct time_triple *triple);

#endif
