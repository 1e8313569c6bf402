/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The whole tree of a picture for its script (tree_data.js reads it), also what is too thin to be drawn: data_bytes.h in base64,

     texts   names
     kinds   of frames, a function in a colour, in the order of the functions' names. Their number; of each: the number of its
             name among the texts, and red, green and blue, a byte each
     nodes   whose inclusive value is not 0, in preorder, siblings in the order of their names. Their number; of each:
             0 if its parent is the node before, n if that is the n-th ancestor of the node before; its kind; its exclusive value */
#ifndef PICTURE_DATA_H
#define PICTURE_DATA_H

#include "picture.h"

void picture_data_write(const struct picture *picture);

#endif
