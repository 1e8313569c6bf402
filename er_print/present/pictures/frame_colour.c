/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the colours of frames. The hues, and what chooses between them, are those of flamegraph.pl (functions color and
   random_namehash), so that pictures of one profile look alike. */
#include "frame_colour.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum family { WARM, NAME, OBJECT, SCALE, HUE, LANGUAGE };
static const enum family families[PALETTE_COUNT] = {
#define PALETTE(name, family, help) family,
#include "palettes.def"
};

static const struct colour separator = {160, 160, 160}, dash = {200, 200, 200};
/* Okabe and Ito's colours for all readers, without black: the first are for the classes of languages, in their order. */
static const struct colour safe_colours[] = {{204, 121, 167}, {240, 228, 66}, {0, 158, 115}, {86, 180, 233},
	{213, 94, 0}, {0, 114, 178}, {230, 159, 0}, {153, 153, 153}};
enum { SAFE_COLOURS = sizeof safe_colours / sizeof *safe_colours };

static uint64_t name_hash(const char *name)
{
	uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
	return hash ^ (hash >> 29);
}

enum frame_mark frame_mark_of(const char *name, size_t *length)
{
	*length = strlen(name);
	if (*length < 4 || strncmp(name + *length - 4, "_[", 2) != 0 || name[*length - 1] != ']' ||
		!strchr("kijw", name[*length - 2]))
		return MARK_NONE;
	*length -= 4;
	return (enum frame_mark)name[*length + 2];
}

/* The sum of the code points of a name in UTF-8. */
static uint64_t code_points(const char *name)
{
	uint64_t sum = 0, point = 0;
	for (const unsigned char *next = (const unsigned char *)name; *next; next++) {
		point = *next < 0x80   ? *next
			: *next < 0xc0 ? (point << 6 | (*next & 0x3f))
				       : *next & (*next < 0xe0 ? 0x1f : 0x0f);
		if ((next[1] & 0xc0) != 0x80)
			sum += point;
	}
	return sum;
}

/* The first number that drand48() gives after srand48(sum of the code points), which is what Perl's rand() is. */
static double shade_of(const char *name)
{
	const uint64_t bits = (UINT64_C(1) << 48) - 1;
	uint64_t state = ((code_points(name) << 16) | 0x330e) & bits;
	state = (state * UINT64_C(0x5deece66d) + 11) & bits;
	return (double)state / (double)(bits + 1);
}

struct span {
	unsigned char least, more;
};
static const struct hue {
	struct span red, green, blue;
} hues[PALETTE_COUNT] = {
	[PALETTE_hot] = {{205, 50}, {0, 230}, {0, 55}},
	[PALETTE_mem] = {{0, 0}, {190, 50}, {0, 210}},
	[PALETTE_io] = {{80, 60}, {80, 60}, {190, 55}},
	[PALETTE_red] = {{200, 55}, {50, 80}, {50, 80}},
	[PALETTE_green] = {{50, 60}, {200, 55}, {50, 60}},
	[PALETTE_blue] = {{80, 60}, {80, 60}, {205, 50}},
	[PALETTE_yellow] = {{175, 55}, {175, 55}, {50, 20}},
	[PALETTE_purple] = {{190, 65}, {80, 60}, {190, 65}},
	[PALETTE_aqua] = {{50, 60}, {165, 55}, {165, 55}},
	[PALETTE_orange] = {{190, 65}, {90, 65}, {0, 0}},
};

static unsigned char shaded(struct span span, double shade)
{
	return (unsigned char)(span.least + (unsigned)(span.more * shade));
}

static struct colour hue_colour(enum picture_palette palette, const char *name)
{
	const struct hue *hue = &hues[palette];
	double shade = shade_of(name);
	return (struct colour){shaded(hue->red, shade), shaded(hue->green, shade), shaded(hue->blue, shade)};
}

static bool begins_with(const char *name, const char *word)
{
	return !strncmp(name, word, strlen(word));
}

static bool is_java_package(const char *name)
{
	static const char *const packages[] = {"java/", "javax/", "jdk/", "net/", "org/", "com/", "io/", "sun/"};
	for (size_t i = 0; i < sizeof packages / sizeof *packages; i++)
		if (begins_with(name + (*name == 'L'), packages[i]))
			return true;
	return false;
}

