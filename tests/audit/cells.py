#!/usr/bin/env python3
"""Does the auditor ask for what the tables say, and for what LLVM's pass gives? Of every pair of instructions that
docs/hazard-thresholds.md is about and suites/mfma_hazards has a kernel for, at every spacing.

    python3 tests/audit/cells.py --cdna-cts build/emulated/bin/cdna-cts --llvm-bin DIR --code build/emulated/code --target gfx942

A swept kernel holds its pair once for each number of wait states between, without the pass having seen it. So the auditor has to
find the spacings below the cell's number and no other: by `--rules isa` the manual's, by `--rules llvm` what the pass gave
when `cdna-cts hazards` measured it. Exit status: 1 when a cell differs, 2 when something cannot be read.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

# The kernels' own frame, which no pass has padded either.
OF_THE_FRAME = {"valu-sgpr-carry"}
# What docs/audit.md says that `--rules llvm` does not ask for.
NOT_ASKED = re.compile(r"f64_issues__|dot_product_writes__(a_or_b|c)_of_(sgemm|xdl|f64|smfmac)$")


def word(text):
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=120, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        raise OSError(f"{command[0]} {command[1]} ended with status {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def spacings_found(cdna_cts, rules, code):
    """{kernel: wait states that lay between in each finding}"""
    found = collections.defaultdict(set)
    for finding in json.loads(run(cdna_cts, "audit", "--rules", rules, "--format", "json", code))["findings"]:
        if finding["rule"] not in OF_THE_FRAME:
            found[finding["kernel"]].add(finding["have"])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cdna-cts", type=pathlib.Path, required=True)
    parser.add_argument("--llvm-bin", type=pathlib.Path, required=True, help="folder of llvm-nm")
    parser.add_argument("--code", type=pathlib.Path, required=True)
    parser.add_argument("--target", required=True)
    arguments = parser.parse_args()
    code = arguments.code / f"mfma_hazards_sweep.{arguments.target}.co"
    try:
        measured = json.loads(run(arguments.cdna_cts, "hazards", "--target", arguments.target, "--format", "json"))
        cells = measured["targets"][arguments.target]["cells"]
        kernels = set(run(arguments.llvm_bin / "llvm-nm", "--just-symbol-name", code).split())
        found = {rules: spacings_found(arguments.cdna_cts, rules, code) for rules in ("isa", "llvm")}
    except (OSError, ValueError, KeyError, subprocess.SubprocessError) as error:
        print(f"cells.py: {error}", file=sys.stderr)
        return 2
    compare_llvm = measured["llvm"].startswith("22.")
    if not compare_llvm:
        print(f"{arguments.target} --rules llvm: not compared, its numbers are LLVM 22's and these kernels' are LLVM {measured['llvm']}'s")
    swept = collections.Counter()
    bad = 0
    for cell in cells:
        passes = f"_{cell['passes']}_passes" if cell["passes"] else ""
        kernel = f"{word(cell['first'])}{passes}__{word(cell['second'])}"
        if kernel not in kernels:
            continue
        for rules, number in (("isa", cell["isa"] or 0), ("llvm", cell["needed"])):
            if rules == "llvm" and not compare_llvm:
                continue
            if found[rules].get(kernel, set()) == set(range(number)):
                swept[rules, "agree"] += 1
            else:
                known = rules == "llvm" and NOT_ASKED.match(kernel)
                swept[rules, "are known to differ" if known else "differ"] += 1
                bad += not known
                if not known:
                    print(f"{arguments.target} --rules {rules} {kernel}: expected findings with 0 to {number - 1} wait states, "
                          f"got {sorted(found[rules].get(kernel, set()))}")
    for (rules, what), count in sorted(swept.items()):
        print(f"{arguments.target} --rules {rules}: {count} cells {what}")
    return 1 if bad or not swept["isa", "agree"] else 0


if __name__ == "__main__":
    sys.exit(main())
