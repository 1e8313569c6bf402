/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens and closes files for other tools. */
#include "export_file.h"
#include "clean_output.h"
#include "unfinished_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool export_file_is_standard(const char *path)
{
	return !strcmp(path, "-");
}

FILE *export_file_open(const char *path, bool binary)
{
	fflush(stdout);
	int descriptor = export_file_is_standard(path) ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
						       : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (descriptor < 0)
		return 0;
	FILE *file = binary ? fdopen(descriptor, "we") : clean_output_open(descriptor, false);
	if (!file)
		close(descriptor);
	else
		unfinished_file_set(path);
	return file;
}

int export_file_close(FILE *file)
{
	errno = 0;
	bool whole = !fflush(file) && !ferror(file);
	int why = errno;
	if (fclose(file) && whole) {
		whole = false;
		why = errno;
	}
	unfinished_file_set(0);
	return whole ? 0 : why ? why : EIO;
}
