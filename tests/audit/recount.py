#!/usr/bin/env python3
"""Counts the findings of `cdna-cts audit` once more, from the disassembler's text and without any code of the auditor.

    python3 tests/audit/recount.py --cdna-cts build/emulated/bin/cdna-cts --llvm-bin DIR FILE...
    python3 tests/audit/recount.py --pair AUDIT.json LISTING.txt

FILE is a code object or assembly, AUDIT.json what `cdna-cts audit --format json` printed, LISTING.txt what `llvm-objdump -d`
did. Each finding's path is walked instruction by instruction, as far as the rule is one that a function below counts.
A line a finding: confirmed, or what is otherwise; and whether a conditional branch lies on the path. At the end: how many
of each rule. Exit status: 1 when a finding is not confirmed, 2 when something cannot be read.

--spoil asks for the opposite, as a test of this script: every finding is made a wrong one first, in three ways, and the
status is 1 when one of these is confirmed.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

LINE = re.compile(r"\t(.*?)\s*// ([0-9A-F]+):((?: [0-9A-F]{8})+)")


class Wrong(Exception):
    """Why a finding is not confirmed."""


class Instruction:
    def __init__(self, text, pc, words):
        self.text, self.pc, self.words = re.sub(r"\s+", " ", text), pc, words
        self.name, _, rest = self.text.partition(" ")
        self.operands = re.split(r",\s*(?![^\[(]*[\])])", rest) if rest else []
        # What follows the last operand are modifiers: "0 offen offset:16 sc0".
        if self.operands:
            self.operands[-1], _, self.modifiers = self.operands[-1].partition(" ")
        else:
            self.modifiers = ""

    @property
    def next_pc(self):
        return self.pc + 4 * len(self.words)

    def is_a(self, *prefixes):
        return self.name.startswith(prefixes)


def read_listing(text):
    found = (LINE.match(line) for line in text.splitlines())
    return [Instruction(m[1], int(m[2], 16), [int(w, 16) for w in m[3].split()]) for m in found if m]


# ---- the way through the code


class Code:
    def __init__(self, instructions):
        self.instructions = instructions
        self.at = {i.pc: n for n, i in enumerate(instructions)}

    def number(self, pc):
        if pc not in self.at:
            raise Wrong(f"there is no instruction at {pc:#x}")
        return self.at[pc]

    def far_target(self, number):
        """Where S_SETPC goes: S_GETPC before it, and constants added to its low and, by S_ADDC, its high half."""
        offset = 0
        for n in range(number - 1, max(number - 5, -1), -1):
            before = self.instructions[n]
            if before.is_a("s_getpc_b64"):
                return (before.next_pc + offset) & (2**64 - 1)
            constants = [int(o, 0) for o in before.operands if re.fullmatch(r"-?(0x)?[0-9a-f]+", o)]
            offset += sum(constants) << (32 if before.is_a("s_addc_u32") else 0)
        return None

    def after(self, number):
        """Pcs that may come next."""
        i = self.instructions[number]
        if i.is_a("s_endpgm"):
            return []
        if i.is_a("s_setpc"):
            return [self.far_target(number)]
        if i.is_a("s_branch", "s_cbranch"):
            distance = i.words[0] & 0xFFFF
            target = i.pc + 4 + 4 * (distance - 0x10000 if distance & 0x8000 else distance)
            return [target] if i.is_a("s_branch") else [i.next_pc, target]
        return [i.next_pc]

    def walk(self, path):
        """The instructions executed on `path`: the producer, the first one of each block entered, the instruction found."""
        number = self.number(path[0])
        walked = [self.instructions[number]]
        for waypoint in path[1:]:
            while True:
                here = self.instructions[number]
                nexts = self.after(number)
                jumps = here.is_a("s_branch", "s_cbranch", "s_setpc", "s_endpgm", "s_swappc", "s_call")
                if jumps and waypoint not in nexts:
                    raise Wrong(f"no way leads from {here.pc:#x} {here.text} to {waypoint:#x}")
                number = self.number(waypoint if jumps else nexts[0])
                walked.append(self.instructions[number])
                if self.instructions[number].pc == waypoint:
                    break
        return walked


def crosses_branches(walked):
    return any(i.is_a("s_cbranch") for i in walked[:-1])


# ---- registers, as the text names them


NAMED = {"vcc": ("s", 106, 2), "vcc_lo": ("s", 106, 1), "vcc_hi": ("s", 107, 1), "m0": ("s", 124, 1),
         "exec": ("s", 126, 2), "exec_lo": ("s", 126, 1), "exec_hi": ("s", 127, 1)}


def registers(operand):
    """The 32-bit registers of an operand: {("v", 3), ("v", 4)} of "v[3:4]"."""
    operand = operand.strip("-|").removeprefix("neg(").removeprefix("abs(").removeprefix("sext(").rstrip(")|")
    if operand in NAMED:
        bank, first, count = NAMED[operand]
        return {(bank, n) for n in range(first, first + count)}
    m = re.fullmatch(r"([vsa])(\d+)", operand)
    if m:
        return {(m[1], int(m[2]))}
    m = re.fullmatch(r"([vsa])\[(\d+):(\d+)\]", operand)
    return {(m[1], n) for n in range(int(m[2]), int(m[3]) + 1)} if m else set()


MEMORY = ("buffer_", "tbuffer_", "global_", "scratch_", "flat_")
TWO_RESULTS = ("v_add_co_", "v_sub_co_", "v_subrev_co_", "v_addc_co_", "v_subb_co_", "v_subbrev_co_", "v_div_scale_", "v_mad_u64_u32",
               "v_mad_i64_i32")
ADDS_TO_RESULT = ("v_fmac_", "v_mac_", "v_pk_fmac_", "v_dot2c_", "v_dot4c_", "v_dot8c_", "v_smfmac_", "v_swap_", "v_writelane_")
NO_RESULT = ("s_cmp", "s_bitcmp", "s_waitcnt", "s_nop", "s_setreg", "s_barrier", "s_cbranch", "s_branch", "s_set", "s_store",
             "s_dcache")


def results(i):
    """How many operands in front are written."""
    if i.is_a(*MEMORY):
        if dma(i) or "_store" in i.name or i.is_a("buffer_inv", "buffer_wb"):
            return 0
        return 1 if "_load" in i.name or re.search(r"\b(sc0|glc)\b", i.modifiers) else 0
    if i.is_a("ds_"):
        return 1 if i.is_a("ds_read", "ds_bpermute", "ds_permute", "ds_swizzle") or "_rtn" in i.name else 0
    if i.is_a(*NO_RESULT):
        return 0
    return 2 if i.is_a(*TWO_RESULTS) else 1


def written(i):
    return set().union(set(), *(registers(o) for o in i.operands[: results(i)]))


def read(i):
    first = 0 if i.is_a(*ADDS_TO_RESULT) or (dma(i) or results(i) == 0) else results(i)
    # A memory instruction that returns into its first operand takes the others; one that returns nothing takes all. A load
    # into one half of a register keeps the other half.
    if "_d16" in i.name and results(i) == 1:
        first = 0
    return set().union(set(), *(registers(o) for o in i.operands[first:]))


# ---- counters


def dma(i):
    return "_load_lds" in i.name or (i.is_a(*MEMORY) and re.search(r"\blds\b", i.modifiers) is not None)


def kind(i):
    """The order in which it completes: "memory" and "lds" each among themselves, "scalar" and "flat" in none."""
    if i.is_a("flat_"):
        return "flat"
    if i.is_a(*MEMORY):
        return None if i.is_a("buffer_inv", "buffer_wb") else "memory"
    if i.is_a("ds_"):
        return None if i.is_a("ds_nop") else "lds"
    return "scalar" if i.is_a("s_load", "s_buffer_load", "s_scratch_load", "s_atomic", "s_buffer_atomic", "s_memtime",
                              "s_memrealtime", "s_store", "s_buffer_store", "s_dcache") else None


MOST = {"vmcnt": 63, "lgkmcnt": 15}
COUNTED_BY = {"memory": ["vmcnt"], "lds": ["lgkmcnt"], "scalar": ["lgkmcnt"], "flat": ["vmcnt", "lgkmcnt"]}


def waits(i):
    """{"vmcnt": 0} of an S_WAITCNT."""
    return {m[1]: int(m[2]) for m in re.finditer(r"(vmcnt|lgkmcnt)\((\d+)\)", i.text)} if i.is_a("s_waitcnt") else {}


class Outstanding:
    """An operation on its way to completion: younger operations of its kind, and the smallest wait that passed."""

    def __init__(self, operation):
        self.kind = kind(operation)
        if self.kind is None:
            raise Wrong(f"{operation.text} is no operation of memory")
        self.ordered = self.kind in ("memory", "lds")
        self.counters = set(COUNTED_BY[self.kind])
        self.most = MOST[COUNTED_BY[self.kind][0]]
        self.younger, self.smallest = 0, self.most

    def pass_by(self, i):
        for counter, limit in waits(i).items():
            if counter in self.counters:
                self.smallest = min(self.smallest, limit)
                if limit == 0 or (self.ordered and self.younger >= limit):
                    self.counters.discard(counter)
        if self.ordered and kind(i) == self.kind:
            self.younger += 1
            if self.younger == self.most:
                self.counters.clear()
        if not self.counters:
            raise Wrong(f"it is complete at {i.pc:#x} {i.text}, with {self.younger} younger ones")


def recount_counter(finding, walked):
    """A result that is outstanding when the instruction comes, and how many operations are younger."""
    producer, consumer = walked[0], walked[-1]
    outstanding = Outstanding(producer)
    for i in walked[1:-1]:
        if i.pc == producer.pc:
            raise Wrong("the operation is issued again on the way")
        outstanding.pass_by(i)
    younger = outstanding.younger if outstanding.ordered else 0
    if (younger, outstanding.smallest) != (finding["needed"], finding["have"]):
        raise Wrong(f"{younger} younger ones and a wait for {outstanding.smallest} lie on the way, "
                    f"not {finding['needed']} and {finding['have']}")
    rule = finding["rule"]
    if rule == "lds-dma-not-waited":
        right = dma(producer) and consumer.is_a("ds_") and not consumer.is_a("ds_write")
    elif rule == "lds-dma-barrier":
        right = dma(producer) and consumer.is_a("s_barrier") and outstanding.smallest == 63
    elif rule == "lds-write-barrier":
        right = producer.is_a("ds_") and not producer.is_a("ds_read") and consumer.is_a("s_barrier")
    elif rule == "overwritten-by-late-load":
        right = written(producer) & written(consumer)
    else:
        of_kind = {"vmcnt-not-waited": ["memory"], "lgkmcnt-not-waited": ["lds", "scalar"], "flat-not-waited": ["flat"]}
        right = written(producer) & read(consumer) and outstanding.kind in of_kind[rule]
    if not right:
        raise Wrong(f"{producer.text} and {consumer.text} do not break the rule")


# Which function counts a rule: it gets a finding and the instructions on its path, both ends included, and raises Wrong.
COUNTED = {rule: recount_counter for rule in (
    "vmcnt-not-waited", "lgkmcnt-not-waited", "flat-not-waited", "overwritten-by-late-load", "lds-dma-not-waited",
    "lds-dma-barrier", "lds-write-barrier")}


# ---- files


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=120, check=False)
    if done.returncode not in (0, 1) or (done.returncode == 1 and done.stdout == ""):
        raise OSError(f"{command[0]} ended with status {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def audited(arguments, file):
    """What the auditor and the disassembler say of a code object or of assembly."""
    with tempfile.TemporaryDirectory() as folder:
        code = file
        if file.endswith(".s"):
            target = re.search(r"gfx9\w+", pathlib.Path(file).read_text(encoding="utf-8"))[0]
            code = f"{folder}/code.co"
            run(arguments.llvm_bin / "llvm-mc", "-triple=amdgcn-amd-amdhsa", f"-mcpu={target}", "-filetype=obj", file, "-o",
                f"{folder}/code.o")
            run(arguments.llvm_bin / "ld.lld", "-shared", "--unresolved-symbols=ignore-all", f"{folder}/code.o", "-o", code)
        audit = json.loads(run(arguments.cdna_cts, "audit", "--format", "json", file))
        return audit, run(arguments.llvm_bin / "llvm-objdump", "-d", code)


def judge(finding, walked):
    """Why a finding is not confirmed, or None."""
    try:
        COUNTED[finding["rule"]](finding, walked)
    except Wrong as wrong:
        return str(wrong)
    return None


def walk(finding, code):
    walked = code.walk(finding["path"])
    if walked[0].pc != finding["producer_pc"] or walked[-1].pc != finding["pc"]:
        raise Wrong("the path has other ends than the finding")
    return walked


def spoiled(finding, walked):
    """What must not be confirmed: another number, a wait that is long enough, an instruction with other registers."""
    yield "another number", dict(finding, needed=finding["needed"] + 1), walked
    pause = [Instruction(text, -1, [0]) for text in ("s_waitcnt vmcnt(0) lgkmcnt(0)", "s_nop 15", "s_nop 15")]
    yield "a wait", finding, walked[:-1] + pause + walked[-1:]
    yield "other registers", finding, walked[:-1] + [Instruction("v_mov_b32_e32 v998, v999", walked[-1].pc, [0])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--cdna-cts", type=pathlib.Path)
    parser.add_argument("--llvm-bin", type=pathlib.Path, help="folder of llvm-objdump, llvm-mc and ld.lld")
    parser.add_argument("--pair", nargs=2, action="append", default=[], metavar=("AUDIT.json", "LISTING.txt"))
    parser.add_argument("--spoil", action="store_true")
    parser.add_argument("--quiet", action="store_true", help="only what is not confirmed, and the numbers")
    arguments = parser.parse_args()
    inputs = [(a, lambda a=a, l=l: (json.loads(pathlib.Path(a).read_text()), pathlib.Path(l).read_text())) for a, l in arguments.pair]
    inputs += [(f, lambda f=f: audited(arguments, f)) for f in arguments.files]
    if not inputs or (arguments.files and not (arguments.cdna_cts and arguments.llvm_bin)):
        parser.error("give files with --cdna-cts and --llvm-bin, or a --pair")

    counts, bad = collections.Counter(), 0
    for name, load in inputs:
        try:
            audit, listing = load()
        except (OSError, ValueError, TypeError, subprocess.SubprocessError) as error:
            print(f"recount.py: {name}: {error}", file=sys.stderr)
            return 2
        code = Code(read_listing(listing))
        for finding in audit["findings"]:
            rule, shape, verdicts = finding["rule"], "", []
            if rule not in COUNTED:
                counts[rule, "not counted", ""] += 1
                continue
            try:
                walked = walk(finding, code)
                shape = ", branches" if crosses_branches(walked) else ", straight"
                verdicts = [("", judge(finding, walked))]
                if arguments.spoil:
                    verdicts = [(f", with {how}", judge(*what)) for how, *what in spoiled(finding, walked)]
            except Wrong as wrong:
                verdicts = [("", str(wrong))]
            for how, reason in verdicts:
                verdict = "confirmed" if reason is None else "not confirmed"
                counts[rule, verdict, shape] += 1
                is_bad = (reason is None) == arguments.spoil
                bad += is_bad
                if is_bad or not arguments.quiet:
                    print(f"{name}: {rule} at {finding['pc']:#x}{how}: {verdict}{shape}{': ' + reason if reason else ''}")
    for (rule, verdict, shape), count in sorted(counts.items()):
        print(f"{count:7} {rule}: {verdict}{shape}")
    if not any(verdict != "not counted" for _, verdict, _ in counts):
        print("recount.py: nothing was counted", file=sys.stderr)
        return 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
