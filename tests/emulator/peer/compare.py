"""Runs every case on both emulators, compares what they leave bit for bit, and prints one table with the times.

    compare.py BUILD_FOLDER TINYGRAD_CHECKOUT [--repeat N] [--runs N] [--only TEXT]

scripts/compare-peer.sh builds what this needs; docs/peer-comparison.md says how to read the table.
Exit status: 0 all as expected, 1 a difference that is not known, 2 something could not be run.
"""

import argparse
import json
import os
import pathlib
import platform
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TIME_LIMIT = 900  # seconds for one process

# Where the peer is known to differ from the host's result: a word for the table. docs/peer-comparison.md has the reasons. An
# entry that no longer holds is an error.
KNOWN = {
    ("gfx942", "gemm_fp16_32x32.exact"): "layout",
    ("gfx950", "gemm_fp16_32x32.exact"): "layout",
    ("gfx942", "gemm_fp8.exact"): "format",
}


class Unusable(Exception):
    """One line about what could not be run."""


def output_of(command, environment):
    """Standard output of a command that has only this environment and PATH."""
    try:
        result = subprocess.run(
            command, env={"PATH": os.environ["PATH"], **environment}, capture_output=True, text=True, timeout=TIME_LIMIT
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise Unusable(str(problem)) from problem
    if result.returncode != 0:
        said = result.stderr.strip().splitlines() or [f"{command[0]}: status {result.returncode}"]
        raise Unusable(said[-1])
    return result.stdout


class Runner:
    """One way to run a case: its command, its environment, and the best times so far by case."""

    def __init__(self, title, command, environment):
        self.title, self.command, self.environment = title, command, environment
        self.cold, self.warm, self.output = {}, {}, {}

    def run(self, case, runs):
        """A process with empty caches, so that its first run is a cold one."""
        key = case["target"], case["name"]
        output = pathlib.Path(case["output"])
        output.unlink(missing_ok=True)
        with tempfile.TemporaryDirectory(prefix="cdna-cts-peer-") as cache:
            caches = {"CDNA_CTS_CACHE": cache, "XDG_CACHE_HOME": cache}
            target = {"CDNA_CTS_TARGET": case["target"]}
            command = [*self.command, case["code"], "--runs", str(runs), *case["words"]]
            seconds = json.loads(output_of(command, {**self.environment, **caches, **target}))
        self.cold[key] = min(seconds["cold"], self.cold.get(key, seconds["cold"]))
        self.warm[key] = min(*seconds["warm"], self.warm.get(key, seconds["warm"][0]))
        self.output.setdefault(key, set()).add(output.read_bytes())


def difference(left, right):
    """How far two outputs of 32-bit floats are apart, in words."""
    values = [struct.unpack(f"<{len(side) // 4}f", side) for side in (left, right)]
    differ = sum(left[i : i + 4] != right[i : i + 4] for i in range(0, len(left), 4))
    largest = max(abs(a) for a in values[0])
    apart = max(abs(a - b) for a, b in zip(*values))
    return f"{differ} of {len(left) // 4} words differ, by at most {apart / largest:.0e} of the largest"


def verdict(case, peer, ours):
    """What the table says of the outputs, and whether it is as expected."""
    key = case["target"], case["name"]
    mine = set().union(*(runner.output[key] for runner in ours))
    if len(mine) != 1:
        return "OURS: not the same in every run", False
    (mine,), (theirs, *others) = mine, peer.output[key]
    if others:
        return "PEER: not the same in every run", False
    if "expected" not in case:  # its rounding is the implementation's
        return "equal" if mine == theirs else difference(mine, theirs), True
    expected = pathlib.Path(case["expected"]).read_bytes()
    if mine != expected:
        return "OURS differs from the host: " + difference(expected, mine), False
    if key in KNOWN:
        if theirs == expected:
            return "equal, but listed as known to differ", False
        return f"peer wrong ({KNOWN[key]})", True
    return ("equal", True) if theirs == expected else ("PEER differs: " + difference(expected, theirs), False)


def ratio(value):
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def table(cases, peer, ours):
    """Lines of Markdown, and whether all is as expected."""
    titles = [f"{runner.title} (ratio)" for runner in ours]
    head = ["target", "case", *(f"{kind}: {title}" for kind in ("cold", "warm") for title in ["peer", *titles]), "outputs"]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    good = True
    for case in cases:
        key = case["target"], case["name"]
        row = list(key)
        for times in ("cold", "warm"):
            theirs = getattr(peer, times)[key]
            row.append(f"{theirs:.3g}")
            for runner in ours:
                mine = getattr(runner, times)[key]
                row.append(f"{mine:.3g} ({ratio(theirs / mine)})")
        says, as_expected = verdict(case, peer, ours)
        good = good and as_expected
        lines.append("| " + " | ".join([*row, says]) + " |")
    return lines, good


def without_waits(elf):
    """A code object with S_NOP in place of every S_WAITCNT."""
    s_waitcnt, s_nop = 0xBF8C, struct.pack("<I", 0xBF800000)  # SOPP: the opcode is in the upper half
    words = (elf[i : i + 4] for i in range(0, len(elf), 4))
    return b"".join(s_nop if word[2:] == struct.pack("<H", s_waitcnt) else word for word in words)


def missing_waits(case, peer, ours, work):
    """What both make of a kernel that never waits for memory: one line each, and whether ours noticed."""
    code = pathlib.Path(work) / "without_waits.co"
    code.write_bytes(without_waits(pathlib.Path(case["code"]).read_bytes()))
    broken = {**case, "name": case["name"] + " without waits", "code": str(code)}
    expected = pathlib.Path(case["expected"]).read_bytes()
    lines, right = [], []
    for runner in (peer, ours):
        try:
            runner.run(broken, 2)
            right.append(runner.output[broken["target"], broken["name"]] == {expected})
            says = "right result" if right[-1] else "wrong result"
        except Unusable as problem:
            right.append(False)
            says = f"stops ({problem})"
        lines.append(f"{case['target']} {broken['name']}, {runner.title}: {says}")
    return lines, not right[1]


def machine():
    """The lines that a table needs to mean something."""
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "unknown")
    clang = output_of(["clang", "--version"], {}).splitlines()[0]
    return f"{model}, {os.cpu_count()} CPUs; Python {platform.python_version()}, {clang}"


