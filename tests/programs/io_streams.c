/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of I/O tracing that are about streams. */
#include "io_calls.h"

GROUP group_fopen(void)
{
	FILE *stream;
	OTHER(stream = F(fopen)("data", "r"), != 0);
	OTHER(stream = F(freopen)("data", "r", stream), != 0);
	OTHER(stream = F(freopen64)("data", "r", stream), != 0);
	OTHER(F(fclose)(stream), == 0);
	OTHER(stream = F(fopen64)("data", "r"), != 0);
	OTHER(F(_IO_fclose)(stream), == 0);
	OTHER(stream = F(_IO_fopen)("data", "r"), != 0);
	OTHER(F(fclose)(stream), == 0);
	OTHER(stream = F(tmpfile)(), != 0);
	OTHER(F(fclose)(stream), == 0);
	OTHER(stream = F(tmpfile64)(), != 0);
	OTHER(F(fclose)(stream), == 0);
	FAILS(F(fopen)("missing", "r"), == 0);
	FAILS(F(fopen64)("missing", "r"), == 0);
	stream = popen("exit 0", "r");
	OTHER(F(pclose)(stream), == 0);
	stream = fdopen(raw_open("/dev/full", O_WRONLY), "w");
	WROTE(F(fputc)('x', stream), 'x');
	own.write_bytes -= 'x' - 1;
	FAILS(F(fclose)(stream), == EOF);
}

static FILE *stream_of(const char *mode)
{
	return fdopen(data_file(), mode);
}
/* Closed without a call that is traced, as far as the kernel is concerned. */
static FILE *refusing(const char *mode)
{
	FILE *stream = fdopen(raw_open("data", *mode == 'r' ? O_RDONLY : O_RDWR), mode);
	return stream;
}

GROUP group_fread(void)
{
	FILE *stream = stream_of("r+"), *refuses = refusing("w");
	READ((int)F(fread)(room, 1, 10, stream), 10);
	READ((int)F(fread_unlocked)(room, 1, 10, stream), 10);
	READ((int)F(_IO_fread)(room, 1, 10, stream), 10);
	READ((int)F(__fread_chk)(room, sizeof room, 1, 10, stream), 10);
	READ((int)F(__fread_unlocked_chk)(room, sizeof room, 1, 10, stream), 10);
	READS(F(fread)(room, 5, 2, stream), 10, == 2);
	READS(F(fgets)(room, 11, stream), 10, == room);
	READS(F(fgets_unlocked)(room, 11, stream), 10, == room);
	READS(F(_IO_fgets)(room, 11, stream), 10, == room);
	READS(F(__fgets_chk)(room, sizeof room, 11, stream), 10, == room);
	READS(F(__fgets_unlocked_chk)(room, sizeof room, 11, stream), 10, == room);
	READS(F(fgetc)(stream), 1, == '0');
	READS(F(fgetc_unlocked)(stream), 1, == '1');
	READS(F(getc)(stream), 1, == '2');
	READS(F(getc_unlocked)(stream), 1, == '3');
	READS(F(_IO_getc)(stream), 1, == '4');
	READS(F(getw)(stream), 4, != EOF);
	OTHER(F(ungetc)('z', stream), == 'z');
	READS(F(fgetc)(stream), 1, == 'z');
	OTHER(F(_IO_ungetc)('z', stream), == 'z');
	READS(F(fgetc)(stream), 1, == 'z');
	/* The last item is not whole: 5 of its 10 bytes. Then nothing: neither is an error. */
	fseek(stream, 985, SEEK_SET);
	own.others++;
	READS(F(fread)(room, 10, 3, stream), 15, == 1);
	READS(F(fread)(room, 10, 3, stream), 0, == 0);
	READS(F(fgetc)(stream), 0, == EOF);
	READS(F(fgets)(room, 10, stream), 0, == 0);
	FAILS(F(fread)(room, 1, 10, refuses), == 0);
	FAILS(F(fgets)(room, 10, refuses), == 0);
	FAILS(F(fgetc)(refuses), == EOF);
	FAILS(F(getc_unlocked)(refuses), == EOF);
}

GROUP group_getline(void)
{
	FILE *stream = stream_of("r"), *refuses = refusing("w");
	char *line = 0;
	size_t size = 0;
	READ((int)F(getdelim)(&line, &size, '9', stream), 10);
	READ((int)F(__getdelim)(&line, &size, '9', stream), 10);
	READ((int)F(getline)(&line, &size, stream), 980);
	READS(F(getline)(&line, &size, stream), 0, == -1);
	FAILS(F(getline)(&line, &size, refuses), == -1);
	free(line);
}

