#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# No include goes around the build's lists, and each library is used in one room only.
set -u
broken=0
# refuse WHERE-NOT-REGEX INCLUDE-REGEX SENTENCE: no file outside the first regex may include what matches the second.
refuse()
{
	local found
	found=$(tests/house/sources '\.(c|h|cc|def)$' | grep -Ev -- "$1" |
		xargs -r grep -nE -- "^[[:space:]]*#[[:space:]]*include[[:space:]]*$2" /dev/null)
	[ -z "$found" ] && return
	printf '%s\n' "$3" "$found"
	broken=1
}
refuse '^$' '["<][^">]*\.\./' 'an include goes through ../'
refuse '^$' '"[^"]*/' 'an include names a folder: the SEES_ lists of the Makefile decide where headers are found'
refuse '^(experiment-format/read|tests)/' '<expat' 'expat belongs to experiment-format/read'
refuse '^(er_print/resolve/|tests/|collect/(experiment/archive_sources|base/own_malloc)\.c$)' '<(elfutils/|libelf|gelf|dwarf\.h)' 'elfutils belongs to er_print/resolve and to what collect asks of a target'
refuse '^er_print/resolve/disassembler?[^/]*\.c$' '<(dis-asm|bfd)\.h' 'libopcodes belongs to one file of er_print/resolve'
refuse '^er_print/resolve/' '<(demangle|libiberty/demangle)\.h' 'libiberty belongs to er_print/resolve'
refuse '^er_print/present/commands/' '<(histedit|editline/)' 'libedit belongs to er_print/present/commands'
refuse '^tests/' '<check\.h>' 'Check is for the tests'
refuse '^(collect/|er_print/|tests/|experiment-format/read/|experiment-format/base/(cache_folder|error|nearest|storage)\.c$|libcollector/kinds/io/descriptor_call\.h$)' '<stdio\.h>' 'the collector and the writer do not use stdio'
exit $broken
