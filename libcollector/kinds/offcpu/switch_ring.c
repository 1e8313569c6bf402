/* SPDX-License-Identifier: Apache-2.0 */
/* One perf event of each thread, which samples major page faults. Source: perf_event_open(2), context_switch and "MMAP layout". */
#include "switch_ring.h"
#include "descriptors.h"
#include "perf_event.h"
#include "system_calls.h"
#include "touched_ring.h"
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>

/* Pages of data. One has room for 85 waits; what a user may have of such memory is little. */
enum { PAGES_MOST = 4 };

static int open_event(void)
{
	struct perf_event_attr attributes;
	memset(&attributes, 0, sizeof attributes);
	attributes.size = sizeof attributes;
	attributes.type = PERF_TYPE_SOFTWARE;
	attributes.config = PERF_COUNT_SW_PAGE_FAULTS_MAJ;
	attributes.sample_period = 1;
	attributes.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU;
	attributes.sample_id_all = 1;
	attributes.context_switch = 1;
	attributes.use_clockid = 1;
	attributes.clockid = CLOCK_MONOTONIC;
	attributes.exclude_kernel = attributes.exclude_hv = 1;
	return perf_event_open(&attributes, -1);
}

bool switch_ring_open(struct thread_switches *switches)
{
	int fd = open_event();
	if (fd < 0)
		return false;
	switches->descriptor = descriptor_take_spare(fd, &switches->descriptor);
	switches->ring_pages = PAGES_MOST;
	if (switches->descriptor >= 0)
		switches->ring = touched_ring_map(switches->descriptor, &switches->ring_pages, 1);
	if (switches->ring)
		return true;
	switch_ring_close(switches);
	return false;
}

void switch_ring_silence(struct thread_switches *switches)
{
	int fd = __atomic_load_n(&switches->descriptor, __ATOMIC_ACQUIRE);
	if (fd >= 0)
		system_call(SYS_ioctl, fd, PERF_EVENT_IOC_DISABLE, 0);
}

static void release(struct thread_switches *switches)
{
	int fd = __atomic_exchange_n(&switches->descriptor, -1, __ATOMIC_ACQ_REL);
	if (descriptor_is_ours(fd))
		descriptor_release(fd);
}

/* A tick may find the thread here, on its way out of munmap: what it looks at is gone before the memory is. */
void switch_ring_close(struct thread_switches *switches)
{
	perf_ring_unmap(__atomic_exchange_n(&switches->ring, 0, __ATOMIC_SEQ_CST), switches->ring_pages);
	release(switches);
}

static size_t size_of(const struct thread_switches *switches)
{
	return (1 + switches->ring_pages) * PERF_PAGE;
}

static bool map_nothing(const struct thread_switches *switches)
{
	return !sys_failed(sys_mmap(switches->ring, size_of(switches), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0));
}

bool switch_ring_lay_aside(struct thread_switches *switches)
{
	if (!map_nothing(switches))
		return false;
	release(switches);
	return true;
}

/* A refusal (others have used up what memory may be locked) leaves nothing mapped there, as the old mapping goes first. */
bool switch_ring_take_up(struct thread_switches *switches)
{
	int fd = open_event();
	if (fd < 0)
		return false;
	switches->descriptor = descriptor_take_spare(fd, &switches->descriptor);
	if (switches->descriptor < 0)
		return false;
	if (!sys_failed(sys_mmap(switches->ring, size_of(switches), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
		    switches->descriptor, 0))) {
		ring_touch(switches->ring, switches->ring_pages);
		return true;
	}
	map_nothing(switches);
	release(switches);
	return false;
}

/* The words after the header: of a switch its time and CPU, of a loss the event's id, the number, time and CPU, of a fault the
   instruction, its time, the address and the CPU. */
enum { WORDS_MOST = 8 };

static void decode(const struct perf_event_header *header, const uint64_t *words, struct switch_record *record)
{
	bool lost = header->type == PERF_RECORD_LOST;
	if (header->type == PERF_RECORD_SAMPLE) {
		*record = (struct switch_record){.what = PAGE_FAULT,
			.pc = words[0],
			.time = words[1],
			.address = words[2],
			.cpu = (uint32_t)words[3]};
		return;
	}
	const uint64_t *sample = words + (lost ? 2 : 0);
	*record = (struct switch_record){.time = sample[0], .cpu = (uint32_t)sample[1], .lost = lost ? words[1] : 0};
	record->what = lost ? SWITCHES_LOST : header->misc & PERF_RECORD_MISC_SWITCH_OUT ? SWITCHED_OUT : SWITCHED_IN;
	record->preempted = header->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
}

static bool is_known(const struct perf_event_header *header)
{
	return header->type == PERF_RECORD_SWITCH || header->type == PERF_RECORD_LOST ||
	       header->type == PERF_RECORD_SAMPLE;
}

uint64_t switch_ring_first(const struct thread_switches *switches)
{
	const struct perf_event_mmap_page *control = switches->ring;
	return control ? control->data_tail : 0;
}

bool switch_ring_look(
	const struct thread_switches *switches, uint64_t *place, uint64_t head, struct switch_record *record)
{
	const char *data = (const char *)switches->ring + PERF_PAGE;
	uint64_t size = switches->ring_pages * PERF_PAGE, at = *place;
	while (at < head) {
		/* Records are of 8-byte units and the ring's size is a multiple of them, so no word is torn. */
		uint64_t words[1 + WORDS_MOST] = {0};
		struct perf_event_header header;
		memcpy(&header, data + (at & (size - 1)), sizeof header);
		/* The kernel writes no such record; the target may have written to the ring. */
		if (header.size < sizeof header || header.size % sizeof *words || at + header.size > head)
			break;
		for (unsigned i = 0; i < header.size / sizeof *words && i <= WORDS_MOST; i++)
			memcpy(&words[i], data + ((at + i * sizeof *words) & (size - 1)), sizeof *words);
		at += header.size;
		if (is_known(&header)) {
			decode(&header, words + 1, record);
			record->at = at - header.size;
			*place = at;
			return true;
		}
	}
	*place = head;
	return false;
}

bool switch_ring_take(struct thread_switches *switches, uint64_t head, struct switch_record *record)
{
	struct perf_event_mmap_page *control = switches->ring;
	uint64_t at = control->data_tail;
	bool found = switch_ring_look(switches, &at, head, record);
	__atomic_store_n(&control->data_tail, at, __ATOMIC_RELEASE);
	return found;
}