GROUP group_stdin(void)
{
	int fd = raw_open("lines", O_RDWR | O_CREAT | O_TRUNC);
	syscall(SYS_write, fd, "ab1 2 3 4 first\nsecond\nthird\n", 29);
	syscall(SYS_lseek, fd, 0, SEEK_SET);
	syscall(SYS_dup3, fd, 0, 0);
	int n;
	READS(F(getchar)(), 1, == 'a');
	READS(F(getchar_unlocked)(), 1, == 'b');
	READS(F(scanf)("%d", &n), 0, == 1);
	READS(F(__isoc99_scanf)("%d", &n), 0, == 1);
	READS(F(fscanf)(stdin, "%d", &n), 0, == 1);
	READS(F(__isoc99_fscanf)(stdin, "%d", &n), 0, == 1);
	READS(F(gets)(room), 7, == room);
	READS(F(_IO_gets)(room), 7, == room);
	READS(F(__gets_chk)(room, sizeof room), 6, == room);
	READS(F(gets)(room), 0, == 0);
	READS(F(fscanf)(stdin, "%d", &n), 0, == EOF);
}

/* Each helper gives what follows to a function as a list. */
#define LISTED(helper, type, first, ...)                                                                               \
	static int helper type                                                                                         \
	{                                                                                                              \
		va_list list;                                                                                          \
		va_start(list, format);                                                                                \
		int result = f(__VA_ARGS__, list);                                                                     \
		va_end(list);                                                                                          \
		return result;                                                                                         \
	}
LISTED(list_of, (int (*f)(const char *, va_list), const char *format, ...), format, format)
LISTED(list_of_stream, (int (*f)(FILE *, const char *, va_list), FILE *stream, const char *format, ...), format, stream,
	format)
LISTED(list_of_fd, (int (*f)(int, const char *, va_list), int fd, const char *format, ...), format, fd, format)
LISTED(list_of_flag, (int (*f)(FILE *, int, const char *, va_list), FILE *stream, const char *format, ...), format,
	stream, 1, format)
LISTED(list_of_both, (int (*f)(int, int, const char *, va_list), int fd, const char *format, ...), format, fd, 1,
	format)
LISTED(wide_list, (int (*f)(const wchar_t *, va_list), const wchar_t *format, ...), format, format)
LISTED(wide_list_of_stream, (int (*f)(FILE *, const wchar_t *, va_list), FILE *stream, const wchar_t *format, ...),
	format, stream, format)
LISTED(wide_list_of_fd, (int (*f)(int, const wchar_t *, va_list), int flag, const wchar_t *format, ...), format, flag,
	format)
LISTED(wide_list_of_flag, (int (*f)(FILE *, int, const wchar_t *, va_list), FILE *stream, const wchar_t *format, ...),
	format, stream, 1, format)

GROUP group_fwrite(void)
{
	FILE *stream = stream_of("w"), *refuses = refusing("r");
	WROTE((int)F(fwrite)(text, 1, 10, stream), 10);
	WROTE((int)F(fwrite_unlocked)(text, 1, 10, stream), 10);
	WROTE((int)F(_IO_fwrite)(text, 1, 10, stream), 10);
	WRITES(F(fwrite)(text, 5, 2, stream), 10, == 2);
	WRITES(F(fputs)("hello", stream), 5, >= 0);
	WRITES(F(fputs_unlocked)("hello", stream), 5, >= 0);
	WRITES(F(_IO_fputs)("hello", stream), 5, >= 0);
	WRITES(F(fputc)('x', stream), 1, == 'x');
	WRITES(F(fputc_unlocked)('x', stream), 1, == 'x');
	WRITES(F(putc)('x', stream), 1, == 'x');
	WRITES(F(putc_unlocked)('x', stream), 1, == 'x');
	WRITES(F(_IO_putc)('x', stream), 1, == 'x');
	WRITES(F(putw)(7, stream), 4, == 0);
	FAILS(F(fwrite)(text, 1, 10, refuses), == 0);
	FAILS(F(fputs)("hello", refuses), == EOF);
	FAILS(F(fputc)('x', refuses), == EOF);
	FAILS(F(putc_unlocked)('x', refuses), == EOF);
	FAILS(F(fprintf)(refuses, "%d", 1), < 0);
}

