/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command pprof: the profile in the format of pprof, gzip of a message Profile of its proto/profile.proto. A path by
   instruction is a sample; inlined functions are lines of the location that they were inlined into. Addresses are those in the
   files of load objects, which get places of their own one after another, as processes have them in different ones. */
#include "command_functions.h"
#include "commands_title.h"
#include "number_map.h"
#include "pprof_fields.h"
#include "profile_export.h"
#include "protobuf.h"
#include "strings.h"
#include "xml_character.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { PAGE = 4096 };
struct pprof {
	struct profile_export *export;
	gzFile file;
	bool good;
	struct strings strings;  /* number 0 is "" */
	struct protobuf message; /* the field of Profile that is being made */
	/* By object: the pages of its code that are on paths, by their addresses in the file, and where the first is placed. */
	struct placed {
		uint64_t first, end, start; /* end: 0: none is on a path */
	} * placed;
	/* By function: 0: it is on no path; else 1 and the file that it is said to be in. */
	uint32_t *met_in;
	struct number_map locations; /* (location of the physical frame's beginning, line and function) -> id */
	uint32_t *location_of;       /* by node: the id of the location that ends with it */
	uint32_t location_count;
};

static uint64_t text(struct pprof *pprof, const char *words)
{
	return strings_number(&pprof->strings, words);
}

static void write_bytes(struct pprof *pprof, const void *bytes, size_t size)
{
	enum { MOST = 1 << 30 };
	const unsigned char *from = bytes;
	while (pprof->good && size) {
		unsigned part = size > MOST ? MOST : (unsigned)size;
		pprof->good = gzwrite(pprof->file, from, part) == (int)part;
		from += part;
		size -= part;
	}
}

/* A field of Profile that is a message. */
static void write_field(struct pprof *pprof, enum profile_field field, const struct protobuf *message)
{
	struct protobuf whole = {.bytes = 0};
	protobuf_message(&whole, field, message);
	write_bytes(pprof, whole.bytes, whole.size);
	protobuf_free(&whole);
}

/* The names that pprof's users know such metrics by; others keep theirs. */
static const char *type_name(const char *metric)
{
	static const struct {
		const char *ours, *theirs;
	} known[] = {{"totalcpu", "cpu"}, {"heapallocbytes", "alloc_space"}, {"heapalloccnt", "alloc_objects"},
		{"heapleakbytes", "inuse_space"}, {"heapleakcnt", "inuse_objects"}, {"sync", "delay"},
		{"syncn", "contentions"}};
	for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
		if (!strcmp(known[i].ours, metric))
			return known[i].theirs;
	return metric;
}

static const char *unit_name(enum metric_unit unit)
{
	return unit == METRIC_NANOSECONDS ? "nanoseconds" : unit == METRIC_BYTES ? "bytes" : "count";
}

/* Fractions are counted in millionths. */
static const char *type_of(struct pprof *pprof, unsigned metric)
{
	const struct metric *row = profile_export_metric(pprof->export, metric);
	const char *name = type_name(row->name);
	return row->unit == METRIC_DECIMAL ? table_text(&pprof->export->texts, "%s_millionths", name) : name;
}

static void make_type(struct pprof *pprof, struct protobuf *type, unsigned metric)
{
	protobuf_clear(type);
	protobuf_number(type, TYPE_TYPE, text(pprof, type_of(pprof, metric)));
	protobuf_number(type, TYPE_UNIT, text(pprof, unit_name(profile_export_metric(pprof->export, metric)->unit)));
}

static void write_types(struct pprof *pprof)
{
	for (unsigned i = 0; i < pprof->export->metric_count; i++) {
		make_type(pprof, &pprof->message, pprof->export->metrics[i]);
		write_field(pprof, PROFILE_SAMPLE_TYPE, &pprof->message);
	}
}

static const struct path_node *node_of(const struct pprof *pprof, uint32_t node)
{
	return &pprof->export->by_pc->nodes[node];
}

/* The code that a node's frame is in; 0: none that has a place. */
static const struct code_address *code_of(const struct pprof *pprof, uint32_t node)
{
	const struct frame *frame = &node_of(pprof, node)->frame;
	const struct data *data = pprof->export->session->data;
	if (!node || frame->address >= data->address_count)
		return 0;
	const struct code_address *code = &data->addresses[frame->address];
	enum load_object_type type = data->objects[code->object].type;
	return type == OBJECT_FILE || type == OBJECT_VDSO ? code : 0;
}

