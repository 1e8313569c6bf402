/* SPDX-License-Identifier: Apache-2.0 */
/* A log whose last line is cut, because the disk was full, reads as damaged. */
#ifndef CUT_LINE_H
#define CUT_LINE_H

/* Takes such a line off the log of an experiment that nobody writes any more, and says so. */
void cut_line_drop(const char *experiment);

#endif
