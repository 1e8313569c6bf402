# SPDX-License-Identifier: Apache-2.0
# Builds everything out of tree. The folder is the layer: SEES_* says what each may include, LINKS_* what it may link.
#
#   make            programs in build/bin, the preloaded library in build/lib; they run from there
#   make demo       install what the build and the demo need, build, profile a real program, print the report, draw
#   make check      install what the gate needs, build, the tests of the gate (ONLY=PATTERN: those whose name matches)
#   make lint       install what the gate needs, build, the rules of the house
#   make verify     install what it needs, build, all measured bounds, to tests/VERIFY.md (ONLY=PATTERN: some of them)
#   make deps       install what the gate needs (apt-get, as root or by sudo; else prints the command)
#   make bench      the costs, as ratios                  make stress     long runs of the tests
#   make fuzz       er_print on damaged experiments, for long
#   make screenshots   pictures of every shape and palette, photographed in a browser, in build/screenshots
#   make install    PREFIX=/usr/local DESTDIR=            make uninstall  removes the same
#   make sysroot    arm64 libraries, for CROSS            make deps-guest an emulated arm64 machine for some tests, in build/guest
#
#   O=DIR                        builds there             CI=1            warnings are errors
#   V=1                          shows whole commands
#   OTF2= PFM=                   er_print without the command otf2, collect without the names of a CPU's events: as where the
#                                libraries OTF2 and libpfm4 are not installed
#   SANITIZE=address,undefined   or thread: the tools in build-address, build-thread (libcollector always without)
#   CROSS=aarch64-linux-gnu-     builds in build-aarch64, with the libraries that `make sysroot` unpacks to
#                                build/sysroot-aarch64 (SYSROOT); without them `make collector` is libcollector alone

comma    := ,
O        := build$(if $(SANITIZE),-$(firstword $(subst $(comma), ,$(SANITIZE))))$(if $(CROSS),-$(firstword $(subst -, ,$(CROSS))))
# One folder has one name, or a make that names it otherwise would not know what its objects depend on.
override O := $(patsubst $(CURDIR)/%,%,$(O))
PREFIX   ?= /usr/local
SYSROOT  ?= build/sysroot-$(firstword $(subst -, ,$(CROSS)))
ifneq ($(filter default undefined,$(origin CC)),)
CC       := $(CROSS)gcc
endif
# Nothing where there is no compiler yet: `make demo` and its like install it.
MACHINE  := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine 2>/dev/null)))
$(if $(MACHINE),$(if $(wildcard experiment-format/base/machine_$(MACHINE).h),,$(error er-tools does not know the processor \
$(MACHINE): it needs a machine_$(MACHINE).h and an architecture_$(MACHINE).h)))
CXX      := $(CROSS)$(if $(findstring clang,$(CC)),clang++,g++)
AR       := $(CROSS)ar
WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-declarations -Wvla $(if $(CI),-Werror)
CFLAGS   ?= -O2 -g
BASE     := -std=gnu17 -D_GNU_SOURCE $(WARNINGS) $(CFLAGS)
TOOLS    := $(BASE) $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
# Two words that were just stored one by one must not be loaded as one vector: that load waits for both stores to end.
PRELOAD  := $(BASE) -fPIC -fvisibility=hidden -ftls-model=initial-exec -fno-omit-frame-pointer -fno-stack-protector -fno-tree-slp-vectorize
FOREIGN  := $(if $(CROSS),$(wildcard $(SYSROOT)/usr))
TRIPLET  := $(CROSS:-=)
LDFLAGS  += $(if $(FOREIGN),-L$(SYSROOT)/usr/lib/$(TRIPLET) -Wl$(comma)-rpath-link=$(SYSROOT)/usr/lib/$(TRIPLET):$(SYSROOT)/lib/$(TRIPLET))

F := experiment-format
A := libcollector/api
C := libcollector
quote = $(patsubst %,-iquote %,$(1))