static enum picture_palette java_hue(const char *name, enum frame_mark mark)
{
	if (mark == MARK_JIT)
		return PALETTE_green;
	if (mark == MARK_INLINED)
		return PALETTE_aqua;
	if (is_java_package(name) || strstr(name, ":::"))
		return PALETTE_green;
	return mark == MARK_CPLUSPLUS || strstr(name, "::") ? PALETTE_yellow
	       : mark == MARK_KERNEL                        ? PALETTE_orange
							    : PALETTE_red;
}

static enum picture_palette js_hue(const char *name, enum frame_mark mark)
{
	const char *slash = strchr(name, '/');
	if (mark == MARK_JIT)
		return slash ? PALETTE_green : PALETTE_aqua;
	if (mark == MARK_CPLUSPLUS || strstr(name, "::"))
		return PALETTE_yellow;
	if (slash && strstr(slash, ".js"))
		return PALETTE_green;
	if (strchr(name, ':'))
		return PALETTE_aqua;
	return !strcmp(name, " ") ? PALETTE_green : mark == MARK_KERNEL ? PALETTE_orange : PALETTE_red;
}

static enum picture_palette perl_hue(const char *name, enum frame_mark mark)
{
	if (mark == MARK_CPLUSPLUS || strstr(name, "::"))
		return PALETTE_yellow;
	if (strstr(name, "Perl") || strstr(name, ".pl"))
		return PALETTE_green;
	return mark == MARK_KERNEL ? PALETTE_orange : PALETTE_red;
}

static struct colour language_colour(enum picture_palette palette, bool safe, const struct frame_traits *traits)
{
	enum picture_palette hue = palette == PALETTE_java   ? java_hue(traits->name, traits->mark)
				   : palette == PALETTE_js   ? js_hue(traits->name, traits->mark)
				   : palette == PALETTE_perl ? perl_hue(traits->name, traits->mark)
				   : palette == PALETTE_wakeup || traits->mark == MARK_WAKER ? PALETTE_aqua
											     : PALETTE_blue;
	static const enum picture_palette classes[] = {
		PALETTE_red, PALETTE_yellow, PALETTE_green, PALETTE_aqua, PALETTE_orange, PALETTE_blue};
	for (size_t i = 0; safe && i < sizeof classes / sizeof *classes; i++)
		if (classes[i] == hue)
			return safe_colours[i];
	return hue_colour(hue, traits->name);
}

static struct colour warm_colour(const char *name)
{
	uint64_t hash = name_hash(name);
	return (struct colour){(unsigned char)(205 + hash % 50), (unsigned char)(60 + hash / 50 % 140),
		(unsigned char)(hash / 7000 % 55)};
}

/* From hue in degrees, saturation and lightness from 0 to 1. */
static struct colour hsl(unsigned hue, double saturation, double lightness)
{
	double span = saturation * (1 - fabs(2 * lightness - 1)), parts[3];
	for (int i = 0; i < 3; i++) {
		double k = fmod(
			hue / 60.0 + (double)(4 * i % 6) + 2, 6); /* 2, 0, 4 sixths before red, green, blue are full */
		double ramp = k < 1 ? k : k < 3 ? 1 : k < 4 ? 4 - k : 0;
		parts[i] = lightness - span / 2 + span * ramp;
	}
	return (struct colour){(unsigned char)lround(255 * parts[0]), (unsigned char)lround(255 * parts[1]),
		(unsigned char)lround(255 * parts[2])};
}

static struct colour name_colour(const char *name, bool safe)
{
	uint64_t hash = name_hash(name);
	if (safe)
		return safe_colours[hash % SAFE_COLOURS];
	return hsl((unsigned)(hash % 360), 0.55, 0.62 + 0.02 * (double)(hash / 360 % 8));
}

static struct colour object_colour(const struct frame_traits *traits, bool safe)
{
	if (safe)
		return safe_colours[traits->object % SAFE_COLOURS];
	return hsl(traits->hue, 0.55, 0.64 + 0.015 * (double)(name_hash(traits->name) % 8));
}

static unsigned char between(unsigned char from, unsigned char to, double share)
{
	return (unsigned char)lround(from + ((double)to - from) * share);
}

