/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of iconv_open and iconv_close: libc opens and closes its converters by calls of its own, and only here
   can be seen that code has come or gone. */
#include "interpose.h"
#include "leaving_code.h"
#include "load_objects.h"
#include <errno.h>
#include <iconv.h>

static void look(void)
{
	int saved = errno;
	load_objects_update();
	errno = saved;
}

INTERPOSE iconv_t iconv_open(const char *to, const char *from)
{
	iconv_t converter = REAL(iconv_open)(to, from);
	look();
	return converter;
}

INTERPOSE int iconv_close(iconv_t converter)
{
	code_leaves_begin();
	int result = REAL(iconv_close)(converter);
	look();
	code_leaves_end();
	return result;
}