# The folders with sources in a layer and below it.
rooms = $(patsubst %/,%,$(sort $(dir $(wildcard $(1)/*.[ch] $(1)/*/*.[ch]))))
# sees LAYER,OTHER,ROOM...: the layer sees what the other one sees, and these rooms.
sees  = $(eval SEES_$(1) := $(SEES_$(2)) $(call quote,$(3)))
$(call sees,$(F)/base,,$(F)/base)
$(call sees,$(F),$(F)/base,$(F))
$(call sees,$(F)/write,$(F),$(F)/write)
$(call sees,$(F)/read,$(F),$(F)/read)
$(call sees,$(A),,$(A))
# The layers of libcollector, each with the rooms in it, see those above them here. A kind sees itself and no other kind.
$(call sees,$(C)/base,$(F)/write,$(call rooms,$(C)/base))
$(call sees,$(C)/process,$(C)/base,$(call rooms,$(C)/process))
$(call sees,$(C)/stacks,$(C)/process,$(call rooms,$(C)/stacks))
$(call sees,$(C)/code,$(C)/stacks,$(call rooms,$(C)/code))
$(call sees,$(C)/target,$(C)/code,$(call rooms,$(C)/target) $(A))
$(call sees,$(C)/life,$(C)/target,$(call rooms,$(C)/life))
KINDS := $(call rooms,$(C)/kinds)
$(foreach kind,$(KINDS),$(call sees,$(kind),$(C)/target,$(kind)))
$(call sees,$(C),$(C)/life,$(KINDS))
# The rooms of collect see those above them here.
$(call sees,collect/base,$(F)/write,$(F)/read collect/base)
$(call sees,collect/counters,collect/base,collect/counters)
$(call sees,collect/options,collect/counters,collect/options)
$(call sees,collect/experiment,collect/options,collect/experiment)
$(call sees,collect/target,collect/experiment,collect/target)
$(call sees,collect,collect/target,collect)
# The layers of er_print, and in the last one its rooms, see those above them here. The rooms of `aggregate` see each other.
# A room of `views` sees itself and no other room of them; the pictures see the views of code spaces.
P := er_print/present
$(call sees,er_print/load,$(F)/read,er_print/load)
$(call sees,er_print/load/import,er_print/load,er_print/load/import)
$(call sees,er_print/resolve,er_print/load,er_print/resolve)
$(call sees,er_print/aggregate,er_print/resolve,$(call rooms,er_print/aggregate))
$(foreach room,$(call rooms,er_print/aggregate),$(call sees,$(room),er_print/aggregate,))
$(call sees,$(P)/print,er_print/aggregate,$(P)/print)
$(call sees,$(P)/session,$(P)/print,$(P)/session)
$(call sees,$(P)/views,$(P)/session,$(P) $(P)/views)
VIEWS := $(filter-out $(P)/views,$(call rooms,$(P)/views))
$(foreach view,$(VIEWS),$(call sees,$(view),$(P)/views,$(view)))
$(call sees,$(P)/export,$(P)/views,$(P)/export)
$(call sees,$(P)/pictures,$(P)/views,$(P)/pictures $(P)/views/spaces)
$(call sees,$(P)/commands,$(P)/views,$(P)/commands)
$(call sees,$(P),$(P)/commands,$(VIEWS) $(P)/export $(P)/pictures)
# Headers of the libraries, where they are not the system's: only for what may link them.
FOREIGN_HEADERS := $(if $(FOREIGN),-isystem $(SYSROOT)/usr/include -isystem $(SYSROOT)/usr/include/$(TRIPLET))
foreign = $(if $(filter er_print/resolve/% $(P)/% $(F)/read/% collect/%,$(1)),$(FOREIGN_HEADERS))

LINKS_read         := -lexpat
LINKS_collect       = $(PFM) -ldw -lelf $(LINKS_read)
LINKS_er_print      = -Wl,-Bstatic -lopcodes -lbfd -lsframe -liberty $(OTF2) -Wl,-Bdynamic -ldw -lelf -llzma -lz -lzstd $(LINKS_read) -ledit -lm

