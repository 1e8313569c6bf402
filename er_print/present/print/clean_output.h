/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output of er_print is text: nothing that an experiment or an object file holds can control a terminal or spoil a page. All
   reports and messages go through here, whoever writes them. */
#ifndef CLEAN_OUTPUT_H
#define CLEAN_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Puts such streams in the place of standard output and error, before anything was written to them. */
void clean_output_begin(void);
/* Standard output as it was, for what edits lines on a terminal. */
FILE *clean_output_terminal(void);

/* A stream that writes to the descriptor, which fclose() closes: "?" stands for each control character but newlines, carriage
   returns before them, and tabs, and for each piece that is no UTF-8. 0 and errno if there is no memory; then the descriptor stays
   open. `reports`: what is written are reports, one after another. */
FILE *clean_output_open(int descriptor, bool reports);

/* Whatever is written next to a stream of reports that has text already, and that was flushed, is parted from it by an empty line.
   Standard output is one of these. */
void clean_output_part(void);
/* How many bytes all such streams were given so far. */
uint64_t clean_output_count(void);

/* A byte that is written as it is: the one that delimits fields. */
void clean_output_allow(char byte);

/* Asked before each piece of text goes out: false drops it. */
void clean_output_set_gate(bool (*may_print)(void));

#endif
