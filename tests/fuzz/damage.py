# SPDX-License-Identifier: Apache-2.0
# Damages a copy of an experiment: damage.py SEED SOURCE COPY. The same seed does the same damage. Says what it did.
import os
import random
import shutil
import sys


def flip_bits(chance, data):
    for _ in range(chance.choice((1, 3, 40))):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def random_bytes(chance, data):
    at = chance.randrange(len(data))
    for i in range(at, min(len(data), at + chance.choice((1, 2, 4, 8, 64, 4096)))):
        data[i] = chance.randrange(256)


def extreme_number(chance, data):
    size = chance.choice((1, 2, 4, 8))
    at = chance.randrange(max(1, len(data) - size)) // size * size
    value = chance.choice((0, 1, (1 << 8 * size) - 1, 1 << 8 * size - 1, (1 << 8 * size - 1) - 1))
    data[at:at + size] = value.to_bytes(size, "little")


def zero(chance, data):
    at = chance.randrange(len(data))
    size = min(len(data) - at, chance.choice((1, 100, 4096, 65536)))
    data[at:at + size] = bytes(size)


def cut(chance, data):
    del data[chance.randrange(len(data)):]


def insert(chance, data):
    at = chance.randrange(len(data))
    data[at:at] = bytes(chance.randrange(256) for _ in range(chance.choice((1, 8, 4096))))


def double(chance, data):
    at = chance.randrange(len(data))
    data[at:at] = data[at:at + chance.choice((1, 64, 4096, 65536))]


def text(chance, data):
    """What an XML reader may trip over, and numbers and paths that a file should not hold."""
    words = (b"<", b">", b"&", b"&#0;", b"]]>", b"<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]>&b;", b"\"",
             b"99999999999999999999999", b"-1", b"0x", b"\n", b"\x00", b"\xff\xfe", b"%s%n", b"../" * 40, b"A" * 70000)
    at = chance.randrange(len(data))
    word = chance.choice(words)
    data[at:at + chance.choice((0, len(word)))] = word


def replace_file(chance, path):
    """The file is not what it seems."""
    how = chance.choice(("gone", "directory", "link to itself", "pipe", "another file", "no permission", "empty", "huge"))
    others = [name for name in os.listdir(os.path.dirname(path)) if os.path.isfile(os.path.join(os.path.dirname(path), name))]
    if how == "another file":
        shutil.copyfile(os.path.join(os.path.dirname(path), chance.choice(others)), path + ".new")
        os.replace(path + ".new", path)
        return how
    if how == "no permission":
        os.chmod(path, 0)
        return how
    if how == "huge":
        os.truncate(path, 1 << 40)
        return how
    os.remove(path)
    if how == "directory":
        os.mkdir(path)
    elif how == "link to itself":
        os.symlink(os.path.basename(path), path)
    elif how == "pipe":
        os.mkfifo(path)
    elif how == "empty":
        open(path, "wb").close()
    return how


def main():
    chance = random.Random(int(sys.argv[1]))
    shutil.copytree(sys.argv[2], sys.argv[3], symlinks=True)
    files = [os.path.join(folder, name) for folder, _folders, names in os.walk(sys.argv[3]) for name in sorted(names)
             if "archive" not in folder]
    files = sorted(path for path in files if os.path.isfile(path) and os.path.getsize(path))
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        path = chance.choice(files)
        if chance.randrange(8) == 0:
            if os.path.lexists(path) and os.path.isfile(path):
                print(os.path.basename(path), replace_file(chance, path))
            continue
        if not os.path.isfile(path) or not 0 < os.path.getsize(path) < 1 << 30 or not os.access(path, os.R_OK):
            continue
        with open(path, "rb") as stream:
            data = bytearray(stream.read())
        ways = [flip_bits, random_bytes, extreme_number, zero, cut, insert, double]
        if not path.endswith((".events", "stacks", "counters")):
            ways += [text] * 6
        way = chance.choice(ways)
        way(chance, data)
        with open(path, "wb") as stream:
            stream.write(data)
        print(os.path.basename(path), way.__name__)


main()