objects = $(patsubst %.c,$(O)/$(1)/%.o,$(wildcard $(2)))
# These three use stdio or malloc: the tools' alone.
FORMAT_PIC  := $(filter-out %/cache_folder.o %/error.o %/nearest.o %/storage.o,$(call objects,pic,$(F)/base/*.c $(F)/*.c $(F)/write/*.c))
API         := $(call objects,pic,$(A)/*.c)
COLLECTOR_MPI := $(call objects,pic,$(C)/kinds/mpi/*.c)
COLLECTOR   := $(filter-out $(COLLECTOR_MPI) $(API),$(call objects,pic,$(C)/*/*.c $(C)/*/*/*.c))
FORMAT      := $(call objects,obj,$(F)/*.c $(F)/*/*.c)
ER_LOAD     := $(call objects,obj,er_print/load/*.c er_print/load/*/*.c)
ER_RESOLVE  := $(call objects,obj,er_print/resolve/*.c)
ER_AGGREGATE:= $(call objects,obj,er_print/aggregate/*.c er_print/aggregate/*/*.c)
# Libraries that may be missing. libpfm4's headers may be the sysroot's.
has = $(shell printf '\043include <$(1)>\n' | $(CC) $(FOREIGN_HEADERS) -E -o /dev/null - 2>/dev/null && echo $(2))
PFM         := $(call has,perfmon/pfmlib_perf_event.h,-lpfm)
COLLECT     := $(filter-out %/event_library$(if $(PFM),_absent).o,$(call objects,obj,collect/*.c collect/*/*.c))
OTF2        := $(if $(CROSS),,$(call has,otf2/otf2.h,-lotf2))
OTF2_FILES  := $(call objects,obj,$(P)/export/otf2_*.c)
ER_PRESENT  := $(filter-out $(if $(OTF2),%/otf2_absent.o,$(filter-out %/otf2_absent.o,$(OTF2_FILES))),$(call objects,obj,$(P)/*/*.c $(P)/views/*/*.c))
ER_PRINT    := $(ER_LOAD) $(ER_RESOLVE) $(ER_AGGREGATE) $(ER_PRESENT)
OBJECTS     := $(API) $(FORMAT_PIC) $(COLLECTOR) $(COLLECTOR_MPI) $(FORMAT) $(COLLECT) $(ER_PRINT)

# In front of a command: shows a line that says what it makes, or with V=1 the command itself.
making = $(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),,@printf '  %-4s %s\n' '$(1)' '$(2)';)

.PHONY: all collector deps deps-demo deps-verify demo check verify lint bench screenshots stress fuzz zoo install uninstall sysroot deps-guest clean units programs tests FORCE
.DELETE_ON_ERROR:
LIBRARIES   := $(addprefix $(O)/lib/,libcollector.so libcollector_mpi.so libcollectorAPI.so libcollectorAPI.a)
all: $(O)/bin/collect $(O)/bin/er_print $(LIBRARIES) $(O)/completion/er_print $(O)/completion/_er_print
collector: $(LIBRARIES) $(if $(CROSS),$(if $(FOREIGN),$(O)/bin/collect),$(O)/bin/collect)

# A file that holds a text and is written only when the text changes: what was built from another text is built again.
define remember
$(O)/$(1): $(if $(filter-out x$(subst $() ,_,$(strip $(2))),x$(subst $() ,_,$(strip $(file <$(O)/$(1))))),FORCE)
	@mkdir -p $(O)
	@printf '%s\n' '$(2)' >$(O)/$(1)
endef
$(eval $(call remember,compiler,$(CC) $(CXX) $(TOOLS) $(PRELOAD)))
$(eval $(call remember,objects,$(OBJECTS:$(O)/%=%) $(LDFLAGS) $(LINKS_er_print) $(PFM)))

# The layer of a source is its folder; of libcollector's it is the folder below libcollector, or the one below kinds.
collector_layer = $(C)/$(word 2,$(1))$(if $(filter kinds,$(word 2,$(1))),/$(word 3,$(1)))
layer = $(if $(filter $(C)/%,$(1)),$(call collector_layer,$(subst /, ,$(1))),$(patsubst %/,%,$(dir $(1))))
includes = $(SEES_$(call layer,$(1))) $(call foreign,$(1))
$(O)/pic/%.o: %.c Makefile $(O)/compiler
	@mkdir -p $(@D)
	$(call making,CC,$<) $(CC) $(PRELOAD) $(call includes,$<) -MMD -MP -c -o $@ $<
$(O)/obj/%.o: %.c Makefile $(O)/compiler
	@mkdir -p $(@D)
	$(call making,CC,$<) $(CC) $(TOOLS) $(call includes,$<) -MMD -MP -c -o $@ $<

