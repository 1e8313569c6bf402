# SPDX-License-Identifier: Apache-2.0
# Tests: unit (Check), end-to-end (the real collect on real programs), verify (measured bounds), house (the rules), bench.

# A unit test tests/unit/LAYER/test_X.c links its layer and those below, and sees what the layer sees.
LAYERS       := format collector collect load resolve aggregate present
UNIT_SOURCES := $(wildcard $(patsubst %,tests/unit/%/test_*.c,$(LAYERS)))
UNIT         := $(UNIT_SOURCES:%.c=$(O)/%)
CHECK_LIBS   := -lcheck -lsubunit -lm -lrt -lpthread
SEES_UNIT_format    := $(SEES_$(F)/write) $(SEES_$(F)/read)
SEES_UNIT_collector := $(SEES_libcollector) $(call quote,$(F)/read)
SEES_UNIT_collect   := $(SEES_collect)
SEES_UNIT_load      := $(SEES_er_print/load) $(call quote,$(F)/write)
SEES_UNIT_resolve   := $(SEES_er_print/resolve) $(call quote,$(F)/write)
SEES_UNIT_aggregate := $(SEES_er_print/aggregate) $(call quote,$(F)/write)
SEES_UNIT_present   := $(SEES_er_print/present) $(call quote,$(F)/write)
UNIT_LIBS_format    := libformat.a
UNIT_LIBS_collector := libcollector_mpi-parts.a libcollector-parts.a libformat.a
UNIT_LIBS_collect   := libcollect-parts.a libformat.a
UNIT_LIBS_load      := liber_load.a libformat.a
UNIT_LIBS_resolve   := liber_resolve.a liber_load.a libformat.a
UNIT_LIBS_aggregate := liber_aggregate.a liber_resolve.a liber_load.a libformat.a
UNIT_LIBS_present   := liber_present.a liber_aggregate.a liber_resolve.a liber_load.a libformat.a
UNIT_LINKS_collect  := $(PFM)
$(O)/lib/libcollect-parts.a: $(filter-out %/main.o,$(COLLECT))

