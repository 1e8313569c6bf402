/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The style and the scripts of pictures: the files of these names as text. */
#ifndef PICTURE_FILES_H
#define PICTURE_FILES_H

extern const char picture_style[], page_style[], page_body[], recurrence_style[], recurrence_script[], heatmap_style[],
	heatmap_script[], timeline_style[];
/* Parts that are written one after another; the last is 0. */
extern const char *const svg_scripts[], *const page_scripts[], *const timeline_scripts[];
/* SHA-256 of the page's style and script, in base64, as policies for the security of contents have it. */
extern const char page_style_hash[], page_script_hash[];

#endif