# Names that are defined in assembly are not seen by link-time optimization.
$(O)/pic/$(C)/code/dlopen.o $(O)/pic/$(C)/kinds/sync/conditions.o $(O)/pic/$(C)/kinds/openmp/libgomp.o $(O)/pic/$(C)/kinds/openmp/libgomp_pairs.o $(O)/pic/$(C)/kinds/openmp/libgomp_tasks.o $(O)/pic/$(C)/kinds/openmp/libgomp_waits.o: PRELOAD += -fno-lto

# The help of single commands is the manual's text.
MANUAL := $(O)/manual/command_manual.inc
$(MANUAL): $(P)/commands/manual.awk man/er_print.1
	@mkdir -p $(@D)
	$(call making,AWK,$@) awk -f $^ >$@
$(O)/obj/$(P)/commands/command_manual.o: TOOLS += $(call quote,$(O)/manual)
$(O)/obj/$(P)/commands/command_manual.o: $(MANUAL)

# Completion for shells: the words of the tables before the code that offers them.
$(O)/completion/words: er_print/completion/words.h er_print/completion/words.awk $(P)/commands.def er_print/aggregate/metrics.def
	@mkdir -p $(@D)
	$(call making,CPP,$@) $(CC) -E -P $(call quote,$(P) er_print/aggregate) $< >$@.rows && awk -f er_print/completion/words.awk $@.rows >$@
$(O)/completion/er_print: $(O)/completion/words er_print/completion/er_print.bash
	@cat $^ >$@
$(O)/completion/_er_print: $(O)/completion/words er_print/completion/er_print.zsh
	@(echo '#compdef er_print' && cat $^) >$@

# No compiler knows the files that .incbin takes in. A page names the hashes of its style and its script, whose parts are
# page_scripts of picture_files.c.
PICTURES := $(P)/pictures
PAGE_SCRIPTS := $(patsubst %,$(PICTURES)/%.js,frame_text change_text data_reader tree_data tree_view tree_search tree_edit chart_axis chart_time page_data page_scale page_change page_state page_canvas page_viewer page_controls)
$(O)/page/page_hashes.inc: $(PICTURES)/hash.awk $(PICTURES)/page.css $(PAGE_SCRIPTS)
	@mkdir -p $(@D)
	$(call making,SHA,$@) { sha256sum $(PICTURES)/page.css | awk -v name=PAGE_STYLE_HASH -f $< && \
		(echo '(function () {'; cat $(PAGE_SCRIPTS); echo '})();') | sha256sum | awk -v name=PAGE_SCRIPT_HASH -f $<; } >$@
