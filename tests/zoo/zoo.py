# SPDX-License-Identifier: Apache-2.0
# The zoo: zoo.py BUILD [PATTERN]. Real programs (programs.toml), each by itself, with the clock and with all kinds. A row of the table
# says whether the result is unchanged, what the clock costs (CPU time beside the run by itself, median of pairs), whether the
# recorded time is that of the kernel's account, how many stacks are complete, how much time has none, the size of the
# experiment and how long er_print takes. A whole run is written to tests/ZOO.md, one of a part (PATTERN, a regular expression
# of names) to BUILD/tests/ZOO.md. Files of runs that went wrong are kept in BUILD/tests/zoo. PAIRS (default 3), TRIES (of all kinds, instead of those of the table). Programs that cannot
# be installed are skipped. Needs root, for control groups. Exit status 1 if a row does not hold what it must.
import datetime
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import tomllib

import runs

ALL_KINDS = ["-p", "hi", "-s", "all", "-H", "on", "-i", "on"]
FEW_STACKS = 5  # of a short run a handful is more than 1 %
HEAD = """# The zoo

Written by `make zoo`: programs that nobody here wrote, each by itself, with the clock (`-p on`), and with all kinds (`{kinds}`).

- result: unchanged if each run ended as by itself and the program's own check printed the same
- CPU: user and system time of all of its processes with the clock, beside that by itself; the median of {pairs} pairs
- total: the time in the report beside what the kernel's control group counted for all of its processes, in the same run; + what the
  report says was not recorded. At most 3 % off, or the reason is named
- stacks: those that are complete, of all that were taken with the clock; at least 99 %, or all but five, or the reason is named
- no stack: share of the time that has none
- size: the experiment with the clock, without the copies of its programs and with them
- er_print: seconds for the list of functions, with the clock and with all kinds

- date: {date}
- machine: {machine}
- er-tools: {version}

| program | result | runs | CPU | total | stacks | no stack | size (MB) | er_print (s) | |
|---|---|---|---|---|---|---|---|---|---|
"""


