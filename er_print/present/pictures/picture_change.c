/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says and colours changes. */
#include "picture_change.h"
#include "picture_value.h"

#include <math.h>
#include <stdlib.h>

static const struct colour neutral = {255, 255, 255}, safe_neutral = {247, 247, 247}, safe_more = {239, 138, 98},
			   safe_less = {103, 169, 207};
/* The lightest shade is by so much darker than white: a frame that has changed is never white. */
static const double lightest = 210;

static struct colour between(struct colour from, struct colour to, double share)
{
	return (struct colour){(unsigned char)lround(from.red + (to.red - from.red) * share),
		(unsigned char)lround(from.green + (to.green - from.green) * share),
		(unsigned char)lround(from.blue + (to.blue - from.blue) * share)};
}

static struct change change_of(const struct picture *picture, uint32_t node)
{
	return difference_change(picture->options->difference, node, picture->options->setting->exclusive_change);
}

/* By how much a node has changed as its colour shows it; 0 is neutral. */
static double coloured_change(const struct picture *picture, uint32_t node)
{
	struct change change = change_of(picture, node);
	double by = change.after - change.before;
	return change.within ? 0 : fmax(-picture->most, fmin(picture->most, by));
}

struct colour picture_change_colour(const struct picture *picture, uint32_t node)
{
	const double by = coloured_change(picture, node), most = picture->most;
	const bool safe = picture->options->setting->safe;
	if (!(fabs(by) > 0))
		return safe ? safe_neutral : neutral;
	if (safe)
		return between(safe_neutral, by > 0 ? safe_more : safe_less, fabs(by) / most);
	/* As flamegraph.pl's function color_scale has it. */
	unsigned char rest = (unsigned char)(lightest * (most - fabs(by)) / most);
	return by > 0 ? (struct colour){255, rest, rest} : (struct colour){rest, rest, 255};
}

void picture_change_pattern(const struct picture *picture)
{
	bool safe = picture->options->setting->safe;
	if (picture->options->difference->missing)
		fprintf(picture->file,
			"<defs><pattern id=\"missing\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" "
			"patternTransform=\"rotate(45)\"><rect width=\"7\" height=\"7\" fill=\"%s\"/>"
			"<path d=\"M0,0V7\" stroke=\"%s\" stroke-width=\"3\"/></pattern></defs>\n",
			safe ? "#eaf2f7" : "#ececff", safe ? "#b5d3e6" : "#c2c2ff");
}

const char *picture_change_sign(const struct picture *picture, uint32_t node)
{
	double by = coloured_change(picture, node);
	if (!node || difference_is_missing(picture->options->difference, node) || !(fabs(by) > 0))
		return "";
	return by > 0 ? "+ " : "- ";
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static const char *amount(const struct picture *picture, char text[PICTURE_VALUE_MAX], double value)
{
	return picture_amount(text, picture->options->setting, &picture->tree->metrics->rows[picture->metric], value);
}

static void write_change(const struct picture *picture, uint32_t node, bool exclusive)
{
	const struct difference_tree *difference = picture->options->difference;
	struct change change = difference_change(difference, node, exclusive);
	uint64_t *const *sums = difference->tree->inclusive;
	double by = change.after - change.before;
	char value[PICTURE_VALUE_MAX];
	fprintf(picture->file, "%s before, %.2f%%; ", amount(picture, value, change.before),
		percent(change.before, (double)sums[DIFFERENCE_BEFORE][0] / difference->parts));
	if (difference_is_missing(difference, node)) {
		fprintf(picture->file, "missing after%s", change.within ? ", within 2 standard errors" : "");
		return;
	}
	fprintf(picture->file, "%s after, %.2f%%; ", amount(picture, value, change.after),
		percent(change.after, (double)sums[DIFFERENCE_AFTER][0] / difference->parts));
	if (!(fabs(by) > 0)) {
		fputs("no change", picture->file);
		return;
	}
	fprintf(picture->file, "%c%s, ", by > 0 ? '+' : '-', amount(picture, value, fabs(by)));
	if (change.before > 0)
		fprintf(picture->file, "%+.2f%%", 100 * by / change.before);
	else
		fputs("new", picture->file);
	fputs(change.within ? ", within 2 standard errors" : "", picture->file);
}

void picture_change_write(const struct picture *picture, uint32_t node)
{
	write_change(picture, node, false);
	if (!picture->options->setting->exclusive_change)
		return;
	fputs("; exclusive: ", picture->file);
	write_change(picture, node, true);
}

void picture_change_total(const struct picture *picture, enum difference_row row)
{
	struct change change = difference_change(picture->options->difference, 0, false);
	double by = change.after - change.before, value = row == DIFFERENCE_BEFORE  ? change.before
							  : row == DIFFERENCE_AFTER ? change.after
										    : fabs(by);
	char text[PICTURE_VALUE_MAX];
	fprintf(picture->file, "%s%s", row != DIFFERENCE_DRAWN ? "" : by < 0 ? "-" : "+", amount(picture, text, value));
}

char *picture_change_legend(const struct picture *picture)
{
	static const char *const widths[PICTURE_DIFFERENCE_COUNT] = {[PICTURE_COLOURED] = "after",
		[PICTURE_BESIDE] = "share of each total",
		[PICTURE_MEAN] = "mean of before and after",
		[PICTURE_CHANGE] = "size of the change"};
	const struct picture_setting *setting = picture->options->setting;
	char *text = 0, value[PICTURE_VALUE_MAX];
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	fprintf(file,
		"Width: %s. Colour: %s change, %s more, %s less, at most %s; %s none, or within 2 standard errors",
		widths[setting->difference], setting->exclusive_change ? "exclusive" : "inclusive",
		setting->safe ? "orange" : "red", setting->safe ? "light blue" : "blue",
		amount(picture, value, picture->most), setting->safe ? "grey" : "white");
	fclose(file);
	return text;
}
