#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Draws each metric of an experiment in every shape, and compares titles, totals and words with the function list's:
#   picture_kinds.py ER_PRINT EXPERIMENT COMMAND METRIC...
#   picture_kinds.py -names         every metric that is known here
import json, os, re, subprocess, sys, xml.etree.ElementTree as tree

# Title and the word behind values.
KINDS = {
    "totalcpu": ("Total CPU Time", "sec."), "user": ("User CPU Time", "sec."), "system": ("System CPU Time", "sec."),
    "total": ("Total Thread Time", "sec."), "states": ("Thread Time by State", "sec."), "masterthread": ("Master Thread Time", "sec."),
    "latency": ("Latency-Weighted Time", "sec."), "wait": ("Wait CPU Time", "sec."),
    "lock": ("User Lock Time", "sec."), "otherwait": ("Other Wait Time", "sec."), "sleep": ("Sleep Time", "sec."),
    "filewait": ("File Wait Time", "sec."), "netwait": ("Network Wait Time", "sec."),
    "pollwait": ("Descriptor Wait Time", "sec."), "childwait": ("Child Wait Time", "sec."),
    "stop": ("Stopped Time", "sec."),
    "textpfault": ("Text Page Fault Time", "sec."), "datapfault": ("Data Page Fault Time", "sec."),
    "unknownwait": ("Unknown Wait Time", "sec."), "wakeup": ("Wakeup Time", "sec."),
    "chain": ("Wait Chain Time", "sec."), "offcpu": ("Off-CPU Time", "sec."), "unexplained": ("Unexplained Time", "sec."),
    "sync": ("Sync Wait Time", "sec."), "syncn": ("Sync Wait Count", "sync waits"),
    "heapleakbytes": ("Bytes Leaked", "bytes"), "heapleakcnt": ("Leaks", "leaks"),
    "heapallocbytes": ("Bytes Allocated", "bytes"), "heapalloccnt": ("Allocations", "allocations"),
    "heappeakbytes": ("Bytes at Peak", "bytes"), "heappeakcnt": ("Blocks at Peak", "blocks at peak"),
    "heaptempcnt": ("Temporary Allocations", "temporary allocations"), "heaptempbytes": ("Temporary Bytes", "bytes"),
    "heapgrowth": ("Heap Growth", "bytes"), "mpitime": ("MPI Time", "sec."), "mpisend": ("MPI Sends", "MPI sends"),
    "mpibytessent": ("MPI Bytes Sent", "bytes"), "mpireceive": ("MPI Receives", "MPI receives"),
    "mpibytesrecv": ("MPI Bytes Received", "bytes"), "mpiother": ("Other MPI Events", "other MPI events"),
    "mpicollbytessent": ("MPI Collective Bytes Sent", "bytes"), "mpicollbytesrecv": ("MPI Collective Bytes Received", "bytes"),
    "mpiputbytes": ("MPI Put Bytes", "bytes"), "mpigetbytes": ("MPI Get Bytes", "bytes"),
    "mpireadbytes": ("MPI Read Bytes", "bytes"), "mpiwritebytes": ("MPI Write Bytes", "bytes"),
    "ioreadtime": ("Read Time", "sec."), "ioreadbytes": ("Read Bytes", "bytes"), "ioreadcnt": ("Read Count", "reads"),
    "iowritetime": ("Write Time", "sec."), "iowritebytes": ("Write Bytes", "bytes"), "iowritecnt": ("Write Count", "writes"),
    "ioothertime": ("Other I/O Time", "sec."), "ioothercnt": ("Other I/O Count", "other I/Os"), "iotime": ("I/O Time", "sec."),
    "iowaittime": ("I/O Wait Time", "sec."), "iowaitcnt": ("I/O Wait Count", "I/O waits"),
    "ioerrortime": ("I/O Error Time", "sec."), "ioerrorcnt": ("I/O Error Count", "I/O errors"),
    "mpiwork": ("MPI Work Time", "sec."), "mpiwait": ("MPI Wait Time", "sec."),
    "mpilatesender": ("MPI Late Sender Time", "sec."), "mpilatereceiver": ("MPI Late Receiver Time", "sec."),
    "mpibarrierwait": ("MPI Barrier Wait Time", "sec."), "mpintonwait": ("MPI N x N Wait Time", "sec."),
    "mpilatebroadcast": ("MPI Late Broadcast Time", "sec."), "mpiearlyreduce": ("MPI Early Reduce Time", "sec."),
    "mpicreationwait": ("MPI Creation Wait Time", "sec."), "mpifencewait": ("MPI Fence Wait Time", "sec."), "mpiwrongorder": ("MPI Wrong Order Time", "sec."),
    "mpilatepost": ("MPI Late Post Time", "sec."), "mpiearlywait": ("MPI Early Wait Time", "sec."),
    "mpilockwait": ("MPI Lock Wait Time", "sec."), "mpidelay": ("MPI Delay Time", "sec."),
    "mpidelaychain": ("MPI Delay Chain Time", "sec."),
    "mpifilewait": ("MPI File Wait Time", "sec."), "mpiendswait": ("MPI Init and Finalize Wait Time", "sec."),
    "mpiearlyscan": ("MPI Early Scan Time", "sec."),
    "ompwork": ("OpenMP Work Time", "sec."), "ompwait": ("OpenMP Wait Time", "sec."), "ompovhd": ("OpenMP Overhead Time", "sec."),
    "ompserl": ("OpenMP Serial Time", "sec."), "ompibar": ("OpenMP Implicit Barrier Time", "sec."),
    "ompebar": ("OpenMP Explicit Barrier Time", "sec."), "omprduc": ("OpenMP Reduction Time", "sec."),
    "omplkwt": ("OpenMP Lock Wait Time", "sec."), "ompctwt": ("OpenMP Critical Section Wait Time", "sec."),
    "ompodwt": ("OpenMP Ordered Section Wait Time", "sec."), "omptskwt": ("OpenMP Task Wait Time", "sec."),
    "ompidle": ("OpenMP Idle Time", "sec."),
    "page-faults": ("Page Faults", "page faults"), "context-switches": ("Context Switches", "context switches"),
}
if sys.argv[1:] == ["-names"]:
    print("\n".join(KINDS))
    sys.exit()
