# SPDX-License-Identifier: Apache-2.0
# One run of a program of the zoo, by itself or under collect: what it printed, the CPU time that the kernel counted for all of
# its processes (a control group), and what its experiment says.
"""Used by zoo.py."""
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
from experiment import Experiment  # noqa: E402

LIMIT = 180  # seconds that a run may take


class Group:
    """A control group that the program joins first: its CPU time is that of all processes, whoever waits for them."""

    # (directory, file, nanoseconds per unit), of version 1, which other users may join, and of version 2
    PLACES = (("/sys/fs/cgroup/cpuacct", "cpuacct.usage", 1), ("/sys/fs/cgroup", "cpu.stat", 1000))

    def __init__(self):
        self.path = None
        for root, name, unit in self.PLACES:
            path = f"{root}/er-tools-zoo-{os.getpid()}"
            try:
                os.mkdir(path)
            except OSError:
                continue
            if os.path.exists(f"{path}/{name}") and os.path.exists(f"{path}/cgroup.procs"):
                self.path, self.file, self.unit = path, f"{path}/{name}", unit
                self.is_for_all = unit == 1
                os.chmod(f"{path}/cgroup.procs", 0o666)
                return
            os.rmdir(path)

    def used(self):
        with open(self.file) as stream:
            text = stream.read()
        found = re.search(r"usage_usec (\d+)", text)
        return int(found.group(1) if found else text) * self.unit / 1e9

    def processes(self):
        with open(f"{self.path}/cgroup.procs") as stream:
            return [int(line) for line in stream]

    def end(self):
        """Kills what is left of the program; returns how many processes that were."""
        left = 0
        for _ in range(100):
            processes = self.processes()
            if not processes:
                break
            left = max(left, len(processes))
            for process in processes:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            time.sleep(0.02)
        return left

    def remove(self):
        try:
            os.rmdir(self.path)
        except OSError:
            pass


class Run:
    """status, result (what the check printed, or None if it failed), cpu and wall in seconds, directory, error"""


def shell(script, directory, **more):
    return subprocess.run(["bash", "-c", script], cwd=directory, stdin=subprocess.DEVNULL, **more)


def wait_for_end(group):
    """Daemons that were told to end need a moment."""
    for _ in range(100):
        if not group.processes():
            return
        time.sleep(0.02)


def run(row, prepared, directory, group, command=()):
    """Runs `row` in a copy of `prepared`, started by `command` (of collect, or nothing)."""
    shutil.rmtree(directory, ignore_errors=True)
    subprocess.run(["cp", "-a", prepared, directory], check=True)
    if "user" in row:
        subprocess.run(["chown", "-R", row["user"], directory], check=True)
        command = ["setpriv", "--reuid", row["user"], "--regid", row["user"], "--init-groups", *command]
    with open(f"{directory}/run.sh", "w") as script:
        script.write(f"echo $$ >{group.path}/cgroup.procs\n{row['run']}\n")
    done, before, started = Run(), group.used(), time.monotonic()
    done.directory, done.error = directory, ""
    with open(f"{directory}/out", "wb") as out, open(f"{directory}/err", "wb") as err:
        process = subprocess.Popen([*command, "bash", "run.sh"], cwd=directory, stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=err, start_new_session=True)
        try:
            done.status = process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            done.status, done.error = -1, f"did not end in {LIMIT} s"
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    done.wall = time.monotonic() - started
    wait_for_end(group)
    done.cpu = group.used() - before
    left = group.end()
    if left and not done.error:
        done.error = f"left {left} processes behind"
    check = shell(row["check"], directory, capture_output=True)
    done.result = check.stdout if check.returncode == 0 else None
    if not done.error and done.status != row.get("status", 0):
        done.error = f"status {done.status}"
    if not done.error and done.result is None:
        done.error = "its own check failed"
    return done


def experiments(path):
    return [path] + glob.glob(f"{path}/_*.er") + glob.glob(f"{path}/M_*.er")


def stacks(path):
    """How many stacks were taken, and how many of them are complete."""
    taken = complete = 0
    for one in experiments(path):
        try:
            counters = Experiment(one).counters()
        except (OSError, AssertionError, ValueError):
            continue
        complete += counters.get("stacks_complete", 0)
        taken += sum(counters.get(f"stacks_{end}", 0) for end in ("complete", "heuristic", "truncated", "failed"))
    return taken, complete


def size(path):
    """Bytes of an experiment: (without its archives, archives)."""
    data = archives = 0
    for directory, _, files in os.walk(path):
        for name in files:
            bytes_ = os.lstat(os.path.join(directory, name)).st_size
            if "/archives" in directory:
                archives += bytes_
            else:
                data += bytes_
    return data, archives


class Report:
    """What er_print says: total, no_stack and missing (named as not recorded) in seconds, unknown (named without its time), line (that
    names them); text of a failure; seconds that it took."""


def report(er_print, path):
    said, started = Report(), time.monotonic()
    done = subprocess.run([er_print, "-limit", "0", "-metrics", "e.totalcpu:name", "-functions", path],
                          capture_output=True, text=True, errors="replace")
    said.took = time.monotonic() - started
    said.total = said.no_stack = said.missing = 0.0
    said.unknown, said.line = False, ""
    said.error = f"er_print ended with {done.returncode}: {' '.join(done.stderr.split())[-200:]}" if done.returncode else ""
    for line in done.stdout.splitlines():
        found = re.match(r" *([0-9.]+)  +(.*)$", line)
        if found and found.group(2) == "<Total>":
            said.total = float(found.group(1))
        elif found and found.group(2) == "<no stack>":
            said.no_stack = float(found.group(1))
        found = re.match(r"Recorded ([0-9.]+) of ([0-9.]+) CPU seconds", line)
        if found:
            said.missing = float(found.group(2)) - float(found.group(1))
            said.unknown, said.line = "time unknown" in line, line
    return said
