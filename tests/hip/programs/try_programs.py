"""Builds programs that others wrote for HIP, runs each on the emulator under many schedules, and prints one table.

    try_programs.py BUILD_FOLDER DEVICE_COMPILER WORK_FOLDER CHECKOUT... [--seeds N] [--only TEXT] [--limit S] [--jobs N]

scripts/try-programs.sh builds what this needs; docs/foreign-programs.md says how to read the table.
Exit status: 0 all passed, 1 a program failed or did not build, 2 something could not be run.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import catalogue

TARGETS = ("gfx942", "gfx950")
BUILD_LIMIT = 900  # seconds for one source


def run(command, limit, environment=None, folder=None):
    """Status (-1: stopped by the time limit), standard output and standard error of a command."""
    try:
        result = subprocess.run(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=limit
        )
    except subprocess.TimeoutExpired as late:
        return -1, (late.stdout or b"").decode(errors="replace"), f"not over after {limit} seconds"
    except OSError as problem:
        raise catalogue.Unusable(str(problem)) from problem
    return result.returncode, result.stdout.decode(errors="replace"), result.stderr.decode(errors="replace")


def first_line(text, pattern=""):
    """The first line with a match of the pattern, without the folders in it."""
    line = next((line for line in text.splitlines() if re.search(pattern, line)), "no message")
    return re.sub(r"\S*/(?=[^/\s])", "", line).strip()[:150]


# ---- building --------------------------------------------------------------------------------------------------------------


class Builder:
    """Compiles sources into WORK/objects, one each, and links them. An object newer than its source is kept."""

    def __init__(self, compiler, library_folder, work):
        self.compiler, self.library_folder, self.objects = compiler, library_folder, work / "objects"
        self.objects.mkdir(parents=True, exist_ok=True)
        self.compiled = {}
        self.offload = [f"--offload-arch={target}" for target in TARGETS]

    def compile(self, source, flags):
        """Starts or finds the compilation of a source; its path, or raises what the compiler said first."""
        defaults = ["-x", "hip", *self.offload, "-std=c++17", "-w", "-D__HIP_PLATFORM_AMD__=1"]
        command = [self.compiler, *defaults, *flags, "-c", str(source)]
        out = self.objects / (source.stem + "." + hashlib.sha256("\0".join(command).encode()).hexdigest()[:12] + ".o")
        if not out.exists() or out.stat().st_mtime < source.stat().st_mtime:
            self.check(run([*command, "-o", str(out) + ".new"], BUILD_LIMIT), source.name)
            os.replace(str(out) + ".new", out)
        return out

    def link(self, program, objects, out):
        libraries = [f"-L{self.library_folder}", "-lamdhip64", f"-Wl,-rpath,{self.library_folder}", *program.link]
        rdc = [flag for flag in program.flags if flag == "-fgpu-rdc"]
        command = [self.compiler, *self.offload, "--hip-link", *rdc, *map(str, objects), *libraries, "-o", str(out)]
        self.check(run(command, BUILD_LIMIT), "linking")

    def module(self, source, out):
        command = [self.compiler, "-x", "hip", "--cuda-device-only", *self.offload, "-O2", str(source), "-o", str(out)]
        self.check(run(command, BUILD_LIMIT), source.name)

    @staticmethod
    def check(outcome, what):
        status, _, errors = outcome
        if status != 0:
            raise catalogue.Unusable(f"{what}: {first_line(errors, 'error:(?! linker)|undefined|cannot find|not over')}")


def smaller(program, folder):
    """A copy of the only source of a program with less to do in it."""
    (source,) = program.sources
    text, before = source.read_text(), program.smaller[0]
    if text.count(before) != 1:
        raise catalogue.Unusable(f"{source.name}: '{before}' is not in it once")
    copy = folder / source.name
    wanted = text.replace(*program.smaller)
    if not copy.exists() or copy.read_text() != wanted:
        copy.write_text(wanted)
    return copy


def build(builder, program, folder, pool):
    """Makes folder/program and the modules that it loads; returns its path, or why it could not be built."""
    folder.mkdir(parents=True, exist_ok=True)
    executable = folder / program.name
    try:
        sources = program.sources if not program.smaller else [smaller(program, folder)]
        compilations = [pool.submit(builder.compile, source, program.flags) for source in sources]
        objects = [compilation.result() for compilation in compilations]
        builder.link(program, objects, executable)
        for source in program.modules:
            builder.module(source, folder / f"{source.stem}.co")
    except catalogue.Unusable as problem:
        return None, str(problem)
    return executable, ""


# ---- running ---------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Outcome:
    """What one process did."""

    schedule: str
    status: int
    output: str
    errors: str
    violations: list


def case_names(executable):
    """The names of the Catch2 cases in a program."""
    _, names, _ = run([executable, "--list-test-names-only"], 60)
    return [name for name in names.splitlines() if name]


def leave_out_cases(program, executable):
    """Arguments that leave out the Catch2 cases which the catalogue names, by a file of those that are run."""
    if not program.without:
        return []
    kept = [name for name in case_names(executable) if not any(part in name for part in program.without)]
    listed = executable.with_suffix(".cases")
    listed.write_text("".join(f"{name}\n" for name in kept))
    return ["-f", str(listed)]


def run_once(program, executable, arguments, target, schedule, limit):
    """One process of a program, in the folder that holds it."""
    violations = executable.with_name(f"{program.name}.{target}.{schedule.replace(':', '-')}.violations")
    violations.unlink(missing_ok=True)
    environment = {
        "PATH": os.environ["PATH"],
        "CDNA_CTS_TARGET": target,
        "CDNA_CTS_SCHEDULE": schedule,
        "CDNA_CTS_TIME_LIMIT": str(limit),
        "CDNA_CTS_VIOLATIONS": str(violations),
        "OMP_NUM_THREADS": "1",
    }
    outcome = run([executable, *arguments], limit, environment, executable.parent)
    lines = violations.read_text().splitlines() if violations.exists() else []
    violations.unlink(missing_ok=True)
    return Outcome(schedule, *outcome, [json.loads(line) for line in lines])


TIMES = re.compile(r"-?[0-9.]+(e[-+]?[0-9]+)?\s*(ns|us|ms|s|milliseconds|seconds|[KMG]i?B/s(ec)?|GFLOPS)\b", re.I)


def comparable(output):
    """An output without times, its lines in an order that does not depend on which wave printed first."""
    return sorted(TIMES.sub("", line) for line in output.splitlines())


def verdict(program, outcomes):
    """Whether a program passed under all schedules, and one line about it."""
    for outcome in outcomes:
        where = f" under {outcome.schedule}"
        if outcome.status != 0:
            said = outcome.errors if outcome.errors.strip() else outcome.output
            return False, f"failed{where}: status {outcome.status}, {first_line(said, 'cdna-cts|not over|FAILED|rror')}"
        if not re.search(program.passed, outcome.output):
            return False, f"failed{where}: no '{program.passed}' in its output"
        broken = [v for v in outcome.violations if v["rule"] not in program.findings]
        if broken:
            return False, f"violation{where}: {broken[0]['rule']} in {broken[0]['kernel']}, {len(broken)} in all"
        if comparable(outcome.output) != comparable(outcomes[0].output):
            return False, f"its output{where} is another than under {outcomes[0].schedule}"
    found = {v["rule"] for outcome in outcomes for v in outcome.violations}
    if found != set(program.findings):
        return False, f"listed as breaking {sorted(program.findings)}, but broke {sorted(found)}"
    return True, "passed" + (f", its own {', '.join(sorted(found))}" if found else "")


# ---- the table -------------------------------------------------------------------------------------------------------------


def remarks(program, executable, outcomes):
    """What a reader must know of a passed program: arguments, what it checks, what was left out."""
    said = []
    if program.arguments:
        said.append("`" + " ".join(program.arguments) + "`")
    if program.smaller:
        said.append(f"with `{program.smaller[1].rstrip(';')}`")
    if not program.passed:
        said.append("checks by its status only")
    counted = re.search(r"\d+ assertions? in \d+ test cases?|test cases: *\d+", outcomes[0].output)
    if counted:
        said.append(counted[0])
    if program.without:
        reasons = [why for name in case_names(executable) for part, why in program.without.items() if part in name]
        said += [f"left out: {count} ({why})" for why, count in collections.Counter(reasons).items()]
    return "; ".join([*said, *program.findings.values()])


def commit(checkout):
    status, out, _ = run(["git", "-C", str(checkout), "log", "-1", "--format=%H %cs"], 60)
    return out.strip() if status == 0 else "of an unknown commit"


def try_collection(checkout, builder, work, pool, options):
    """Prints the rows of a checkout; the number of rows that passed, failed and were not run."""
    name, programs = catalogue.collection(checkout)
    schedules = ["late", "eager", *(f"random:{seed}" for seed in range(1, options.seeds + 1))]
    print(f"\n{name} {commit(checkout)}; late, eager and {options.seeds} random schedules\n")
    print(f"| program | {' | '.join(TARGETS)} | remarks |\n|---|{'---|' * len(TARGETS)}---|")
    count = collections.Counter()
    for program in programs:
        if options.only not in program.name:
            continue
        began = time.monotonic()
        cells, remark = ["not run"] * len(TARGETS), f"lacks {program.lacks}"
        if program.lacks:
            count["not run"] += 1
        else:
            executable, problem = build(builder, program, work / name / program.name, pool)
            if not executable:
                cells, remark = ["not built"] * len(TARGETS), problem
                count["failed"] += 1
            else:
                arguments = [*leave_out_cases(program, executable), *program.arguments]
                ready = program, executable, arguments
                started = {
                    target: [pool.submit(run_once, *ready, target, schedule, options.limit) for schedule in schedules]
                    for target in TARGETS
                }
                outcomes = {target: [process.result() for process in runs] for target, runs in started.items()}
                verdicts = {target: verdict(program, outcomes[target]) for target in TARGETS}
                cells = [says for _, says in verdicts.values()]
                good = all(passed for passed, _ in verdicts.values())
                remark = remarks(program, executable, outcomes[TARGETS[0]])
                count["passed" if good else "failed"] += 1
        print(f"| {program.name} | {' | '.join(cells)} | {remark} |", flush=True)
        print(f"{program.name}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    return count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build_folder", type=pathlib.Path)
    parser.add_argument("compiler")
    parser.add_argument("work_folder", type=pathlib.Path)
    parser.add_argument("checkouts", type=pathlib.Path, nargs="+")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--only", default="")
    parser.add_argument("--limit", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    total = collections.Counter()
    builder = Builder(options.compiler, options.build_folder.resolve() / "lib", options.work_folder.resolve())
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for checkout in options.checkouts:
            total += try_collection(checkout.resolve(), builder, options.work_folder.resolve(), pool, options)
    print(f"\n{total['passed']} passed, {total['failed']} failed, {total['not run']} not run")
    return 1 if total["failed"] else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except catalogue.Unusable as problem:
        print(f"try_programs.py: {problem}", file=sys.stderr)
        sys.exit(2)
