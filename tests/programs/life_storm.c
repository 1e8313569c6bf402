/* SPDX-License-Identifier: Apache-2.0 */
/* Four threads at once: two fork (children exec or end), one uses system, posix_spawn, popen and setenv, one loads and
   unloads a library all the time, so that forks happen while the loader is locked. Prints how often a result was not what
   it must be, and how many of its 60 variables are in the environment at the end. */
#include <dlfcn.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static int bad;
static void *w(void *a)
{
	long k = (long)a;
	for (int i = 0; i < 60; i++) {
		int s = -1;
		pid_t p;
		if (k == 0 || k == 1) {
			p = fork();
			if (!p) {
				if (i % 3)
					_exit(7);
				char *a[] = {"sh", "-c", "exit 7", 0};
				execvp("sh", a);
				_exit(1);
			}
			waitpid(p, &s, 0);
			if (s != 7 << 8)
				bad++;
		} else if (k == 2) {
			if (system("exit 7") != 7 << 8)
				bad++;
			char *a[] = {"true", 0};
			if (posix_spawnp(&p, "true", 0, 0, a, environ))
				bad++;
			else
				waitpid(p, &s, 0);
			if (s)
				bad++;
			FILE *f = popen("echo x", "r");
			char b[9];
			if (!f || !fgets(b, 9, f))
				bad++;
			if (f)
				pclose(f);
			char n[20];
			sprintf(n, "VAR%d", i);
			setenv(n, "1", 1);
		} else
			for (int j = 0; j < 20; j++) {
				void *h = dlopen("libz.so.1", RTLD_NOW);
				if (!h)
					bad++;
				else
					dlclose(h);
			}
	}
	return 0;
}
int main()
{
	pthread_t t[4];
	for (long i = 0; i < 4; i++)
		pthread_create(&t[i], 0, w, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], 0);
	int n = 0;
	for (char **e = environ; *e; e++) {
		if (!__builtin_strncmp(*e, "VAR", 3))
			n++;
		if (!__builtin_strncmp(*e, "ER_T", 4) || !__builtin_strncmp(*e, "LD_PRE", 6))
			bad += 100;
	}
	printf("bad %d vars %d\n", bad, n);
	return bad;
}
