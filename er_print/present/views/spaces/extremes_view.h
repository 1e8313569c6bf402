/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A part of the command space: the appearances of a class with the worst and the best rates. */
#ifndef EXTREMES_VIEW_H
#define EXTREMES_VIEW_H

#include "space_report.h"

/* For each counter of which the rates differ and one is better than the other; nothing if there is none. */
void extremes_view_show(const struct space_report *report, uint32_t class);

#endif
