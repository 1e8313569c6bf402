# SPDX-License-Identifier: Apache-2.0
# Random folded stacks with two counts, drawn as each kind of difference and computed by a second program: the same frames at the same
# places, with the same words and colours.
#   picture_random_differences.py ER_PRINT FIRST LAST    one file for each number
import math
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
import picture_frames

er_print = sys.argv[1]
DRAWN = [(shown, change, scaled) for shown in ("coloured", "mean", "change") for change in ("inclusive", "exclusive") for scaled in (False, True)]
NAMES = ["main", "main1", "a", "b", "visit", "operator<", "naïve", "z.part.0", "lock", "x y"]


def stacks_of(seed):
    source = random.Random(seed)
    names = NAMES[:source.randrange(2, len(NAMES))]
    count = lambda: source.choice((0, 1, 7, 300, source.randrange(1, 1000)))
    stacks = {tuple(source.choice(names) for _ in range(source.randrange(1, 6))): (count(), count()) for _ in range(source.randrange(1, 40))}
    stacks["main",] = (1, 2)
    return {path: counts for path, counts in stacks.items() if any(counts)}


def column(stacks, of):
    return picture_frames.sums_of([(path, counts[of]) for path, counts in stacks.items()])


class Expected:
    """Sums of all paths, and where frames stand: {(depth, x, width, name): (path, whether it is missing)}."""

    def __init__(self, stacks, shown, change, scaled):
        self.change = change
        self.all = [sum(counts[i] for counts in stacks.values()) for i in (0, 1)]
        self.scale = self.all[0] / self.all[1] if scaled else 1
        self.scaled = scaled
        self.inclusive = [column(stacks, i) for i in (0, 1)]
        self.exclusive = [{("<Total>", *path): counts[i] for path, counts in stacks.items()} for i in (0, 1)]
        gone = lambda path: not self.inclusive[1].get(path)
        width = {"coloured": lambda b, a: a, "mean": lambda b, a: b + a, "change": lambda b, a: abs(a - b)}[shown]
        drawn = [(path, width(counts[0], counts[1] * self.scale)) for path, counts in stacks.items()]
        missing = [(path, counts[0]) for path, counts in stacks.items() if counts[0] and gone(("<Total>", *path))] if shown == "coloured" else []
        whole, apart = sum(value for _, value in drawn), sum(value for _, value in missing)
        self.pixels = 1180 / (whole + apart)
        self.frames = self.placed(drawn, 10, whole * self.pixels, False)
        self.frames += self.placed(missing, 10 + whole * self.pixels, apart * self.pixels, True)
        self.most = max(abs(self.by(path, change)) for path in set(self.inclusive[0]) | set(self.inclusive[1])
                        if len(path) > 1 and not (shown == "coloured" and gone(path))) if len(stacks) else 0

    def placed(self, stacks, x, width, missing):
        found, path = [], []
        if not sum(value for _, value in stacks):
            return found
        for depth, at, wide, name in picture_frames.lay_out(stacks, width, x):
            path = path[:depth] + [name]
            found.append((depth, at, wide, "missing" if missing and not depth else name, tuple(path), missing))
        return found

    def sums(self, path, flavour):
        of = self.inclusive if flavour == "inclusive" else self.exclusive
        return of[0].get(path, 0), of[1].get(path, 0)

    def by(self, path, flavour):
        before, after = self.sums(path, flavour)
        by = after * self.scale - before
        return 0 if abs(by) < 1e-9 * (before + after) else by

    def within(self, path, flavour, before, after):
        share = lambda n, total: n * (1 - n / total) if self.scaled else n
        error = math.sqrt(share(before, self.all[0]) + share(after, self.all[1]) * self.scale ** 2)
        return abs(after * self.scale - before) <= 2 * error

    def said(self, path, flavour, missing):
        before, after = self.sums(path, flavour)
        if missing:
            before, after = gone_before(self, path, flavour), 0
        by = 0 if not missing and not self.by(path, flavour) else after * self.scale - before
        noise = ", within 2 standard errors" if by and self.within(path, flavour, before, after) else ""
        whole = lambda value: format(math.floor(value + 0.5), ",")
        text = "%s before, %.2f%%; " % (whole(before), 100 * before / self.all[0])
        if missing:
            return text + "missing after" + noise
        text += "%s after, %.2f%%; " % (whole(after * self.scale), 100 * after / self.all[1])
        if not by:
            return text + "no change"
        return text + "%s%s, %s%s" % ("+" if by > 0 else "-", whole(abs(by)), "%+.2f%%" % (100 * by / before) if before else "new", noise)

    def colour(self, path, missing):
        if missing:
            return "url(#missing)"
        if len(path) == 1:
            return "rgb(200,200,200)"
        by, (before, after) = self.by(path, self.change), self.sums(path, self.change)
        if not by or self.within(path, self.change, before, after):
            return "rgb(255,255,255)"
        rest = int(210 * (self.most - abs(by)) / self.most + 1e-9)
        return "rgb(255,%d,%d)" % (rest, rest) if by > 0 else "rgb(%d,%d,255)" % (rest, rest)


def gone_before(expected, path, flavour):
    """A frame that is missing has what the paths through it had that are gone."""
    return sum(value for end, value in expected.exclusive[0].items()
               if not expected.inclusive[1].get(end) and (end[:len(path)] == path if flavour == "inclusive" else end == path))


def draw(stacks):
    with open("random.folded", "w", encoding="utf-8") as stream:
        for frames, counts in stacks.items():
            print(";".join(frames), *counts, file=stream)
    with open("random.script", "w", encoding="utf-8") as script:
        for i, (shown, change, scaled) in enumerate(DRAWN):
            print("compare", "on:by=folded" if scaled else "on", file=script)
            print("picture least=0.000001%%:difference=%s:change=%s" % (shown, change), file=script)
            print("flamegraph random.%d.svg" % i, file=script)
    subprocess.run([er_print, "-import", "random.folded", "-script", "random.script"], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def main():
    first, last, count = int(sys.argv[2]), int(sys.argv[3]), 0
    for seed in range(first, last + 1):
        stacks = stacks_of(seed)
        draw(stacks)
        for i, kind in enumerate(DRAWN):
            expected = Expected(stacks, *kind)
            got = sorted(picture_frames.read("random.%d.svg" % i)[0], key=lambda frame: (frame.depth, frame.x))
            wanted = sorted(expected.frames, key=lambda frame: (frame[0], frame[1]))
            assert len(got) == len(wanted), (seed, kind, len(got), len(wanted))
            for have, (depth, x, width, name, path, missing) in zip(got, wanted):
                assert (have.depth, have.name) == (depth, name) and abs(have.x - x) < 0.06 and abs(have.width - width) < 0.06, (seed, kind, have, x, width, name)
                said = expected.said(path, "inclusive", missing)
                if kind[1] == "exclusive":
                    said += "; exclusive: " + expected.said(path, "exclusive", missing)
                assert have.said == said, (seed, kind, have, said)
                assert have.fill == expected.colour(path, missing), (seed, kind, have, expected.colour(path, missing))
                count += 1
    print(last - first + 1, "files,", count, "frames")


if __name__ == "__main__":
    main()