def first_line(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout.splitlines()[0] if done.returncode == 0 and done.stdout else "unknown"


def machine():
    with open("/proc/cpuinfo") as stream:
        model = re.search(r"model name\s*: (.*)", stream.read())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return f"{os.cpu_count()} x {model.group(1) if model else platform.machine()}, {memory:.0f} GB, kernel {platform.release()}"


def install(packages):
    """True: they are there."""
    query = ["dpkg-query", "-W", "-f", "${db:Status-Status}\n", *packages]

    def there():
        done = subprocess.run(query, capture_output=True, text=True)
        return done.returncode == 0 and done.stdout.split() == ["installed"] * len(packages)
    if not there():
        subprocess.run([os.path.join(os.path.dirname(os.path.abspath(__file__)), "install"), *packages])
    return there()


class Zoo:
    def __init__(self, build):
        self.pairs = int(os.environ.get("PAIRS", 3))
        self.kept = f"{build}/tests/zoo"
        self.scratch = tempfile.mkdtemp(prefix="er-tools-zoo.", dir=os.environ.get("TMPDIR", "/var/tmp"))
        os.chmod(self.scratch, 0o755)  # servers run as users of their own
        os.mkdir(f"{self.scratch}/out")
        os.chmod(f"{self.scratch}/out", 0o1777)
        root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
        subprocess.run(["make", "-s", "-C", root, "install", f"O={build}", f"PREFIX={self.scratch}/er-tools"], check=True,
                       stdout=subprocess.DEVNULL)
        self.collect, self.er_print = f"{self.scratch}/er-tools/bin/collect", f"{self.scratch}/er-tools/bin/er_print"
        os.environ["XDG_CACHE_HOME"] = f"{self.scratch}/out/cache"
        self.group = runs.Group()

    def end(self):
        if self.group.path:
            self.group.end()
            self.group.remove()
        shutil.rmtree(self.scratch, ignore_errors=True)

    def once(self, row, options=None):
        """A run by itself, or with these options of collect; its experiment is SCRATCH/out/work.er."""
        experiment = f"{self.scratch}/out/work.er"
        subprocess.run(["rm", "-rf", experiment, f"{self.scratch}/out/said"])
        command = [self.collect, *options, "-O", f"{self.scratch}/out/said", "-o", experiment] if options else ()
        done = runs.run(row, f"{self.scratch}/prepared", f"{self.scratch}/work", self.group, command)
        done.experiment = experiment
        return done

    def prepare(self, row):
        directory = f"{self.scratch}/prepared"
        shutil.rmtree(directory, ignore_errors=True)
        os.mkdir(directory)
        os.chmod(directory, 0o755)
        done = runs.shell("set -e\n" + row.get("prepare", ""), directory, capture_output=True, text=True, errors="replace")
        return "" if done.returncode == 0 else f"cannot be prepared: {done.stderr.strip()[-200:]}"

    def by_itself(self, row):
        """(the run, or None, why there is none)"""
        missing = [] if install(row["packages"].split()) else [row["packages"]]
        if missing:
            return None, f"not installed: {missing[0]}"
        if "user" in row and not self.group.is_for_all:
            return None, "other users cannot join a control group here"
        error = self.prepare(row)
        plain = self.once(row) if not error else None
        if error or plain.error:
            return None, f"does not run here by itself: {error or plain.error}"
        return plain, ""

    def measure(self, name, row):
        """A row of the table: (cells, what does not hold, or why it is skipped as the only cell)."""
        plain, why = self.by_itself(row)
        return self.compare(name, row, plain) if plain else ([why], [])

    def compare(self, name, row, plain):
        wrong, ratios = [], []
        for _ in range(self.pairs):
            clock = self.once(row, ["-p", "on"])
            self.judge(f"{name} with the clock", plain, clock, wrong)
            ratios.append(clock.cpu / plain.cpu if plain.cpu else 1)
            if len(ratios) < self.pairs:
                plain = self.once(row)
        said = runs.report(self.er_print, clock.experiment)
        if said.error:
            wrong.append(said.error)
        cells = [self.total(row, clock, said, wrong), self.stacks(row, clock, wrong)]
        cells.append(f"{100 * said.no_stack / said.total:.1f} %" if said.total else "")
        data, archives = runs.size(clock.experiment)
        cells.append(f"{data / 1e6:.2f} + {archives / 1e6:.0f}")
        tries = int(os.environ.get("TRIES", row.get("tries", 1)))
        took = self.all_kinds(name, row, tries, plain, wrong)
        cells.append(f"{said.took:.2f} {took:.2f}")
        result = "**changed**" if any(text.startswith("result of") for text in wrong) else "unchanged"
        return [result, str(self.pairs + tries), f"{statistics.median(ratios):.2f}", *cells], wrong

    def judge(self, what, plain, done, wrong):
        """Whether a run ended as the one by itself. The files of one that did not are kept."""
        text = done.error
        if not text and done.result != plain.result:
            text = f"another result: {done.result[-100:]!r}"
        if text:
            kept = f"{self.kept}/{what.replace(' ', '-')}"
            shutil.rmtree(kept, ignore_errors=True)
            os.makedirs(self.kept, exist_ok=True)
            subprocess.run(["cp", "-a", done.directory, kept])
            subprocess.run(["cp", "-a", done.experiment, f"{kept}/work.er"], stderr=subprocess.DEVNULL)
            wrong.append(f"result of {what}: {text}")

    def total(self, row, clock, said, wrong):
        off = 100 * (said.total / clock.cpu - 1) if clock.cpu else 0
        named = 100 * ((said.total + said.missing) / clock.cpu - 1) if clock.cpu else 0
        if abs(off) > 3 and abs(named) > 3 and not said.unknown and abs(said.total + said.missing - clock.cpu) > 0.02:
            wrong.append(f"total {said.total:.3f} + {said.missing:.3f} of {clock.cpu:.3f} s")
        return f"{off:+.1f} %" + (f", named {said.missing:.2f} s" if said.missing else ", named" if said.unknown else "")

    def stacks(self, row, clock, wrong):
        taken, complete = runs.stacks(clock.experiment)
        share = 100 * complete / taken if taken else 100
        if share < 99 and taken - complete > FEW_STACKS and not row.get("stacks"):
            wrong.append(f"{share:.1f} % of {taken} stacks are complete")
        return f"{share:.1f} %" + (f" ({row['stacks']})" if share < 99 and row.get("stacks") else "")

    def all_kinds(self, name, row, tries, plain, wrong):
        """Seconds that er_print took for the last of the runs."""
        for _ in range(tries):
            done = self.once(row, [*ALL_KINDS, *row.get("options", "").split()])
            self.judge(f"{name} with all kinds", plain, done, wrong)
        said = runs.report(self.er_print, done.experiment)
        if said.error:
            wrong.append(said.error)
        return said.took


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: zoo.py BUILD [PATTERN]")
    here = os.path.dirname(os.path.abspath(__file__))
    build, pattern = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
    with open(f"{here}/programs.toml", "rb") as stream:
        table = {name: row for name, row in tomllib.load(stream).items() if re.search(pattern, name)}
    zoo = Zoo(build)
    if not zoo.group.path:
        zoo.end()
        print("skipped: control groups cannot be made here (root?)")
        sys.exit(77)
    target = f"{build}/tests/ZOO.md" if pattern else f"{here}/../ZOO.md"
    text = HEAD.format(kinds=" ".join(ALL_KINDS), pairs=zoo.pairs, date=datetime.date.today(), machine=machine(),
                       version=first_line("git", "-C", here, "describe", "--always", "--dirty") + "; " + first_line("gcc", "--version"))
    held, short, skipped = 0, 0, 0
    try:
        for name, row in table.items():
            cells, wrong = zoo.measure(name, row)
            if len(cells) == 1:
                skipped += 1
                line = f"| {name} | {cells[0]} | | | | | | | | skipped |"
            else:
                held, short = held + (not wrong), short + bool(wrong)
                line = f"| {name} | " + " | ".join(cells) + f" | {'SHORT: ' + '; '.join(wrong) if wrong else 'ok'} |"
            print(line, flush=True)
            text += line + "\n"
    finally:
        zoo.end()
    with open(target, "w") as stream:
        stream.write(text)
    print(f"written: {os.path.normpath(target)}\n{held} rows hold, {short} are short, {skipped} skipped")
    sys.exit(1 if short else 0)


if __name__ == "__main__":
    main()