GROUP group_printf(void)
{
	FILE *stream = stream_of("w");
	int fd = raw_open("printed", O_WRONLY | O_CREAT | O_TRUNC);
	WROTE(F(fprintf)(stream, "%s %d\n", "one", 2), 6);
	WROTE(F(_IO_fprintf)(stream, "%s %d\n", "one", 2), 6);
	WROTE(F(__fprintf_chk)(stream, 1, "%s %g\n", "one", 2.5), 8);
	WROTE(F(dprintf)(fd, "%s %d\n", "one", 2), 6);
	WROTE(F(__dprintf_chk)(fd, 1, "%s %d\n", "one", 2), 6);
	FAILS(F(dprintf)(-1, "%s %d\n", "one", 2), < 0);
	FAILS(F(__dprintf_chk)(-1, 1, "%s %d\n", "one", 2), < 0);
	raw_close(fd);
}

GROUP group_vprintf(void)
{
	FILE *stream = stream_of("w");
	int fd = fileno(stream);
	WROTE(list_of_stream(F(vfprintf), stream, "%d\n", 12), 3);
	WROTE(list_of_stream(F(_IO_vfprintf), stream, "%d\n", 12), 3);
	WROTE(list_of_flag(F(__vfprintf_chk), stream, "%d\n", 12), 3);
	WROTE(list_of_fd(F(vdprintf), fd, "%d\n", 12), 3);
	WROTE(list_of_both(F(__vdprintf_chk), fd, "%d\n", 12), 3);
}

GROUP group_stdout(void)
{
	WRITES(F(puts)("hello"), 6, >= 0);
	WRITES(F(_IO_puts)("hello"), 6, >= 0);
	WRITES(F(putchar)('x'), 1, == 'x');
	WRITES(F(putchar_unlocked)('x'), 1, == 'x');
	WROTE(F(printf)("%d%s\n", 12, "x"), 4);
	WROTE(F(_IO_printf)("%d%s\n", 12, "x"), 4);
	WROTE(F(__printf_chk)(1, "%d%s\n", 12, "x"), 4);
	WROTE(list_of(F(vprintf), "%d\n", 12), 3);
	WROTE(list_of_fd(F(__vprintf_chk), 1, "%d\n", 12), 3);
	OTHER(F(fflush)(stdout), == 0);
	OTHER(F(fflush_unlocked)(stdout), == 0);
	OTHER(F(_IO_fflush)(stdout), == 0);
	OTHER(F(fflush)(0), == 0);
}

GROUP group_vscanf(void)
{
	int fd = raw_open("numbers", O_RDWR | O_CREAT | O_TRUNC), n;
	syscall(SYS_write, fd, "1 2 3 4 5 6 7 8 9\n", 18);
	syscall(SYS_lseek, fd, 0, SEEK_SET);
	FILE *stream = fdopen(fd, "r");
	stdin = stream;
	READS(list_of_stream(F(vfscanf), stream, "%d", &n), 0, == 1);
	READS(list_of_stream(F(__isoc99_vfscanf), stream, "%d", &n), 0, == 1);
	READS(list_of(F(vscanf), "%d", &n), 0, == 1);
	READS(list_of(F(__isoc99_vscanf), "%d", &n), 0, == 1);
}

