/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data of an MPI timeline, for its script: numbers (data_bytes.h), deflated, in base64.

   The beginning of all lanes, how long they are; the numbers of lanes, pieces and messages. Of each lane its beginning from there,
   its length and its number of pieces; of each piece its distance from the end of the one before (or the lane's beginning), its
   length and its kind. Of each message, in the order of sending, the distance of its sending from the one before, when it was
   received, and both lanes. Times are ns. */
#ifndef TIMELINE_DATA_H
#define TIMELINE_DATA_H

#include "mpi_lanes.h"
#include <stdio.h>

void timeline_data_write(FILE *file, const struct mpi_lanes *lanes);

#endif