/* Objects one after another, each by the pages that are on paths. */
static void place_objects(struct pprof *pprof)
{
	const struct data *data = pprof->export->session->data;
	for (uint32_t n = 1; n < pprof->export->by_pc->count; n++) {
		const struct code_address *code = code_of(pprof, n);
		struct placed *placed = code ? &pprof->placed[code->object] : 0;
		uint64_t page = code ? code->offset / PAGE * PAGE : 0;
		if (code && (!placed->end || page < placed->first))
			placed->first = page;
		if (code && page + PAGE > placed->end)
			placed->end = page + PAGE;
	}
	uint64_t next = (uint64_t)PAGE * PAGE;
	for (uint32_t o = 0; o < data->object_count; o++)
		if (pprof->placed[o].end) {
			pprof->placed[o].start = next;
			next += pprof->placed[o].end - pprof->placed[o].first + PAGE;
		}
}

static void write_mapping(struct pprof *pprof, uint32_t object)
{
	const struct load_object *of = &pprof->export->session->data->objects[object];
	const struct placed *placed = &pprof->placed[object];
	struct protobuf *message = &pprof->message;
	protobuf_clear(message);
	protobuf_number(message, MAPPING_ID, object + 1ull);
	protobuf_number(message, MAPPING_START, placed->start);
	protobuf_number(message, MAPPING_LIMIT, placed->start + placed->end - placed->first);
	protobuf_number(
		message, MAPPING_OFFSET, resolver_file_offset(pprof->export->session->resolver, object, placed->first));
	protobuf_number(message, MAPPING_FILE, text(pprof, of->path));
	protobuf_number(message, MAPPING_BUILD_ID, text(pprof, of->build_id));
	for (unsigned field = MAPPING_HAS_FUNCTIONS; field <= MAPPING_HAS_INLINES; field++)
		protobuf_number(message, field, 1);
	write_field(pprof, PROFILE_MAPPING, message);
}

/* The first mapping is the program's, as pprof expects; the others follow in the order in which they were met. */
static void write_mappings(struct pprof *pprof)
{
	const struct data *data = pprof->export->session->data;
	const char *program = data->experiment_count ? data->experiments[0].file->process.executable : 0;
	uint32_t first = UINT32_MAX;
	for (uint32_t o = 0; o < data->object_count && first == UINT32_MAX; o++)
		if (pprof->placed[o].end && program && !strcmp(data->objects[o].path, program))
			first = o;
	if (first != UINT32_MAX)
		write_mapping(pprof, first);
	for (uint32_t o = 0; o < data->object_count; o++)
		if (pprof->placed[o].end && o != first)
			write_mapping(pprof, o);
}

/* Assembler functions have lines, but no file that defines them: theirs is that of the first line. */
static void meet(struct pprof *pprof, const struct frame *frame)
{
	struct resolver *resolver = pprof->export->session->resolver;
	uint32_t *met = &pprof->met_in[frame->function], file = resolver_function(resolver, frame->function)->file;
	if (!file && frame->line)
		file = resolver_line(resolver, frame->line)->file;
	if (*met <= 1)
		*met = 1 + file;
}

static void add_line(struct pprof *pprof, struct protobuf *location, uint32_t node)
{
	const struct frame *frame = &node_of(pprof, node)->frame;
	struct protobuf line = {.bytes = 0};
	meet(pprof, frame);
	protobuf_number(&line, LINE_FUNCTION, frame->function + 1ull);
	if (frame->line)
		protobuf_number(&line, LINE_LINE, resolver_line(pprof->export->session->resolver, frame->line)->line);
	protobuf_message(location, LOCATION_LINE, &line);
	protobuf_free(&line);
}

/* Whether a node's frame was inlined into its parent's, at one instruction. */
static bool goes_on(const struct pprof *pprof, uint32_t node)
{
	const struct path_node *own = node_of(pprof, node);
	return node && own->parent && own->frame.inlined &&
	       own->frame.address == node_of(pprof, own->parent)->frame.address;
}

