/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and unloads code in every way: a plug-in that only the RUNPATH of libcaller.so finds (open_plugin), one by a
   relative path, one in a namespace of its own, libc's own modules (iconv); closes the first and loads another in its
   place. Ends with a copy of its executable mappings of files on standard output. Run where test objects-dlopen.sh made
   the libraries. */
#include <dlfcn.h>
#include <iconv.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

void *open_plugin(const char *name);

static int call(void *handle, const char *name)
{
	int (*function)(void) = handle ? (int (*)(void))dlsym(handle, name) : 0;
	return function ? function() : -1;
}

static void show_maps(void)
{
	char line[4096];
	FILE *maps = fopen("/proc/self/maps", "r");
	while (maps && fgets(line, sizeof line, maps))
		if (strstr(line, " r-xp ") && strchr(line, '/'))
			fputs(line, stdout);
}

int main(void)
{
	printf("bare name from main: %s\n", dlopen("libplugin.so", RTLD_NOW) ? "found" : dlerror());
	void *first = open_plugin("libplugin.so");
	printf("by the caller's RUNPATH: %d\n", call(first, "plugin"));
	void *origin = open_plugin("$ORIGIN/hidden/libother.so");
	printf("by the caller's $ORIGIN: %d\n", call(origin, "other"));
	void *relative = dlopen("./hidden/libthird.so", RTLD_NOW);
	printf("relative: %d\n", call(relative, "third"));
	void *apart = dlmopen(LM_ID_NEWLM, "./hidden/libapart.so", RTLD_NOW);
	printf("namespace: %d\n", call(apart, "apart"));
	dlclose(first);
	void *second = dlopen("./hidden/libsecond.so", RTLD_NOW);
	printf("in its place: %d\n", call(second, "second"));
	iconv_t converter = iconv_open("UTF-16", "ISO-8859-2");
	printf("iconv: %s\n", converter == (iconv_t)-1 ? "failed" : "open");
	fflush(stdout);
	puts("maps:");
	show_maps();
	return 0;
}
