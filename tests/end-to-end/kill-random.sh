#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 400
# kill -9 at 100 random instants (8 in the gate), from the first moments on: the experiment is readable, and holds at least what the target
# itself had counted before (traps: events read >= count logged - 1 per thread). The target counts its threads, each of
# which begins and ends with an event, and the CPU time that they used.
set -eu
cat >kill.py <<'END'
import os, random, re, signal, subprocess, sys, time
sys.path.insert(0, os.environ["TESTS"] + "/oracle")
import experiment

random.seed(20261122)
build, program = os.environ["BUILD"], os.environ["PROGRAMS"] + "/life_kill"


def run(number, delay):
    path = "k%d.er" % number
    collect = subprocess.Popen([build + "/bin/collect", "-p", "1", "-o", path, program],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    first = collect.stderr.readline().decode()
    target = int(re.search(r"Process ID: (\d+)", first).group(1))
    time.sleep(delay)
    os.kill(target, signal.SIGKILL)
    output, errors = collect.communicate()
    assert collect.returncode == -signal.SIGKILL, (collect.returncode, errors)
    lines = [line.split() for line in output.decode().split("\n")[:-1]]
    threads, cpu = (int(lines[-1][0]), int(lines[-1][1])) if lines else (0, 0)
    return path, threads, cpu


def check(path, threads, cpu):
    text = subprocess.run([build + "/bin/er_print", "-functions", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert text.returncode in (0, 1), text
    if not threads:
        return
    assert text.returncode == 0, text.stdout.decode()
    whole = experiment.Experiment(path)
    events = list(whole.events("thread"))
    begun = sum(event["what"] == 0 for event in events)
    ended = sum(event["what"] == 1 for event in events)
    assert begun >= threads + 1 and ended >= threads, (path, begun, ended, threads)
    recorded = sum(event["user"] + event["system"] for event in whole.events("clock") if event.thread != 1)
    assert recorded >= cpu, (path, recorded, cpu)
    assert os.popen("%s/bin/er_print -header %s" % (build, path)).read()


counted = 0
kills = 100 if os.environ.get("STRICT") else 8
for number in range(1, kills + 1):
    # Every third of them before or while recording begins.
    delay = random.uniform(0, 0.004) if number % 3 == 0 else random.uniform(0.003, 0.15)
    path, threads, cpu = run(number, delay)
    check(path, threads, cpu)
    counted += threads > 0
    if number % 10:
        subprocess.run(["rm", "-rf", path])
print("%d kills, %d of them with counts to hold to" % (kills, counted))
assert counted >= kills // 2
END
/usr/bin/python3 kill.py