# Writers of synthetic experiments, for the unit tests.
SYNTHETIC := $(call objects,obj,tests/synthetic/*.c)
$(call sees,tests/synthetic,$(F)/write,$(F)/read tests/synthetic)
-include $(SYNTHETIC:.o=.d)

# Experiments from a text, for the end-to-end tests.
WRITTEN := $(O)/tests/written/written
$(WRITTEN): tests/written/written.c tests/tests.mk $(SYNTHETIC) $(O)/lib/libformat.a
	@mkdir -p $(@D)
	$(call making,CC,$@) $(CC) $(TOOLS) $(SEES_tests/synthetic) -MMD -MP -o $@ $< $(SYNTHETIC) $(O)/lib/libformat.a $(LDFLAGS) $(LINKS_er_print)
-include $(WRITTEN).d

define unit_rules
$(O)/tests/unit/$(1)/%: tests/unit/$(1)/%.c tests/tests.mk $(SYNTHETIC) $(addprefix $(O)/lib/,$(UNIT_LIBS_$(1)))
	@mkdir -p $$(@D)
	$$(call making,CC,$$@) $(CC) $(TOOLS) $(SEES_UNIT_$(1)) $(FOREIGN_HEADERS) $(call quote,tests/synthetic tests/unit/$(1) tests/unit/aggregate) -MMD -MP -o $$@ $$< \
		$(SYNTHETIC) $(addprefix $(O)/lib/,$(UNIT_LIBS_$(1))) $(LDFLAGS) $(LINKS_er_print) $(UNIT_LINKS_$(1)) $(CHECK_LIBS)
endef
$(foreach layer_,$(LAYERS),$(eval $(call unit_rules,$(layer_))))
-include $(addsuffix .d,$(UNIT))

# Target programs of the end-to-end tests, and what the bench measures with.
# life_objects.c, collector_api.c and signal_wrappers.c are linked by their tests, to libraries of ours or that the test makes.
# inlined_names.cc is built by its test, with and without inlining. costly_lines.c is of instructions of x86-64.
ON_X86_64       := $(if $(CROSS),,$(filter x86_64,$(shell uname -m)))
PROGRAM_SOURCES := $(filter-out %/life_objects.c %/collector_api.c %/signal_wrappers.c %/missing_library.c %/inlined_names.cc $(if $(ON_X86_64),,%/costly_lines.c),$(wildcard tests/programs/*.c tests/programs/*.cc))
E2E_PROGRAMS    := $(addprefix $(O)/,$(basename $(PROGRAM_SOURCES)))
PROGRAM_FLAGS   := -O2 -g -Wall -Wextra
# These call what the table of I/O tracing names.
$(O)/tests/programs/io_calls $(O)/tests/programs/io_streams: PROGRAM_FLAGS += -iquote libcollector/kinds/io
$(O)/tests/programs/mapping_edges: PROGRAM_FLAGS += -nostartfiles -Wl,-z,separate-code,-z,max-page-size=0x200000
$(O)/tests/programs/%: tests/programs/%.c tests/tests.mk
	@mkdir -p $(@D)
	$(call making,CC,$@) $(CC) $(PROGRAM_FLAGS) -std=gnu17 -D_GNU_SOURCE -MMD -MP -o $@ $< -lpthread -lm -ldl
$(O)/tests/programs/%: tests/programs/%.cc tests/tests.mk
	@mkdir -p $(@D)
	$(call making,CXX,$@) $(CXX) $(PROGRAM_FLAGS) -MMD -MP -o $@ $< -lpthread
-include $(addsuffix .d,$(E2E_PROGRAMS))

# Stacks: the torture programs by both compilers, with and without control-flow protection; a library that takes and judges
# the stacks of any program, comparing each capture with a walk that remembers nothing.
TORTURE_COMPILERS := $(foreach compiler,gcc $(if $(CROSS),,clang),$(if $(shell command -v $(CROSS)$(compiler)),$(compiler)))
PROTECTION_none := $(if $(CROSS),-mbranch-protection=none,-fcf-protection=none)
PROTECTION_full := $(if $(CROSS),-mbranch-protection=standard,-fcf-protection=full)
define torture_rules
E2E_PROGRAMS += $(O)/tests/programs/torture-$(1)-$(2) $(O)/tests/programs/torture_cxx-$(1)-$(2)
$(O)/tests/programs/torture-$(1)-$(2): tests/programs/torture.c tests/tests.mk
	@mkdir -p $$(@D)
	$$(call making,CC,$$@) $(CROSS)$(1) $$(PROGRAM_FLAGS) -std=gnu17 -D_GNU_SOURCE -rdynamic $$(PROTECTION_$(2)) -o $$@ $$< -lpthread
$(O)/tests/programs/torture_cxx-$(1)-$(2): tests/programs/torture_cxx.cc tests/tests.mk
	@mkdir -p $$(@D)
	$$(call making,CXX,$$@) $(CROSS)$(if $(filter clang,$(1)),clang++,g++) $$(PROGRAM_FLAGS) -rdynamic $$(PROTECTION_$(2)) -o $$@ $$< -lpthread
endef
$(foreach compiler,$(TORTURE_COMPILERS),$(foreach protection,none full,$(eval $(call torture_rules,$(compiler),$(protection)))))
SAMPLER_SOURCES := $(wildcard tests/torture/*.c libcollector/stacks/*.c libcollector/stacks/*/*.c libcollector/base/pages.c libcollector/base/free_list.c \
	$(F)/base/system_calls.c $(F)/kinds.c $(F)/archive_name.c $(F)/write/*.c $(F)/settings.c)
E2E_PROGRAMS += $(O)/tests/torture/sampler.so
$(O)/tests/torture/sampler.so: $(SAMPLER_SOURCES) $(wildcard libcollector/*/*.h libcollector/*/*/*.h $(F)/*.h $(F)/*.def $(F)/*/*.h) tests/tests.mk
	@mkdir -p $(@D)
	$(call making,CC,$@) $(CC) $(PRELOAD) -DUNWIND_SELF_CHECK $(SEES_libcollector) -shared -o $@ $(SAMPLER_SOURCES) -ldl