static struct colour mixed(struct colour from, struct colour to, double share)
{
	return (struct colour){between(from.red, to.red, share), between(from.green, to.green, share),
		between(from.blue, to.blue, share)};
}

static struct colour scale_colour(bool safe, bool ratio, double share)
{
	static const struct colour pale = {255, 247, 214}, hot = {222, 45, 38}, deep = {8, 69, 148};
	static const struct colour neutral = {228, 228, 228}, red = {227, 74, 74}, blue = {86, 125, 225},
				   orange = {230, 97, 1}, purple = {123, 95, 175};
	if (!ratio)
		return mixed(pale, safe ? deep : hot, share);
	if (share > 0)
		return mixed(neutral, safe ? orange : red, share);
	return mixed(neutral, safe ? purple : blue, -share);
}

const char *colour_scale_words(bool safe, bool ratio)
{
	if (ratio)
		return safe ? "orange four times as much or more, purple a quarter or less"
			    : "red four times as much or more, blue a quarter or less";
	return safe ? "blue" : "red";
}

/* The function that stands for a state of threads; 0: the name is of none. */
static const struct state_colour {
	const char *name;
	struct colour usual;
	unsigned safe; /* of safe_colours */
} * state_colour(const char *name)
{
	static const struct state_colour all[] = {
#define STATE_FUNCTION(value, name, red, green, blue, safe) {name, {red, green, blue}, safe},
#include "state_functions.def"
#define OMP_FUNCTION(state, name, red, green, blue, safe) {name, {red, green, blue}, safe},
#include "omp_functions.def"
	};
	for (size_t i = 0; *name == '<' && i < sizeof all / sizeof *all; i++)
		if (!strcmp(all[i].name, name))
			return &all[i];
	return 0;
}

struct colour frame_colour(enum picture_palette palette, bool safe, const struct frame_traits *traits)
{
	if (!strcmp(traits->name, "--"))
		return separator;
	if (!strcmp(traits->name, "-"))
		return dash;
	if (traits->waker || traits->mark == MARK_WAKER)
		return safe ? safe_colours[3] : hue_colour(PALETTE_aqua, traits->name);
	const struct state_colour *state = families[palette] == SCALE ? 0 : state_colour(traits->name);
	if (state)
		return safe ? safe_colours[state->safe] : state->usual;
	switch (families[palette]) {
	case NAME:
		return name_colour(traits->name, safe);
	case OBJECT:
		return object_colour(traits, safe);
	case SCALE:
		return scale_colour(safe, traits->ratio, traits->share);
	case HUE:
		return hue_colour(palette, traits->name);
	case LANGUAGE:
		return language_colour(palette, safe, traits);
	case WARM:
		break;
	}
	return warm_colour(traits->name);
}

/* Relative luminance. */
static double luminance(struct colour colour)
{
	const unsigned char parts[] = {colour.red, colour.green, colour.blue};
	static const double weights[] = {0.2126, 0.7152, 0.0722};
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		double part = parts[i] / 255.0;
		sum += weights[i] * (part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
	}
	return sum;
}

bool colour_is_dark(struct colour colour)
{
	/* (L + 0.05) / 0.05 against black is less than 1.05 / (L + 0.05) against white. */
	double light = luminance(colour) + 0.05;
	return light * light < 0.05 * 1.05;
}

static bool is_like(unsigned hue, unsigned other)
{
	enum { NEAR = 16 };
	unsigned distance = hue > other ? hue - other : other - hue;
	return distance < NEAR || 360 - distance < NEAR;
}

void colour_hues(const char *const *names, size_t count, unsigned *hues_found)
{
	enum { STEP = 47, TRIES = 360 / 16 }; /* with more objects than colours, some are alike */
	for (size_t i = 0; i < count; i++) {
		unsigned hue = (unsigned)(name_hash(names[i]) % 360);
		for (unsigned tries = 0, taken = 1; taken && tries < TRIES; tries++) {
			taken = 0;
			for (size_t j = 0; j < i && !taken; j++)
				taken = is_like(hue, hues_found[j]);
			if (taken)
				hue = (hue + STEP) % 360;
		}
		hues_found[i] = hue;
	}
}
