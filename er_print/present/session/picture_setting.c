/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and writes the setting. */
#include "picture_setting.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const palette_names[PALETTE_COUNT] = {
#define PALETTE(name, family, help) #name,
#include "palettes.def"
};

static const char *const difference_names[PICTURE_DIFFERENCE_COUNT] = {
	"coloured", "before", "after", "mean", "change", "beside"};

static char *copy_of(const char *text)
{
	return text ? strdup(text) : 0;
}

static bool read_title(struct picture_setting *setting, const char *value)
{
	free(setting->title);
	setting->title = *value ? strdup(value) : 0;
	return true;
}

static bool read_width(struct picture_setting *setting, const char *value)
{
	char *end;
	unsigned long width = isdigit((unsigned char)*value) ? strtoul(value, &end, 10) : 0;
	bool window = !strcasecmp(value, "window");
	setting->width = window ? 0 : (unsigned)width;
	return window || (width >= PICTURE_NARROWEST && width <= PICTURE_WIDEST && !*end);
}

static bool read_least(struct picture_setting *setting, const char *value)
{
	char *end = 0;
	double least = isdigit((unsigned char)*value) || *value == '.' ? strtod(value, &end) : -1;
	setting->least_is_percent = end && *end == '%';
	setting->least = least;
	return least > 0 && least <= 100 && (!*end || !strcmp(end, "%") || !strcasecmp(end, "px"));
}

static bool read_weight(struct picture_setting *setting, const char *value)
{
	char *end = 0;
	bool all = !strcasecmp(value, "all");
	setting->weight = !all && (isdigit((unsigned char)*value) || *value == '.') ? strtod(value, &end) : 0;
	return all || (setting->weight > 0 && setting->weight <= 100 && !strcmp(end, "%"));
}

/* One of two words, of which the second sets. */
static bool read_either(bool *set, const char *value, const char *no, const char *yes)
{
	*set = !strcasecmp(value, yes);
	return *set || !strcasecmp(value, no);
}

static bool read_text(struct picture_setting *setting, const char *value)
{
	char *end = 0;
	unsigned long text = isdigit((unsigned char)*value) ? strtoul(value, &end, 10) : 0;
	setting->text = (unsigned)text;
	return text >= PICTURE_TEXT_LEAST && text <= PICTURE_TEXT_MOST && !*end;
}

/* A number above 0, or the word that stands for 0. */
static bool read_number(double *number, const char *value, const char *none)
{
	char *end = 0;
	bool is_none = !strcasecmp(value, none);
	*number = !is_none && (isdigit((unsigned char)*value) || *value == '.') ? strtod(value, &end) : 0;
	return is_none || (*number > 0 && isfinite(*number) && !*end);
}

static bool read_total(struct picture_setting *setting, const char *value)
{
	return read_number(&setting->total, value, "own");
}

static bool read_factor(struct picture_setting *setting, const char *value)
{
	return read_number(&setting->factor, value, "1");
}

static bool read_count(struct picture_setting *setting, const char *value)
{
	free(setting->count);
	setting->count = *value ? strdup(value) : 0;
	return strlen(value) <= PICTURE_COUNT_MOST;
}

static const char *const order_names[] = {
	[PICTURE_BY_NAME] = "name", [PICTURE_HEAVIEST] = "heaviest", [PICTURE_BY_TIME] = "time"};
static const char *const each_names[] = {[PICTURE_EACH_ALL] = "all",
	[PICTURE_EACH_PROCESS] = "process",
	[PICTURE_EACH_THREAD] = "thread",
	[PICTURE_EACH_RANK] = "rank"};

/* The place of a word in a list; -1: it is not there. */
static int place_of(const char *value, const char *const *names, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (!strcasecmp(value, names[i]))
			return (int)i;
	return -1;
}

