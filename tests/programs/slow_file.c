/* SPDX-License-Identifier: Apache-2.0 */
/* Usage: slow_file FILE COMMAND...
   Runs the command where FILE, which must exist, is one of 64 pages, each of which has a function in its middle that returns at
   once. Every page from the 16th on comes 60 ms after it was asked for; opened anew, the file is slow again. If FILE is a folder it
   takes 60 ms each time to say that a name is not in it, and that it is empty. Nobody else sees it.
   Ends like the command; with 126 where the kernel does not let it. Source: fuse(4), linux/fuse.h. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 64, FIRST_SLOW = 16, WAIT = 60000, NOT_POSSIBLE = 126 };

#if defined __x86_64__
static const unsigned char ret[] = {0xc3};
#else
static const unsigned char ret[] = {0xc0, 0x03, 0x5f, 0xd6};
#endif

struct request {
	struct fuse_in_header head;
	union {
		struct fuse_init_in init;
		struct fuse_read_in read;
		char rest[1 << 16];
	} of;
};

static void answer(int device, const struct request *request, int error, const void *body, size_t size)
{
	struct fuse_out_header head = {
		.len = (uint32_t)(sizeof head + size), .error = -error, .unique = request->head.unique};
	struct iovec parts[] = {{&head, sizeof head}, {(void *)body, size}};
	if (writev(device, parts, 2) < 0 && errno != ENOENT)
		perror("slow_file: answer");
}

static void send_pages(int device, const struct request *request)
{
	static unsigned char pages[PAGES * PAGE];
	const struct fuse_read_in *read = &request->of.read;
	uint64_t end = read->offset + read->size;
	if (end > sizeof pages)
		end = sizeof pages;
	for (unsigned i = 0; i < PAGES; i++)
		memcpy(pages + i * PAGE + PAGE / 2, ret, sizeof ret);
	if (end > FIRST_SLOW * PAGE)
		usleep(WAIT);
	answer(device, request, 0, pages + read->offset, read->offset < end ? end - read->offset : 0);
}

static bool is_folder;

static void answer_late(int device, const struct request *request, int error)
{
	usleep(WAIT);
	answer(device, request, error, 0, 0);
}

static void serve(int device, const struct request *request)
{
	struct fuse_init_out init = {
		.major = FUSE_KERNEL_VERSION, .minor = request->of.init.minor, .max_write = PAGE, .time_gran = 1};
	struct fuse_attr_out attributes = {.attr_valid = 3600,
		.attr = {.ino = FUSE_ROOT_ID,
			.size = PAGES * PAGE,
			.mode = is_folder ? S_IFDIR | 0777 : S_IFREG | 0555,
			.nlink = 1,
			.blksize = PAGE}};
	struct fuse_open_out opened = {.fh = 1};
	switch (request->head.opcode) {
	case FUSE_INIT:
		answer(device, request, 0, &init, sizeof init);
		break;
	case FUSE_GETATTR:
		answer(device, request, 0, &attributes, sizeof attributes);
		break;
	case FUSE_LOOKUP:
		answer_late(device, request, ENOENT);
		break;
	case FUSE_READDIR:
		answer_late(device, request, 0);
		break;
	case FUSE_OPENDIR:
	case FUSE_OPEN:
		answer(device, request, 0, &opened, sizeof opened);
		break;
	case FUSE_READ:
		send_pages(device, request);
		break;
	case FUSE_RELEASE:
	case FUSE_RELEASEDIR:
		answer(device, request, 0, 0, 0);
		break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		break;
	default:
		answer(device, request, ENOSYS, 0, 0);
	}
}

/* The mount is gone with the last process that sees it, and with it the device answers no more. */
static void become(char *file, char **command, int device, int mounted)
{
	char options[200];
	snprintf(options, sizeof options, "fd=%d,rootmode=%s,user_id=0,group_id=0,allow_other", device,
		is_folder ? "40777" : "100555");
	if (device < 0 || unshare(CLONE_NEWNS) != 0 || mount(0, "/", 0, MS_REC | MS_PRIVATE, 0) != 0 ||
		mount("slow_file", file, "fuse", MS_NOSUID | MS_NODEV | (is_folder ? 0 : MS_RDONLY), options) != 0)
		return;
	if (write(mounted, "", 1) == 1)
		execvp(*command, command);
}

int main(int argc, char **argv)
{
	static struct request request;
	int device = open("/dev/fuse", O_RDWR | O_CLOEXEC), status, mounted[2];
	char byte;
	if (argc < 3 || pipe2(mounted, O_CLOEXEC) != 0)
		return 2;
	struct stat found;
	is_folder = stat(argv[1], &found) == 0 && S_ISDIR(found.st_mode);
	pid_t child = fork();
	if (child == 0) {
		become(argv[1], argv + 2, device, mounted[1]);
		perror("slow_file");
		return NOT_POSSIBLE;
	}
	close(mounted[1]);
	bool serves = read(mounted[0], &byte, 1) == 1;
	while (serves && (read(device, &request, sizeof request) > 0 || errno == EINTR || errno == ENOENT))
		serve(device, &request);
	if (child < 0 || waitpid(child, &status, 0) != child)
		return 2;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