static void write_location(struct pprof *pprof, uint32_t node, uint32_t id)
{
	const struct code_address *code = code_of(pprof, node);
	struct protobuf *message = &pprof->message;
	protobuf_clear(message);
	protobuf_number(message, LOCATION_ID, id);
	if (code) {
		protobuf_number(message, LOCATION_MAPPING, code->object + 1ull);
		const struct placed *placed = &pprof->placed[code->object];
		protobuf_number(message, LOCATION_ADDRESS, placed->start + code->offset - placed->first);
	}
	add_line(pprof, message, node);
	for (uint32_t at = node; goes_on(pprof, at); at = node_of(pprof, at)->parent)
		add_line(pprof, message, node_of(pprof, at)->parent);
	write_field(pprof, PROFILE_LOCATION, message);
}

/* Equal instructions with equal inlined functions are one location, on whatever path; a function without code is one, too. */
static void number_location(struct pprof *pprof, uint32_t node)
{
	const struct frame *frame = &node_of(pprof, node)->frame;
	uint32_t outer = goes_on(pprof, node) ? pprof->location_of[node_of(pprof, node)->parent] : 0;
	bool has_code = code_of(pprof, node) != 0;
	uint64_t key =
		has_code && !outer ? number_pair(UINT32_MAX, frame->address) : number_pair(outer, frame->function);
	uint32_t *place = number_map_place(&pprof->locations, key);
	if (*place == NO_NUMBER)
		*place = ++pprof->location_count;
	pprof->location_of[node] = *place;
}

static void write_locations(struct pprof *pprof)
{
	uint32_t count = pprof->export->by_pc->count;
	/* A parent's number is less than its child's. */
	for (uint32_t n = 1; n < count; n++)
		number_location(pprof, n);
	bool *written = memory_new(pprof->location_count + 1ull, sizeof *written);
	for (uint32_t n = 1; n < count; n++) {
		bool *done = &written[pprof->location_of[n]];
		if (!*done)
			write_location(pprof, n, pprof->location_of[n]);
		*done = true;
	}
	free(written);
}

/* The leaf comes first. */
static void write_sample(struct pprof *pprof, uint32_t node)
{
	struct protobuf path = {.bytes = 0}, values = {.bytes = 0};
	const struct profile_export *export = pprof->export;
	for (uint32_t at = node; at; at = node_of(pprof, at)->parent) {
		protobuf_packed(&path, pprof->location_of[at]);
		while (goes_on(pprof, at))
			at = node_of(pprof, at)->parent;
	}
	for (unsigned i = 0; i < export->metric_count; i++)
		protobuf_packed(&values, export->by_pc->exclusive[export->metrics[i]][node]);
	protobuf_clear(&pprof->message);
	protobuf_message(&pprof->message, SAMPLE_LOCATION, &path);
	protobuf_message(&pprof->message, SAMPLE_VALUE, &values);
	write_field(pprof, PROFILE_SAMPLE, &pprof->message);
	protobuf_free(&path);
	protobuf_free(&values);
}

static void write_functions(struct pprof *pprof)
{
	struct resolver *resolver = pprof->export->session->resolver;
	for (uint32_t f = 0; f < pprof->export->name_count; f++) {
		const struct function *function = resolver_function(resolver, f);
		struct protobuf *message = &pprof->message;
		if (!pprof->met_in[f])
			continue;
		protobuf_clear(message);
		protobuf_number(message, FUNCTION_ID, f + 1ull);
		const char *name = profile_export_name(pprof->export, f);
		protobuf_number(message, FUNCTION_NAME, text(pprof, name));
		/* Where both are the same, pprof shortens what it takes for C++: nothing would be left of <collector>. */
		protobuf_number(message, FUNCTION_SYSTEM_NAME,
			strcmp(function->mangled, name) != 0 ? text(pprof, function->mangled) : 0);
		protobuf_number(message, FUNCTION_FILE, text(pprof, resolver_file(resolver, pprof->met_in[f] - 1)));
		protobuf_number(message, FUNCTION_LINE, function->first_line);
		write_field(pprof, PROFILE_FUNCTION, message);
	}
}

