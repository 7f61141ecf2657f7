#!/usr/bin/env python3
"""Takes one wait, barrier or NOP out of a suite's compiled kernels at a time, and asks two that share no rule:

  the emulator  whether the suite's own tests then fail, or a rule of docs/emulator-checks.md is broken while they run
  the auditor   whether it finds anything that it did not find before; of NOPs by --rules llvm

    python3 tests/audit/mutate_code_objects.py --build build/emulated --suite cross_lane --suite transpose_reads
    python3 tests/audit/mutate_code_objects.py --build build/emulated --suite direct_to_lds --statement NOP --list

The machine code is changed in place, so that nothing else moves: S_WAITCNT becomes one that waits for nothing, S_BARRIER an
S_NOP, and an S_NOP trades places with what its block has before it. A mutant that neither notices is a statement that was
not needed as far as the tests go: waits before a kernel's stores are published, for example. Exit status: 1 when the
emulator shows a mutant to be broken and the auditor says nothing, except for barriers (docs/audit.md says why).
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

NO_WAIT, NOP = 0xBF8CCF7F, 0xBF800000
LINE = re.compile(r"\t(.*?)\s*// ([0-9A-F]+):((?: [0-9A-F]{8})+)")


class Instruction:
    def __init__(self, text, pc, words):
        self.text, self.pc, self.words = text, pc, words


def instructions(objdump, path):
    listing = subprocess.run([objdump, "-d", path], capture_output=True, text=True, check=True, timeout=60).stdout
    found = (LINE.match(line) for line in listing.splitlines())
    return [Instruction(m[1], int(m[2], 16), [int(w, 16) for w in m[3].split()]) for m in found if m]


def targets_of_branches(code):
    """Pcs that something jumps to."""
    found = set()
    for i in code:
        if i.text.startswith(("s_branch", "s_cbranch")):
            distance = i.words[0] & 0xFFFF
            found.add(i.pc + 4 + 4 * (distance - 0x10000 if distance & 0x8000 else distance))
    return found


def block_before(code, n, targets):
    """Instructions of the same block before code[n]."""
    first = n
    while first > 0 and code[first].pc not in targets:
        before = code[first - 1]
        if before.text.startswith(("s_branch", "s_cbranch", "s_endpgm", "s_setpc", "s_swappc", "s_getpc")):
            break
        if before.pc + 4 * len(before.words) != code[first].pc:
            break
        first -= 1
    return code[first:n]


def mutants(code):
    """(kind, what, {pc: words}) of each."""
    targets = targets_of_branches(code)
    for n, i in enumerate(code):
        if i.text.startswith("s_waitcnt") and i.words[0] != NO_WAIT:
            yield "wait", i, {i.pc: [NO_WAIT]}
        elif i.text == "s_barrier":
            yield "barrier", i, {i.pc: [NOP]}
        elif i.text.startswith("s_nop"):
            before = block_before(code, n, targets)
            if any(not b.text.startswith("s_nop") for b in before):  # else padding behind a kernel
                words = [w for b in before for w in b.words]
                yield "NOP", i, {before[0].pc: [i.words[0]] + words}


class Elf:
    """Where a code object has its code: sections of a 64-bit ELF, by address."""

    def __init__(self, path):
        self.bytes = pathlib.Path(path).read_bytes()
        word = lambda at, size: int.from_bytes(self.bytes[at:at + size], "little")
        table, count = word(0x28, 8), word(0x3C, 2)
        headers = [table + 64 * n for n in range(count)]
        self.sections = [(word(h + 16, 8), word(h + 24, 8), word(h + 32, 8)) for h in headers if word(h + 8, 8) & 4]

    def changed(self, changes):
        data = bytearray(self.bytes)
        for pc, words in changes.items():
            address, offset, _ = next(s for s in self.sections if s[0] <= pc < s[0] + s[2])
            at = offset + pc - address
            data[at:at + 4 * len(words)] = b"".join(w.to_bytes(4, "little") for w in words)
        return bytes(data)


def audit(build, path, rules):
    done = subprocess.run([build / "bin/cdna-cts", "audit", "--format", "json", "--rules", rules, path], capture_output=True, text=True, timeout=120,
                          env=dict(os.environ, CDNA_CTS_CACHE=str(path.parent.parent / "cache")))
    if done.returncode not in (0, 1):
        sys.exit(f"{path}: {done.stderr}")
    return collections.Counter((f["rule"], f["kernel"]) for f in json.loads(done.stdout)["findings"])


def emulate(build, suite, target, opt, folder, scratch):
    """Failed tests, and rules that were broken where, as a set."""
    violations = scratch / "violations.jsonl"
    violations.unlink(missing_ok=True)
    environment = dict(os.environ, CDNA_CTS_TARGET=target, CDNA_CTS_CODE=str(folder), CDNA_CTS_CACHE=str(scratch / "cache"),
                       CDNA_CTS_VIOLATIONS=str(violations), CDNA_CTS_EVIDENCE=str(scratch / "evidence"))
    try:
        done = subprocess.run([build / f"bin/{suite}_run", "--target", target, "--opt", opt], capture_output=True, text=True,
                              env=environment, timeout=300)
    except subprocess.TimeoutExpired:
        return {"does not end"}
    seen = set(re.findall(r"\[  FAILED  \] (\w+\.\S+)", done.stdout))
    if done.returncode not in (0, 1):
        seen.add("crashed")
    if violations.exists():
        for line in violations.read_text().splitlines():
            record = json.loads(line)
            seen |= {(v["rule"], record.get("kernel")) for v in record.get("violations", [record]) if "rule" in v}
    return seen


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--build", type=pathlib.Path, required=True)
    arguments.add_argument("--suite", action="append", required=True)
    arguments.add_argument("--opt", default="O3")
    arguments.add_argument("--statement", action="append", choices=("wait", "barrier", "NOP"), help="these alone")
    arguments.add_argument("--list", action="store_true", help="shows each mutant that neither notices, with what stands around it")
    arguments.add_argument("--most", type=int, default=10**9, help="mutants of a code object, evenly taken from all")
    arguments.add_argument("--objdump", default=shutil.which("llvm-objdump"))
    a = arguments.parse_args()
    missed = 0
    print("| suite | target | statement | mutants | broken by the emulator | of these found | found only | neither |\n|---|---|---|---|---|---|---|---|")
    for suite in a.suite:
        for target in ("gfx942", "gfx950"):
            original = a.build / f"code/{suite}.{target}.{a.opt}.co"
            if not original.exists():
                continue
            with tempfile.TemporaryDirectory() as temporary:
                scratch = pathlib.Path(temporary)
                folder = scratch / "code"
                folder.mkdir()
                copy = folder / original.name
                shutil.copy(original, copy)
                found_before = {rules: audit(a.build, copy, rules) for rules in ("isa", "llvm")}
                seen_before = emulate(a.build, suite, target, a.opt, folder, scratch)
                elf, counts = Elf(original), collections.defaultdict(collections.Counter)
                code = instructions(a.objdump, original)
                all_mutants = [m for m in mutants(code) if not a.statement or m[0] in a.statement]
                step = max(1, -(-len(all_mutants) // a.most))
                for kind, instruction, changes in all_mutants[::step]:
                    copy.write_bytes(elf.changed(changes))
                    rules = "llvm" if kind == "NOP" else "isa"  # the compiler's NOPs are there for its own numbers
                    found = audit(a.build, copy, rules) - found_before[rules]
                    broken = emulate(a.build, suite, target, a.opt, folder, scratch) - seen_before
                    counts[kind][bool(broken), bool(found)] += 1
                    if a.list and not broken and not found:
                        n = code.index(instruction)
                        print(f"  {original.name}: pc {instruction.pc:#x} {instruction.text}: neither\n"
                              + "".join(f"    {i.pc:#x}  {i.text}\n" for i in code[max(0, n - 5):n + 3]), end="", file=sys.stderr)
                    if broken and not found:
                        missed += kind != "barrier"
                        print(f"  {original.name}: pc {instruction.pc:#x} {instruction.text}: "
                              f"the emulator sees {sorted(map(str, broken))[:2]}, the auditor nothing", file=sys.stderr)
                for kind, c in sorted(counts.items()):
                    print(f"| {suite} | {target} | {kind} | {sum(c.values())} | {c[True, True] + c[True, False]} | {c[True, True]} "
                          f"| {c[False, True]} | {c[False, False]} |", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