$(O)/obj/$(PICTURES)/picture_files.o: TOOLS += $(call quote,$(O)/page)
$(O)/obj/$(PICTURES)/picture_files.o: $(O)/page/page_hashes.inc $(wildcard $(PICTURES)/*.css $(PICTURES)/*.js $(PICTURES)/*.html)

# The second is the first with the wrappers of MPI, which other programs need not carry.
$(O)/lib/libcollector_mpi.so: $(COLLECTOR_MPI)
$(O)/lib/libcollector.so $(O)/lib/libcollector_mpi.so: $(COLLECTOR) $(FORMAT_PIC) libcollector/versions.map $(O)/objects
	@mkdir -p $(@D)
	$(call making,LD,$@) $(CC) $(PRELOAD) -shared -Wl,-z,defs -Wl,-z,now -Wl,-z,initfirst -Wl,-z,noexecstack -Wl,-soname,$(@F) -Wl,--version-script=libcollector/versions.map -o $@ $(filter %.o,$^)
$(O)/lib/libcollectorAPI.so: $(API) $(O)/objects
	@mkdir -p $(@D)
	$(call making,LD,$@) $(CC) $(PRELOAD) -shared -Wl,-z,defs -Wl,-z,noexecstack -Wl,--as-needed -Wl,-soname,libcollectorAPI.so -o $@ $(API) -ldl
$(O)/bin/collect: $(COLLECT) $(O)/lib/libformat.a $(O)/objects
	@mkdir -p $(@D)
	@$(if $(PFM),,echo '  collect is built without libpfm4 (libpfm4-dev): -h knows the events of the kernel alone')
	$(call making,LD,$@) $(CC) $(TOOLS) -o $@ $(COLLECT) $(O)/lib/libformat.a $(LDFLAGS) $(LINKS_collect)
$(O)/bin/er_print: $(ER_PRINT) $(O)/lib/libformat.a $(O)/objects
	@mkdir -p $(@D)
	@$(if $(OTF2),,echo '  er_print is built without OTF2 (libotf2-trace-dev libopen-trace-format2-dev): it has no command otf2')
	$(call making,LD,$@) $(CC) $(TOOLS) -o $@ $(ER_PRINT) $(O)/lib/libformat.a $(LDFLAGS) $(LINKS_er_print)

# An archive per layer, for what stands on it.
$(O)/lib/libformat.a: $(FORMAT)
$(O)/lib/libcollectorAPI.a: $(API)
$(O)/lib/libcollector-parts.a: $(COLLECTOR)
$(O)/lib/libcollector_mpi-parts.a: $(COLLECTOR_MPI)
$(O)/lib/liber_load.a: $(ER_LOAD)
$(O)/lib/liber_resolve.a: $(ER_RESOLVE)
$(O)/lib/liber_aggregate.a: $(ER_AGGREGATE)
$(O)/lib/liber_present.a: $(filter-out %/main.o,$(ER_PRESENT))
$(O)/lib/%.a: $(O)/objects
	@mkdir -p $(@D)
	$(call making,AR,$@) rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

include tests/tests.mk

# The installed files, as PLACE|MODE|FILE; make uninstall removes them.
DOCUMENTS := share/doc/er-tools
INSTALLED := $(foreach file,bin/collect bin/er_print,$(file)|755|$(O)/$(file)) \
	$(foreach file,libcollector.so libcollector_mpi.so,lib/er-tools/$(file)|755|$(O)/lib/$(file)) \
	lib/libcollectorAPI.so|755|$(O)/lib/libcollectorAPI.so lib/libcollectorAPI.a|644|$(O)/lib/libcollectorAPI.a \
	lib/pkgconfig/collectorAPI.pc|644|$(O)/collectorAPI.pc \
	$(foreach file,$(wildcard $(A)/*.h),include/$(notdir $(file))|644|$(file)) \
	$(foreach file,$(wildcard man/*.[1-9]),share/man/man$(subst .,,$(suffix $(file)))/$(notdir $(file))|644|$(file)) \
	share/bash-completion/completions/er_print|644|$(O)/completion/er_print share/zsh/site-functions/_er_print|644|$(O)/completion/_er_print \
	$(foreach file,README.md LICENSE $(F)/FORMAT.md,$(DOCUMENTS)/$(notdir $(file))|644|$(file)) \
	$(foreach part,$(F) libcollector collect er_print tests,$(DOCUMENTS)/$(part)/LICENSE|644|$(part)/LICENSE)
fields = $(subst |, ,$(1))
$(O)/collectorAPI.pc: Makefile $(F)/version.h FORCE
	@printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$${prefix}/lib' 'includedir=$${prefix}/include' '' 'Name: collectorAPI' \
		'Description: functions by which a program speaks to the er-tools collector that records it' \
		"Version: $$(sed -n 's/.*ER_TOOLS_VERSION "\(.*\)"/\1/p' $(F)/version.h)" \
		'Libs: -L$${libdir} -lcollectorAPI' 'Libs.private: -ldl' 'Cflags: -I$${includedir}' >$@
install: all $(O)/collectorAPI.pc
	@$(foreach file,$(INSTALLED),install -D -m $(word 2,$(call fields,$(file))) $(word 3,$(call fields,$(file))) '$(DESTDIR)$(PREFIX)/$(word 1,$(call fields,$(file)))' &&) \
		echo '  installed in $(DESTDIR)$(PREFIX)'
uninstall:
	@rm -f $(foreach file,$(INSTALLED),'$(DESTDIR)$(PREFIX)/$(word 1,$(call fields,$(file)))')
	@cd '$(DESTDIR)$(PREFIX)' && rmdir -p --ignore-fail-on-non-empty $(sort $(foreach file,$(filter $(DOCUMENTS)/% lib/er-tools/%,$(INSTALLED)),$(patsubst %/,%,$(dir $(word 1,$(call fields,$(file))))))) 2>/dev/null || true

sysroot:
	tests/tools/sysroot $(SYSROOT)
deps-guest: deps-verify
	tests/guest/build build-aarch64 build/guest

clean:
	rm -rf build build-*

-include $(OBJECTS:.o=.d)
