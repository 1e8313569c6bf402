# SPDX-License-Identifier: Apache-2.0
# The part of a function's name that er_print and the second reader have in common, since each writes it in its own way.
import re

# Functions of one name are told apart by their load object, their file or their address; the second reader knows them by name.
TOLD_APART = re.compile(r" \((?:<[^<>]+>|[^()/ ]+:[0-9]+|0x[0-9a-f]+)\)$")
OPERATOR = re.compile(r"operator(?:\(\)|<=>|<<=?|>>=?|->\*?|<=?|>=?)")
BRACKETS = re.compile(r"<[^<>]*>|\([^()]*\)|\{[^{}]*\}|\[[^\[\]]*\]")


def without_scopes(name):
    """An inlined function that has no linkage name is what the debug information's entry says ("make", "sort<int>"); er_print writes
    scopes, arguments and template arguments as the demangler does. Both are this much: "make", "sort"."""
    if name.startswith("<") or not re.search("[(<]|::", name):
        return name
    bare = OPERATOR.sub(lambda match: "operator" + "".join("_%x" % ord(c) for c in match[0][8:]), name)
    while BRACKETS.search(bare):
        bare = BRACKETS.sub("", bare)
    return re.split("::| ", bare.replace(" const", "").strip())[-1]


def common_name(name):
    return without_scopes(TOLD_APART.sub("", name))
