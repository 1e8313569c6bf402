/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file that a command writes for another tool. */
#ifndef EXPORT_FILE_H
#define EXPORT_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* Whether the path stands for standard output: "-". */
bool export_file_is_standard(const char *path);
/* Opens the file anew; "-": standard output. Text is kept free of control characters and of what is no UTF-8. Until
   export_file_close(), an interruption removes the file. The path must live as long. 0 and errno if it cannot be opened. */
FILE *export_file_open(const char *path, bool binary);
/* Returns 0 if all was written, else errno. */
int export_file_close(FILE *file);

#endif
