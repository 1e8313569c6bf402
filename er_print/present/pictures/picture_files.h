/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The style and the scripts of pictures: the files of these names as text. */
#ifndef PICTURE_FILES_H
#define PICTURE_FILES_H

extern const char picture_style[];
extern const char tree_data_script[], tree_view_script[], tree_search_script[], svg_viewer_script[], svg_input_script[];

#endif