static bool read_order(struct picture_setting *setting, const char *value)
{
	int order = place_of(value, order_names, PICTURE_ORDER_COUNT);
	if (order >= 0)
		setting->order = (enum picture_order)order;
	return order >= 0;
}

static bool read_each(struct picture_setting *setting, const char *value)
{
	int each = place_of(value, each_names, PICTURE_EACH_COUNT);
	if (each >= 0)
		setting->each = (enum picture_each)each;
	return each >= 0;
}

static bool read_recursion(struct picture_setting *setting, const char *value)
{
	return read_either(&setting->joined, value, "apart", "joined");
}

static bool read_colours(struct picture_setting *setting, const char *value)
{
	return read_either(&setting->safe, value, "usual", "safe");
}

static bool read_script(struct picture_setting *setting, const char *value)
{
	return read_either(&setting->silent, value, "on", "off");
}

static bool read_change(struct picture_setting *setting, const char *value)
{
	return read_either(&setting->exclusive_change, value, "inclusive", "exclusive");
}

static bool read_experiments(struct picture_setting *setting, const char *value)
{
	return read_either(&setting->mean, value, "sum", "mean");
}

static bool read_palette(struct picture_setting *setting, const char *value)
{
	int palette = place_of(value, palette_names, PALETTE_COUNT);
	if (palette >= 0)
		setting->palette = (enum picture_palette)palette;
	return palette >= 0;
}

static bool read_difference(struct picture_setting *setting, const char *value)
{
	int difference = place_of(value, difference_names, PICTURE_DIFFERENCE_COUNT);
	if (difference >= 0)
		setting->difference = (enum picture_difference)difference;
	return difference >= 0;
}

static bool read_by(struct picture_setting *setting, const char *value)
{
	free(setting->by);
	setting->by = *value && strcasecmp(value, "drawn") != 0 ? strdup(value) : 0;
	return *value;
}

/* In the order in which the setting is written; a title ends the text, whatever is in it. */
static const struct choice {
	const char *name, *takes;
	bool (*read)(struct picture_setting *setting, const char *value);
} choices[] = {{"width", "window or pixels, from 200 to 100000", read_width},
	{"least", "pixels like 0.1, or a part of the total like 0.5%", read_least},
	{"text", "pixels, from 6 to 64", read_text}, {"total", "a number above 0, or own", read_total},
	{"factor", "a number above 0", read_factor}, {"count", "a word of at most 24 bytes", read_count},
	{"order", "name, heaviest or time", read_order}, {"recursion", "apart or joined", read_recursion},
	{"each", "all, process, thread or rank", read_each}, {"experiments", "sum or mean", read_experiments},
	{"weight", "a part of the processes like 5%, or all", read_weight}, {"palette", 0, read_palette},
	{"by", "the name of a metric, or drawn", read_by}, {"colours", "usual or safe", read_colours},
	{"difference", "coloured, before, after, mean, change or beside", read_difference},
	{"change", "inclusive or exclusive", read_change}, {"script", "on or off", read_script},
	{"title", "a text", read_title}};
enum { CHOICES = sizeof choices / sizeof *choices };

static const struct choice *choice_of(const char *word, size_t length)
{
	for (unsigned c = 0; c < CHOICES; c++)
		if (strlen(choices[c].name) == length && !strncasecmp(word, choices[c].name, length))
			return &choices[c];
	return 0;
}

/* The words of a list, as a text that the caller frees. */
static char *listed(const char *(*word)(unsigned index), unsigned count)
{
	char *text = 0;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	for (unsigned i = 0; i < count; i++)
		fprintf(file, "%s%s", i ? ", " : "", word(i));
	fclose(file);
	return text;
}

static const char *choice_word(unsigned index)
{
	return choices[index].name;
}

static const char *palette_word(unsigned index)
{
	return palette_names[index];
}

static bool bad_choice(struct error *error, const char *word)
{
	char *names = listed(choice_word, CHOICES);
	error_set(error,
		"Invalid argument to command: picture %s: it must be default, or CHOICE=VALUE with one of the choices "
		"%s",
		word, names);
	free(names);
	return false;
}

