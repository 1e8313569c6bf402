# SPDX-License-Identifier: Apache-2.0
# Random folded stacks, drawn in each shape and order and laid out by a second computation: the same frames at the same places.
#   picture_random.py ER_PRINT FIRST LAST    one file for each number
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
import picture_frames

er_print, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
SHAPES = [(leaf, order, recursion) for leaf in (False, True) for order in ("name", "heaviest", "time") for recursion in ("apart", "joined")]
CHARTS = [(leaf, recursion) for leaf in (False, True) for recursion in ("apart", "joined")]
AROUND = [(order, recursion) for order in ("name", "heaviest") for recursion in ("apart", "joined")]
NAMES = ["main", "main1", "main-x", "a", "b", "visit", "operator<", "naïve", "z.part.0", "std::sort<int, long>", "lock", "x y"]


def stacks_of(seed):
    source = random.Random(seed)
    names = NAMES[:source.randrange(2, len(NAMES))]
    return [([source.choice(names) for _ in range(source.randrange(1, 9))], source.choice((0, 1, 7, 300, source.randrange(1, 100000))))
            for _ in range(source.randrange(1, 60))] + [(["main"], 1)]


def shaped(stacks, leaf, recursion):
    stacks = [(picture_frames.joined(frames), value) for frames, value in stacks] if recursion == "joined" else stacks
    return [(frames[::-1], value) for frames, value in stacks] if leaf else stacks


def exclusive_of(stacks, leaf, _, recursion):
    """Row 4: stacks can be read back. Leaf first, what is exclusive to a path is what was called by it alone."""
    stacks = shaped(stacks, leaf, recursion)
    exclusive = {path: 0 for path in picture_frames.sums_of(stacks)}
    for frames, value in stacks:
        if value:
            exclusive[("<Total>", *frames)] += value
    return exclusive


def expected(stacks, leaf, order, recursion):
    return sorted(picture_frames.lay_out(shaped(stacks, leaf, recursion), heaviest=order == "heaviest", timely=order == "time"))


def draw(stacks, seed):
    with open("random.folded", "w", encoding="utf-8") as stream:
        for frames, value in stacks:
            print(";".join(frames), value, file=stream)
    with open("random.script", "w", encoding="utf-8") as script:
        for i, (leaf, order, recursion) in enumerate(SHAPES):
            print("tree", "bottom_up" if leaf else "top_down", file=script)
            print("picture least=0.000001%%:order=%s:recursion=%s" % (order, recursion), file=script)
            print("icicle" if (seed + i) % 3 == 0 else "flamegraph", "random.%d.svg" % i, file=script)
        for i, (leaf, recursion) in enumerate(CHARTS):
            print("tree", "bottom_up" if leaf else "top_down", file=script)
            print("picture recursion=" + recursion, file=script)
            print("flamechart random.chart%d.svg" % i, file=script)
        for i, (order, recursion) in enumerate(AROUND):
            print("tree top_down\npicture order=%s:recursion=%s\nsandwich %s random.around%d.svg" % (order, recursion, quoted(function_of(stacks, seed)), i), file=script)
    subprocess.run([er_print, "-import", "random.folded", "-script", "random.script"], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def function_of(stacks, seed):
    """One of those that have a value, and keep it where recursion is joined."""
    names = sorted({name for frames, value in shaped(stacks, False, "joined") if value for name in frames})
    return names[seed % len(names)]


def quoted(name):
    return '"%s"' % name


def compare(drawn, wanted, *where):
    got = sorted(drawn, key=lambda frame: frame.depth)  # from left to right in each row, as they are in the file
    assert len(got) == len(wanted), (*where, len(got), len(wanted))
    for have, want in zip(got, wanted):
        same = (have.depth, have.name) == (want[0], want[3]) and abs(have.x - want[1]) < 0.06 and abs(have.width - want[2]) < 0.06
        assert same, (*where, have, want)
    return len(got)


frames = 0
for seed in range(first, last + 1):
    stacks = stacks_of(seed)
    draw(stacks, seed)
    for i, shape in enumerate(SHAPES):
        drawn, rows, of_total = picture_frames.read("random.%d.svg" % i)
        assert of_total == (rows[0] if (seed + i) % 3 == 0 else rows[-1]), (seed, shape, "the root is at the wrong end")
        wanted = expected(stacks, *shape)
        frames += compare(drawn, wanted, seed, shape)
        exclusive = dict(picture_frames.stacks_of("random.%d.svg" % i))
        assert exclusive == exclusive_of(stacks, *shape), (seed, shape, "the data of the script")
    for i, chart in enumerate(CHARTS):
        wanted = sorted(picture_frames.lay_out_chart(shaped(stacks, *chart), "random.folded, thread 1"))
        frames += compare(picture_frames.read("random.chart%d.svg" % i)[0], wanted, seed, "chart", chart)
    for i, (order, recursion) in enumerate(AROUND):
        wanted = sorted(picture_frames.lay_out_around(shaped(stacks, False, recursion), function_of(stacks, seed), heaviest=order == "heaviest"))
        frames += compare(picture_frames.read("random.around%d.svg" % i)[0], wanted, seed, "around", order, recursion)
print(last - first + 1, "files,", frames, "frames")