def commit_of(checkout):
    try:
        return output_of(["git", "-C", checkout, "log", "-1", "--format=%H %cs"], {}).strip()
    except Unusable:
        return "no git checkout"


def load():
    return " ".join(f"{average:.1f}" for average in os.getloadavg())


def compare(options):
    checkout = str(options.checkout.resolve())
    before = load()
    with tempfile.TemporaryDirectory(prefix="cdna-cts-peer-") as work:
        listing = output_of([str(options.build / "bin/peer_cases"), work], {})
        cases = [case for case in map(json.loads, listing.splitlines()) if options.only in case["name"]]
        run_kernel = [str((options.build / "bin/run_kernel").resolve())]
        bytecode = {"PYTHONPYCACHEPREFIX": work + "/bytecode"}  # nothing is written into the checkout
        peer = Runner("peer", [sys.executable, str(HERE / "run_on_peer.py")], {"PYTHONPATH": checkout, **bytecode})
        ours = [Runner(f"ours, {n} thr.", run_kernel, {"OMP_NUM_THREADS": str(n)}) for n in (1, 2)]
        for repeat in range(options.repeat):
            for case in cases:
                print(f"run {repeat + 1} of {options.repeat}: {case['target']} {case['name']}", file=sys.stderr)
                for runner in [peer, *ours]:
                    runner.run(case, options.runs)
        lines, good = table(cases, peer, ours)
        lines.append("")
        for case in cases:
            if case["name"] == "gemm_fp16.exact":
                says, noticed = missing_waits(case, peer, ours[0], work)
                lines += says
                good = good and noticed
    print(f"peer: {commit_of(checkout)}\nours: {commit_of(str(HERE))}\nmachine: {machine()}\nload (1, 5, 15 minutes): {before} before, {load()} after")
    print(f"seconds, best of {options.repeat} processes of {options.runs} runs; ratio: peer's time by ours\n")
    print("\n".join(lines))
    return 0 if good else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--repeat", type=int, default=3, help="processes a case and runner (3)")
    parser.add_argument("--runs", type=int, default=6, help="runs a process, the first one cold (6)")
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose name has this text (all)")
    options = parser.parse_args()
    if options.repeat < 1 or options.runs < 2:
        parser.error("--repeat takes 1 or more, --runs 2 or more")
    try:
        return compare(options)
    except Unusable as problem:
        print(f"compare.py: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