static bool bad_value(struct error *error, const struct choice *choice, const char *word)
{
	char *names = choice->takes ? 0 : listed(palette_word, PALETTE_COUNT);
	error_set(error, "Invalid argument to command: picture %s: it must be %s%s", word, names ? "one of " : "",
		names ? names : choice->takes);
	free(names);
	return false;
}

/* Reads the first word of `text`; *rest: what comes after it, or 0. */
static bool read_word(struct picture_setting *setting, char *text, char **rest, struct error *error)
{
	size_t name = strcspn(text, "=:");
	const struct choice *choice = text[name] == '=' ? choice_of(text, name) : 0;
	char *end = choice && choice->read == read_title ? 0 : strchr(text, ':');
	*rest = end ? end + 1 : 0;
	if (end)
		*end = 0;
	if (!choice && !strcasecmp(text, "default")) {
		picture_setting_free(setting);
		return true;
	}
	if (!choice)
		return bad_choice(error, text);
	return choice->read(setting, text + name + 1) || bad_value(error, choice, text);
}

bool picture_setting_parse(struct picture_setting *setting, const char *text, struct error *error)
{
	struct picture_setting read = *setting;
	read.title = copy_of(setting->title);
	read.by = copy_of(setting->by);
	read.count = copy_of(setting->count);
	char *words = strdup(text), *rest = words;
	bool good = true;
	while (good && rest)
		good = read_word(&read, rest, &rest, error);
	free(words);
	struct picture_setting swap = *setting;
	if (good) {
		*setting = read;
		read = swap;
	}
	picture_setting_free(&read);
	return good;
}

char *picture_setting_text(const struct picture_setting *setting)
{
	char *text = 0;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	if (setting->width)
		fprintf(file, "width=%u", setting->width);
	else
		fputs("width=window", file);
	fprintf(file, ":least=%.6g%s", setting->least > 0 ? setting->least : PICTURE_LEAST,
		setting->least_is_percent ? "%" : "px");
	if (setting->text)
		fprintf(file, ":text=%u", setting->text);
	if (setting->total > 0)
		fprintf(file, ":total=%.15g", setting->total);
	if (setting->factor > 0)
		fprintf(file, ":factor=%.15g", setting->factor);
	if (setting->count)
		fprintf(file, ":count=%s", setting->count);
	if (setting->each)
		fprintf(file, ":each=%s", each_names[setting->each]);
	if (setting->weight > 0)
		fprintf(file, ":weight=%.6g%%", setting->weight);
	if (setting->mean)
		fputs(":experiments=mean", file);
	fprintf(file, ":order=%s:recursion=%s:palette=%s:by=%s:colours=%s:difference=%s:change=%s:script=%s",
		order_names[setting->order], setting->joined ? "joined" : "apart", palette_names[setting->palette],
		setting->by ? setting->by : "drawn", setting->safe ? "safe" : "usual",
		difference_names[setting->difference], setting->exclusive_change ? "exclusive" : "inclusive",
		setting->silent ? "off" : "on");
	if (setting->title)
		fprintf(file, ":title=%s", setting->title);
	fclose(file);
	return text;
}

void picture_setting_free(struct picture_setting *setting)
{
	free(setting->title);
	free(setting->by);
	free(setting->count);
	*setting = (struct picture_setting){0};
}

double picture_factor(const struct picture_setting *setting)
{
	return (setting->factor > 0 ? setting->factor : 1) / (setting->mean_of ? setting->mean_of : 1);
}

const char *picture_palette_name(enum picture_palette palette)
{
	return palette_names[palette];
}

const char *picture_difference_name(enum picture_difference difference)
{
	return difference_names[difference];
}

unsigned picture_width(const struct picture_setting *setting)
{
	return setting->width ? setting->width : PICTURE_WIDTH;
}
