/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result of the search for a load object's files. */
#ifndef CODE_FILE_H
#define CODE_FILE_H

enum code_file {
	FILE_NOT_SOUGHT,
	FILE_FOUND,     /* it, or its separate debug file */
	FILE_ABSENT,    /* neither archived nor on this machine */
	FILE_DIFFERS,   /* there is one, but it is not the one that was recorded */
	FILE_UNREADABLE /* there is one, which is no load object */
};

#endif
