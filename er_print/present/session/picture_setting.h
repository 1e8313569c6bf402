/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How pictures of call trees look. */
#ifndef PICTURE_SETTING_H
#define PICTURE_SETTING_H

#include "error.h"
#include <stdbool.h>
#include <stddef.h>

enum picture_palette {
#define PALETTE(name, family, help) PALETTE_##name,
#include "palettes.def"
	PALETTE_COUNT
};

/* How a picture shows two groups of experiments that are compared. */
enum picture_difference {
	PICTURE_COLOURED, /* what the second has, coloured by the change; what only the first has stands beside it */
	PICTURE_BEFORE,
	PICTURE_AFTER,
	PICTURE_MEAN,   /* both, coloured by the change */
	PICTURE_CHANGE, /* by how much they differ */
	PICTURE_BESIDE, /* before, after and the change, side by side */
	PICTURE_DIFFERENCE_COUNT
};

/* The order of what is called by one frame. */
enum picture_order { PICTURE_BY_NAME, PICTURE_HEAVIEST, PICTURE_BY_TIME, PICTURE_ORDER_COUNT };

/* Whether there is one picture, or one for each part of what is loaded. */
enum picture_each {
	PICTURE_EACH_ALL,
	PICTURE_EACH_PROCESS,
	PICTURE_EACH_THREAD,
	PICTURE_EACH_RANK,
	PICTURE_EACH_COUNT
};

/* All zeroes is how pictures look at the beginning. */
struct picture_setting {
	char *title;    /* 0: what is shown of which commands */
	unsigned width; /* pixels; 0: as wide as the window */
	double least; /* frames that are less wide are bundled or left out: pixels, or percent of the total; 0: PICTURE_LEAST */
	bool least_is_percent;
	enum picture_order order;
	enum picture_each each;
	bool joined; /* recursion is one frame */
	enum picture_palette palette;
	char *by;  /* name of the metric whose values PALETTE_exclusive and PALETTE_inclusive show; 0: the drawn one */
	bool safe; /* colours that colour-blind readers tell apart */
	bool silent;   /* without the script */
	unsigned text; /* pixels: the size of names, and rows are as much higher; 0: PICTURE_TEXT */
	double total;  /* of the metric, in the unit that is shown: the picture is at least as wide; 0: as its total */
	double factor; /* values are shown as so many times what they are; 0: once */
	double weight; /* percent of the processes that are drawn, those with the largest totals; 0: all */
	bool mean;     /* values are means over the experiments, else sums */
	unsigned
		mean_of; /* of how many experiments the values of the picture that is drawn are the mean; 0: they are sums */
	char *count; /* the word behind values that have no unit; 0: none */
	enum picture_difference difference;
	bool exclusive_change; /* colours show by how much exclusive values have changed, else inclusive ones */
};
enum { PICTURE_WIDTH = 1200, PICTURE_NARROWEST = 200, PICTURE_WIDEST = 100000 };
enum { PICTURE_TEXT = 11, PICTURE_TEXT_LEAST = 6, PICTURE_TEXT_MOST = 64, PICTURE_COUNT_MOST = 24 };
#define PICTURE_LEAST 0.1 /* pixels */

/* Reads "palette=java:width=1600:title=One day: title": choices with ':' between, of which a title is the last; "default" sets all
   of them back. What is not named stays as it is. False and *error if a word is wrong; then all stays. */
bool picture_setting_parse(struct picture_setting *setting, const char *text, struct error *error);
/* Writes what picture_setting_parse() reads; the caller frees it. */
char *picture_setting_text(const struct picture_setting *setting);
void picture_setting_free(struct picture_setting *setting);
/* The values of the picture that is drawn are multiplied with this where they are shown. */
double picture_factor(const struct picture_setting *setting);
/* The name of a palette, as picture_setting_parse() reads it. */
const char *picture_palette_name(enum picture_palette palette);
/* Likewise that of a form of differences. */
const char *picture_difference_name(enum picture_difference difference);
/* In pixels, before a browser says how wide its window is. */
unsigned picture_width(const struct picture_setting *setting);

#endif
