# SPDX-License-Identifier: Apache-2.0
# Scripts for er_print from a corpus: sentences.py SEED CORPUS [COUNT]. The corpus is lines of commands; words of some are put
# into others, cut, doubled, and replaced by what a parser may trip over. The same seed gives the same script.
import random
import re
import sys

AWKWARD = ("", "\"", "\"\"", "\\", "'", "(", ")", "((((((((", "))", "-1", "0", "18446744073709551615", "18446744073709551616",
           "9" * 400, "0x", "0xffffffffffffffff", "1e309", "nan", "%s%n%s", "\x01", "\xff\xfe", "A" * 70000, "<Total>", "all",
           ",", ":", "!", "~", "-", "+", "&&", "||", "?", "? :", "1/0", "1%0", "-9223372036854775808/-1", "1<<64", "1<<-1",
           "IN", "SOME IN", "ORDERED SOME IN", "FNAME(\"(\")", "FNAME(\"[\")", "FNAME(\".*\")", "FNAME(\"(a*)*b\")", "LEAF", "STACK",
           "()", "(1,2,3)", "[", "]", "*", "**", "=", "==", "!=", ";", "#", "$", "$expts", "`", "e.%", "i.%%", "e.!+.%totalcpu")


def mutated(chance, words, pool):
    words = list(words)
    for _ in range(chance.choice((0, 1, 1, 2, 4))):
        at = chance.randrange(len(words) + 1)
        way = chance.randrange(6)
        if way == 0:
            words.insert(at, chance.choice(AWKWARD))
        elif way == 1:
            words.insert(at, chance.choice(pool))
        elif way == 2 and len(words) > 1:
            del words[at % len(words)]
        elif way == 3 and words:
            words[at % len(words)] = chance.choice(pool + list(AWKWARD))
        elif way == 4 and words:
            word = words[at % len(words)]
            cut = chance.randrange(len(word) + 1)
            words[at % len(words)] = word[:cut] + chance.choice(AWKWARD) + word[cut:]
        elif words:
            words[at:at] = words[chance.randrange(len(words)):][:8] * chance.choice((1, 2, 300))
    return words


def main():
    chance = random.Random(int(sys.argv[1]))
    with open(sys.argv[2], encoding="utf-8") as corpus:
        lines = [re.findall(r'"[^"]*"|[A-Za-z_$<][\w.%!+:-]*|\d\w*|[^\s\w]+|\S', line) for line in corpus
                 if line.strip() and not line.startswith("#")]
    pool = sorted({word for line in lines for word in line})
    out = []
    for _ in range(int(sys.argv[3]) if len(sys.argv) > 3 else 40):
        line = chance.choice(lines)
        # The first word stays what it is: nothing is written outside, and the script goes on to its end.
        out.append(" ".join([line[0]] + mutated(chance, line[1:], pool)).replace("\n", " "))
        if chance.randrange(12) == 0:
            out[-1] += "\\"
    sys.stdout.buffer.write(("\n".join(out) + "\n").encode("latin-1", "replace"))


main()
