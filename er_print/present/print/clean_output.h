/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output of er_print is text: nothing that an experiment or an object file holds can control a terminal or spoil a page. All
   reports and messages go through here, whoever writes them. */
#ifndef CLEAN_OUTPUT_H
#define CLEAN_OUTPUT_H

#include <stdio.h>

/* Puts such streams in the place of standard output and error, before anything was written to them. */
void clean_output_begin(void);
/* Standard output as it was, for what edits lines on a terminal. */
FILE *clean_output_terminal(void);

/* A stream that writes to the descriptor, which fclose() closes: "?" stands for each control character but newlines, carriage
   returns before them, and tabs, and for each piece that is no UTF-8. 0 and errno if there is no memory; then the descriptor stays
   open. */
FILE *clean_output_open(int descriptor);

/* A byte that is written as it is: the one that delimits fields. */
void clean_output_allow(char byte);

#endif
