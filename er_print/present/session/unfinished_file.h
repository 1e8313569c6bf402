/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file that is being written for another tool, which has no use for a part of it. */
#ifndef UNFINISHED_FILE_H
#define UNFINISHED_FILE_H

/* The path must live until the file is finished; 0 or "-": none is written any more. */
void unfinished_file_set(const char *path);
/* Removes it, if there is one; for signal handlers too. */
void unfinished_file_remove(void);

#endif