GROUP group_wide_read(void)
{
	int fd = raw_open("numbers", O_RDWR | O_CREAT | O_TRUNC), n;
	wchar_t wide[16];
	syscall(SYS_write, fd, "123456789\n1 2 3 4 5 6 7 8 abcdef\nlast\n", 38);
	syscall(SYS_lseek, fd, 0, SEEK_SET);
	FILE *stream = fdopen(fd, "r");
	stdin = stream;
	READS(F(fgetwc)(stream), 0, == L'1');
	READS(F(fgetwc_unlocked)(stream), 0, == L'2');
	READS(F(getwc)(stream), 0, == L'3');
	READS(F(getwc_unlocked)(stream), 0, == L'4');
	READS(F(getwchar)(), 0, == L'5');
	READS(F(getwchar_unlocked)(), 0, == L'6');
	OTHER(F(ungetwc)(L'6', stream), == L'6');
	READS(F(fgetws)(wide, 2, stream), 0, == wide);
	READS(F(fgetws_unlocked)(wide, 2, stream), 0, == wide);
	READS(F(__fgetws_chk)(wide, 16, 2, stream), 0, == wide);
	READS(F(__fgetws_unlocked_chk)(wide, 16, 2, stream), 0, == wide);
	READS(F(fwscanf)(stream, L"%d", &n), 0, == 1);
	READS(F(__isoc99_fwscanf)(stream, L"%d", &n), 0, == 1);
	READS(F(wscanf)(L"%d", &n), 0, == 1);
	READS(F(__isoc99_wscanf)(L"%d", &n), 0, == 1);
	READS(wide_list_of_stream(F(vfwscanf), stream, L"%d", &n), 0, == 1);
	READS(wide_list_of_stream(F(__isoc99_vfwscanf), stream, L"%d", &n), 0, == 1);
	READS(wide_list(F(vwscanf), L"%d", &n), 0, == 1);
	READS(wide_list(F(__isoc99_vwscanf), L"%d", &n), 0, == 1);
}

GROUP group_wide_write(void)
{
	FILE *stream = stream_of("w"), *before = stdout;
	stdout = stream;
	WRITES(F(fputwc)(L'x', stream), 0, == L'x');
	WRITES(F(fputwc_unlocked)(L'x', stream), 0, == L'x');
	WRITES(F(putwc)(L'x', stream), 0, == L'x');
	WRITES(F(putwc_unlocked)(L'x', stream), 0, == L'x');
	WRITES(F(putwchar)(L'x'), 0, == L'x');
	WRITES(F(putwchar_unlocked)(L'x'), 0, == L'x');
	WRITES(F(fputws)(L"xy", stream), 0, >= 0);
	WRITES(F(fputws_unlocked)(L"xy", stream), 0, >= 0);
	WRITES(F(wprintf)(L"%d", 12), 0, == 2);
	WRITES(F(__wprintf_chk)(1, L"%d", 12), 0, == 2);
	WRITES(F(fwprintf)(stream, L"%d", 12), 0, == 2);
	WRITES(F(__fwprintf_chk)(stream, 1, L"%d", 12), 0, == 2);
	WRITES(wide_list(F(vwprintf), L"%d", 12), 0, == 2);
	WRITES(wide_list_of_fd(F(__vwprintf_chk), 1, L"%d", 12), 0, == 2);
	WRITES(wide_list_of_stream(F(vfwprintf), stream, L"%d", 12), 0, == 2);
	WRITES(wide_list_of_flag(F(__vfwprintf_chk), stream, L"%d", 12), 0, == 2);
	stdout = before;
}

GROUP group_seek(void)
{
	FILE *stream = stream_of("r");
	FILE *pipe_end = fdopen((int)syscall(SYS_memfd_create, "m", 0), "r");
	fpos_t at;
	fpos64_t at64;
	OTHER(F(fseek)(stream, 10, SEEK_SET), == 0);
	OTHER(F(fseeko)(stream, 10, SEEK_SET), == 0);
	OTHER(F(fseeko64)(stream, 10, SEEK_SET), == 0);
	OTHER(F(ftell)(stream), == 10);
	OTHER(F(ftello)(stream), == 10);
	OTHER(F(ftello64)(stream), == 10);
	OTHER(F(fgetpos)(stream, &at), == 0);
	OTHER(F(fsetpos)(stream, &at), == 0);
	OTHER(F(fgetpos64)(stream, &at64), == 0);
	OTHER(F(fsetpos64)(stream, &at64), == 0);
	FAILS(F(fseek)(stream, -10, SEEK_SET), < 0);
	raw_close(fileno(pipe_end));
	FAILS(F(ftell)(pipe_end), < 0);
	FAILS(F(fgetpos)(pipe_end, &at), != 0);
}

int main(void)
{
	static const struct group groups[] = {{"group_fopen", group_fopen}, {"group_fread", group_fread},
		{"group_getline", group_getline}, {"group_stdin", group_stdin}, {"group_fwrite", group_fwrite},
		{"group_printf", group_printf}, {"group_vprintf", group_vprintf}, {"group_stdout", group_stdout},
		{"group_vscanf", group_vscanf}, {"group_wide_read", group_wide_read},
		{"group_wide_write", group_wide_write}, {"group_seek", group_seek}};
	run_groups(groups, sizeof groups / sizeof *groups);
	return 0;
}