ER_PRINT, EXPERIMENT, COMMAND = sys.argv[1:4]
METRICS = sys.argv[4:]
FORMS = {"flamegraph": "Flame Graph", "icicle": "Icicle Graph", "flamechart": "Flame Chart", "sandwich": "Sandwich Graph"}
wrong = []

def check(what, got, expected):
    if got != expected:
        wrong.append(f"{what}: {got!r}, expected {expected!r}")

def er_print(*words):
    done = subprocess.run([ER_PRINT, *words, EXPERIMENT], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"er_print {' '.join(words)}: status {done.returncode}: {done.stderr}")
    return done.stdout

def lists():
    """The function list by each metric: its rows, the heaviest first."""
    words = ["-printmode", "json"]
    for metric in METRICS:
        words += ["-metrics", f"i.{metric}:name", "-sort", f"i.{metric}", "-functions"]
    text, decoder, found = er_print(*words), json.JSONDecoder(), []
    while text.strip():
        report, end = decoder.raw_decode(text := text.lstrip())
        found.append(report)
        text = text[end:]
    return dict(zip(METRICS, found))

def value_of(report, row):
    return row[report["columns"][0]["key"]]

def draw(reports):
    words = []
    for metric, report in reports.items():
        heaviest = next(row["name"] for row in report["rows"] if row["name"] != "<Total>")
        words += ["-metrics", f"i.{metric}:name", "-sort", f"i.{metric}", "-sandwich", heaviest, f"{metric}.sandwich.svg"]
        for shape in ("flamegraph", "icicle", "flamechart"):
            words += ["-" + shape, f"{metric}.{shape}.svg", "-" + shape, f"{metric}.{shape}.html"]
    er_print(*words)

def is_value(text, value, word):
    """A value as pictures write it: times are rounded, the rest is exact."""
    if word != "sec.":
        return text == f"{value:,} {word}"
    number = re.fullmatch(r"([\d,]+\.\d{3}) sec\.", text)
    return bool(number) and abs(float(number[1].replace(",", "")) - value) < .0011

def check_svg(metric, shape, total, title, word):
    path = f"{metric}.{shape}.svg"
    root = tree.parse(path).getroot()
    words = {e.get("id"): e.text for e in root.iter("{http://www.w3.org/2000/svg}text") if e.get("id")}
    check(f"{path}: title", words["title"], f"{title} {FORMS[shape]}: {COMMAND}")
    frames = [e.text for e in root.iter("{http://www.w3.org/2000/svg}title")]
    if not frames:
        wrong.append(f"{path}: no frames")
    if shape in ("sandwich", "flamechart"):
        return
    told = re.fullmatch(re.escape(title) + " (.*), " + re.escape(os.path.basename(EXPERIMENT)) + r", er-tools \S+", root.get("data-subtitle"))
    own = word if word in ("bytes", "sec.") else ""
    if not told or not is_value(told[1] + ("" if own else " x"), total, own or "x"):
        wrong.append(f"{path}: subtitle {root.get('data-subtitle')!r} for {total} {word}")
    whole = [re.fullmatch(r"<Total> \((.*), 100\.00%\)", text) for text in frames]
    if not any(match and is_value(match[1], total, word) for match in whole):
        wrong.append(f"{path}: no frame <Total> of {total} {word}: {[m[0] for m in whole if m]}")

def check_page(metric, shape, title):
    head = open(f"{metric}.{shape}.html", encoding="utf-8").read(2000)
    check(f"{metric}.{shape}.html: title", re.search("<title>(.*)</title>", head)[1], f"{title} {FORMS[shape]}: {COMMAND}")

reports = lists()
for metric, report in reports.items():
    if not any(value_of(report, row) for row in report["rows"]):
        sys.exit(f"{EXPERIMENT} has no {metric}")
draw(reports)
for metric, report in reports.items():
    title, word = KINDS[metric]
    total = next(value_of(report, row) for row in report["rows"] if row["name"] == "<Total>")
    for shape in FORMS:
        check_svg(metric, shape, total, title, word)
        if shape != "sandwich":
            check_page(metric, shape, title)
if wrong:
    sys.exit("\n".join(wrong))
print(f"{len(METRICS)} metrics of {EXPERIMENT} in {len(FORMS)} shapes")
