# SPDX-License-Identifier: Apache-2.0
# Output of perf script, or a profile of pprof, that is odd and damaged: imports.py SEED. The same seed gives the same file.
import random
import sys
import zlib

WORDS = ["main", "a b", "std::pair<int, int>::swap(std::pair<int, int>&)", "[unknown]", "", "0", "(", ")", "x+0x", "+0x10", "%s%n", "\x01",
         "inlined", "n" * 3000, "cycles:u:", "12", "1/2", "[000]", "9.5:", "cpu-clock:", "f.c:3", "/a/b (deleted)"]
NUMBERS = [0, 1, 2, 127, 128, 300, 2 ** 24, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 63 - 1, 2 ** 63, 2 ** 64 - 1]


def perf(chance):
    def some(text):
        return chance.choice(WORDS) if chance.randrange(40) == 0 else text

    lines = ["# ========"] if chance.randrange(3) == 0 else []
    for i in range(chance.choice((1, 3, 30))):
        lines.append(" ".join((some("app"), some("%d/%d" % (chance.randrange(3), chance.randrange(5))), some("[%03d]" % chance.randrange(4)),
                               some("%d.%06d:" % (i, chance.randrange(10 ** 6))), some(str(chance.choice(NUMBERS[:9]))),
                               some(chance.choice(("cycles:u:", "cpu-clock:", "e%d:" % chance.randrange(30)))))))
        for _ in range(chance.choice((0, 1, 3, 200))):
            lines.append("\t%x %s+0x%x (%s)" % (chance.choice(NUMBERS), some("f%d" % chance.randrange(9)), chance.choice(NUMBERS),
                                             some(chance.choice(("/bin/app", "inlined", "[kernel.kallsyms]")))))
            if chance.randrange(3) == 0:
                lines.append("  " + some("app.c:%d" % chance.choice(NUMBERS)))
        lines.append(some(""))
    return "\n".join(lines).encode()


def number(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(tag, value):
    if isinstance(value, bytes):
        return number(tag << 3 | 2) + number(len(value)) + value
    return number(tag << 3) + number(value)


def pprof(chance):
    def some(value):
        return chance.choice(NUMBERS) if chance.randrange(40) == 0 else value

    def message(*fields):
        return b"".join(field(tag, value if isinstance(value, bytes) else some(value)) for tag, value in fields)

    out = [field(1, message((1, 1 + i), (2, 3 + i % 2))) for i in range(chance.choice((1, 2, 2, 20)))]
    out += [field(3, message((1, 1), (2, 0x1000), (3, 0x9000), (5, 5)))]
    out += [field(5, message((1, i), (2, 5 + i), (4, 6), (5, i))) for i in range(1, 9)]
    for i in range(1, 20):
        lines = b"".join(field(4, message((1, 1 + chance.randrange(8)), (2, chance.choice(NUMBERS[:5])))) for _ in range(chance.randrange(4)))
        out.append(field(4, message((1, i), (2, 1), (3, 0x1000 + i)) + lines))
    for _ in range(chance.choice((0, 1, 30))):
        path = b"".join(number(some(1 + chance.randrange(19))) for _ in range(chance.choice((0, 1, 5, 300))))
        out.append(field(2, field(1, path) + field(2, number(some(3)) + number(some(7)))))
    out += [field(6, text.encode()) for text in ["", "samples", "cpu", "count", "nanoseconds"] + WORDS]
    out += [field(9, some(10 ** 18)), field(10, some(10 ** 9))]
    if chance.randrange(4) == 0:
        chance.shuffle(out)
    return b"".join(out)


def main():
    chance = random.Random(int(sys.argv[1]))
    text = bytearray(chance.choice((perf, pprof))(chance))
    if chance.randrange(2) == 0:
        for _ in range(chance.randrange(1, 9)):
            text[chance.randrange(len(text))] ^= 1 << chance.randrange(8)
    if chance.randrange(6) == 0:
        del text[chance.randrange(len(text) + 1):]
    if chance.randrange(4) == 0:
        packed = zlib.compressobj(wbits=31)
        text = bytearray(packed.compress(bytes(text)) + packed.flush())
        if chance.randrange(4) == 0:
            del text[chance.randrange(len(text)):]
    sys.stdout.buffer.write(bytes(text))


main()
