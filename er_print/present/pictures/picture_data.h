/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The whole tree of a picture for its script (tree_data.js reads it), also what is too thin to be drawn. Bytes in base64, where a
   number has as many groups of seven bits as it needs, the lowest first, each but the last with the bit 128 (LEB128):

     texts   their number; of each: how many bytes it has of the one before, how many of its own, and these
     kinds   of frames, a function in a colour, in the order of the functions' names. Their number; of each: the number of its
             name among the texts, and red, green and blue, a byte each
     nodes   whose inclusive value is not 0, in preorder, siblings in the order of their names. Their number; of each:
             0 if its parent is the node before, n if that is the n-th ancestor of the node before; its kind; its exclusive value */
#ifndef PICTURE_DATA_H
#define PICTURE_DATA_H

#include "picture.h"

void picture_data_write(const struct picture *picture);

#endif