static uint64_t duration_of(const struct session *session)
{
	uint64_t duration = 0;
	for (uint32_t e = 0; e < session->data->experiment_count; e++) {
		const struct experiment *file = session->data->experiments[e].file;
		if (session->data->experiments[e].founder == e && file->end.monotonic > file->start.monotonic)
			duration += file->end.monotonic - file->start.monotonic;
	}
	return duration;
}

/* When, how long, how often: of the first experiment, and of all. */
static void write_facts(struct pprof *pprof)
{
	const struct session *session = pprof->export->session;
	const struct experiment *first = session->data->experiments[0].file;
	struct protobuf type = {.bytes = 0}, facts = {.bytes = 0};
	protobuf_number(&facts, PROFILE_TIME, first->start.realtime);
	protobuf_number(&facts, PROFILE_DURATION, duration_of(session));
	if (first->settings->clock_interval && !session->data->experiments[0].imported.what) {
		protobuf_number(&type, TYPE_TYPE, text(pprof, "cpu"));
		protobuf_number(&type, TYPE_UNIT, text(pprof, "nanoseconds"));
		protobuf_message(&facts, PROFILE_PERIOD_TYPE, &type);
		protobuf_number(&facts, PROFILE_PERIOD, first->settings->clock_interval);
	}
	protobuf_number(
		&facts, PROFILE_COMMENT, text(pprof, commands_title(pprof->export->session, &pprof->export->texts)));
	if (session->filter_text)
		protobuf_number(&facts, PROFILE_COMMENT,
			text(pprof, table_text(&pprof->export->texts, "filter: %s", session->filter_text)));
	protobuf_number(&facts, PROFILE_DEFAULT_TYPE, text(pprof, type_of(pprof, pprof->export->chosen)));
	write_bytes(pprof, facts.bytes, facts.size);
	protobuf_free(&type);
	protobuf_free(&facts);
}

/* Readers refuse a file with a text that is no UTF-8. */
static void write_strings(struct pprof *pprof)
{
	struct protobuf cleaned = {.bytes = 0};
	for (uint32_t s = 0; s < pprof->strings.count; s++) {
		const char *from = pprof->strings.text[s];
		char *copy = memory_new(strlen(from) + 1, 1), *to = copy;
		for (unsigned size; *from; from += size ? size : 1) {
			size = xml_character((const unsigned char *)from);
			memcpy(to, size ? from : "?", size ? size : 1);
			to += size ? size : 1;
		}
		protobuf_clear(&cleaned);
		protobuf_bytes(&cleaned, PROFILE_STRING, copy, (size_t)(to - copy));
		write_bytes(pprof, cleaned.bytes, cleaned.size);
		free(copy);
	}
	protobuf_free(&cleaned);
}

static void write_all(struct pprof *pprof)
{
	text(pprof, "");
	write_types(pprof);
	place_objects(pprof);
	write_mappings(pprof);
	write_locations(pprof);
	for (uint32_t n = 0; n < pprof->export->by_pc->count; n++)
		if (profile_export_counts(pprof->export, pprof->export->by_pc, n))
			write_sample(pprof, n);
	write_functions(pprof);
	write_facts(pprof);
	write_strings(pprof);
}

static bool write_pprof(struct profile_export *export, FILE *file)
{
	uint32_t objects = export->session->data->object_count, nodes = export->by_pc->count;
	struct pprof pprof = {.export = export,
		.good = true,
		.file = gzdopen(dup(fileno(file)), "wb"),
		.placed = memory_new(objects, sizeof *pprof.placed),
		.met_in = memory_new(export->name_count, sizeof *pprof.met_in),
		.location_of = memory_new(nodes, sizeof *pprof.location_of)};
	if (pprof.file)
		write_all(&pprof);
	bool good = pprof.file && gzclose(pprof.file) == Z_OK && pprof.good;
	number_map_free(&pprof.locations);
	strings_free(&pprof.strings);
	protobuf_free(&pprof.message);
	free(pprof.placed);
	free(pprof.met_in);
	free(pprof.location_of);
	return good;
}

bool command_pprof(struct session *session, unsigned argc, char **argv)
{
	if (!argc || !*argv[0])
		return session_error(session, "pprof needs the name of the file to write, or -");
	return profile_export_run(session, argv[0], true, write_pprof);
}
