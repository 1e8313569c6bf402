/* SPDX-License-Identifier: Apache-2.0 */
/* Asking libpfm4. */
#include "event_library.h"
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ready(void)
{
	static bool tried, usable;
	if (!tried)
		usable = pfm_initialize() == PFM_SUCCESS;
	tried = true;
	return usable;
}

/* The PMU of the CPUs themselves; of several (a hybrid) the first. */
static bool core_pmu(pfm_pmu_info_t *found, pfm_pmu_t *number)
{
	pfm_pmu_t i;
	if (!ready())
		return false;
	pfm_for_all_pmus(i)
	{
		pfm_pmu_info_t info = {.size = sizeof info};
		if (pfm_get_pmu_info(i, &info) != PFM_SUCCESS || !info.is_present || info.type != PFM_PMU_TYPE_CORE)
			continue;
		*found = info;
		*number = i;
		return true;
	}
	return false;
}

const char *event_library_missing(void)
{
	return "";
}

const char *event_library_core_pmu(void)
{
	pfm_pmu_info_t info;
	pfm_pmu_t number;
	return core_pmu(&info, &number) ? info.name : 0;
}

const char *event_library_core_title(void)
{
	pfm_pmu_info_t info;
	pfm_pmu_t number;
	return core_pmu(&info, &number) ? info.desc : 0;
}

unsigned event_library_core_counters(void)
{
	pfm_pmu_info_t info;
	pfm_pmu_t number;
	return core_pmu(&info, &number) ? (unsigned)(info.num_cntrs + info.num_fixed_cntrs) : 0;
}

/* The event's name with the attributes that are its own: what we take ourselves is left out. */
static void compose(char *text, size_t size, const char *event, const struct counter_request *request)
{
	size_t used = (size_t)snprintf(text, size, "%s", event);
	for (unsigned i = 0; request && i < request->attribute_count && used < size; i++) {
		const struct counter_attribute *attribute = &request->attributes[i];
		if (strcmp(attribute->name, "user") != 0 && strcmp(attribute->name, "system") != 0 &&
			strcmp(attribute->name, "precise") != 0)
			used += (size_t)snprintf(text + used, size - used, ":%s=0x%llx", attribute->name,
				(unsigned long long)attribute->value);
	}
}

bool event_library_encode(
	const char *event, const struct counter_request *request, struct overflow_counter *counter, struct error *error)
{
	char text[512];
	struct perf_event_attr attributes;
	char *full = 0;
	pfm_perf_encode_arg_t encoding = {.attr = &attributes, .fstr = &full, .size = sizeof encoding};
	memset(&attributes, 0, sizeof attributes);
	attributes.size = sizeof attributes;
	compose(text, sizeof text, event, request);
	if (!ready())
		return error_set(error, "HW counter `%s': libpfm4 does not work here", text);
	int code = pfm_get_os_event_encoding(text, PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &encoding);
	if (code != PFM_SUCCESS)
		return error_set(error, "HW counter `%s': %s", text, pfm_strerror(code));
	counter->type = attributes.type;
	counter->config = attributes.config;
	counter->config1 = attributes.config1;
	counter->config2 = attributes.config2;
	snprintf(counter->event, sizeof counter->event, "%.191s", full ? full : text);
	free(full);
	return true;
}

bool event_library_knows(const char *event)
{
	return ready() && pfm_find_event(event) >= 0;
}

static void visit_masks(const pfm_event_info_t *event, void (*f)(void *, const char *, const char *), void *context)
{
	bool any = false;
	for (int i = 0; i < event->nattrs; i++) {
		pfm_event_attr_info_t mask = {.size = sizeof mask};
		if (pfm_get_event_attr_info(event->idx, i, PFM_OS_PERF_EVENT, &mask) != PFM_SUCCESS ||
			mask.type != PFM_ATTR_UMASK)
			continue;
		char name[256];
		snprintf(name, sizeof name, "%s:%s", event->name, mask.name);
		f(context, name, mask.desc);
		any = true;
	}
	if (!any)
		f(context, event->name, event->desc);
}

void event_library_visit(void (*f)(void *context, const char *event, const char *description), void *context)
{
	pfm_pmu_info_t pmu;
	pfm_pmu_t number;
	if (!core_pmu(&pmu, &number))
		return;
	for (int event = pmu.first_event; event != -1; event = pfm_get_event_next(event)) {
		pfm_event_info_t info = {.size = sizeof info};
		if (pfm_get_event_info(event, PFM_OS_PERF_EVENT, &info) == PFM_SUCCESS && info.pmu == number)
			visit_masks(&info, f, context);
	}
}
