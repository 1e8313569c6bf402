# SPDX-License-Identifier: Apache-2.0
# A file of folded stacks that is odd in many ways: folded.py SEED. The same seed gives the same file.
import random
import sys

NAMES = [b"main", b"foo1", b"bar", b"std::vector<int, std::allocator<int> >::push_back(int&&)", b"a b c", b"", b" ", b"12", b"-", b"--",
         b"[unknown]", b"x_[k]", b"<&\"'>", b"</script>", b"\x01\x02", b"\xff\xfe\xc0", b"\xe2\x80\xae", b"%s%n", b"\x00", b"n" * 5000]
COUNTS = [b"1", b"42", b"0", b"1.5", b"0.0000001", b"7.", b".5", b"-3", b"1e9", b"18446744073709551615", b"18446744073709551616",
          b"9223372036854775807", b"99999999999999", b"9" * 60, b"1 2", b"", b"nan", b"0x10", b"4\r", b"4 \t"]


def stack(chance):
    depth = chance.choice((0, 1, 2, 3, 3, 5, 8, 40, 3000))
    few = [chance.choice(NAMES) for _ in range(3)]
    return b";".join(chance.choice(few if depth > 40 else NAMES) for _ in range(depth))


def main():
    chance = random.Random(int(sys.argv[1]))
    lines = [stack(chance) + chance.choice((b" ", b" ", b" ", b"", b"\t", b"  ")) +
             (chance.choice(COUNTS) if chance.randrange(4) == 0 else b"%d" % chance.randrange(1000))
             for _ in range(chance.choice((0, 1, 3, 20, 200)))]
    text = bytearray(chance.choice((b"\n", b"\n", b"\r\n", b"\n\n")).join(lines))
    if chance.randrange(3) == 0:
        for _ in range(chance.randrange(1, 9)):
            if text:
                text[chance.randrange(len(text))] ^= 1 << chance.randrange(8)
    if chance.randrange(4) == 0:
        del text[chance.randrange(len(text) + 1):]
    sys.stdout.buffer.write(bytes(text) + (b"\n" if chance.randrange(2) else b""))


main()