# The tracer that takes stacks from outside by elfutils; x86-64 alone.
ifneq ($(ON_X86_64),)
OUTSIDE_SOURCES := $(wildcard tests/outside/*.c)
E2E_PROGRAMS += $(O)/tests/outside/outside
$(O)/tests/outside/outside: $(OUTSIDE_SOURCES) $(wildcard tests/outside/*.h) tests/tests.mk
	@mkdir -p $(@D)
	$(call making,CC,$@) $(CC) $(BASE) $(call quote,tests/outside) -o $@ $(OUTSIDE_SOURCES) $(LDFLAGS) -ldw -lelf
endif

# The bench's programs: the writers of big synthetic experiments and the timer see the format, capture*.c the collector.
BENCH_many_readings := tests/synthetic/synthetic.c
BENCH_many_ranks := tests/synthetic/synthetic.c
BENCH := $(patsubst tests/bench/%.c,$(O)/tests/bench/%,$(wildcard tests/bench/*.c))
BENCH := $(patsubst %/empty_handler,%/empty_handler.so,$(BENCH))
$(O)/tests/bench/%: tests/bench/%.c tests/tests.mk $(O)/lib/libcollector-parts.a $(O)/lib/libformat.a
	@mkdir -p $(@D)
	$(call making,CC,$@) $(CC) $(BASE) $(SEES_libcollector) $(call quote,$(F)/read tests/synthetic) -MMD -MP -o $@ $< $(BENCH_$(notdir $@)) $(O)/lib/libcollector-parts.a $(O)/lib/libformat.a $(LDFLAGS) $(LINKS_collect) -lpthread
$(O)/tests/bench/%.so: tests/bench/%.c tests/tests.mk
	@mkdir -p $(@D)
	$(call making,CC,$@) $(CC) $(BASE) -fPIC -shared -MMD -MP -o $@ $< -lpthread
-include $(addsuffix .d,$(basename $(BENCH)))
# Tests of the gate need its experiments as well.
E2E_PROGRAMS += $(O)/tests/bench/many_events $(O)/tests/bench/many_ranks

units: all $(UNIT)
programs: $(E2E_PROGRAMS) $(WRITTEN)
tests: units programs
deps:
	@tests/tools/deps check
deps-demo deps-verify:
	@tests/tools/deps $(@:deps-%=%)
check: deps
	@$(MAKE) --no-print-directory tests
	@tests/run gate $(O) '$(ONLY)'
verify: deps-verify
	@$(MAKE) --no-print-directory tests $(BENCH)
	@$(MAKE) --no-print-directory SANITIZE=address,undefined O=$(O)-sanitized units
	@tests/verify/run $(O) '$(ONLY)'
lint: deps
	@$(MAKE) --no-print-directory all
	@tests/house/run $(O)
bench: deps-verify
	@$(MAKE) --no-print-directory all $(BENCH)
	@$(if $(SECTIONS),INTO=tests/BENCH.md) tests/bench/run $(O) $(SECTIONS)
screenshots: deps
	@$(MAKE) --no-print-directory all
	@tests/tools/screenshots $(O)
zoo: deps-verify
	@$(MAKE) --no-print-directory tests
	@tests/zoo/run $(O) '$(ONLY)'
stress fuzz: deps-verify
	@$(MAKE) --no-print-directory tests
	@tests/$@/run $(O)
demo: deps-demo
	@$(MAKE) --no-print-directory all
	@tests/tools/demo $(O)
