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

import recount_lds

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


def labels_of(text):
    return {m[2]: int(m[1], 16) for m in re.finditer(r"^([0-9a-f]{16}) <(.+)>:$", text, re.MULTILINE)}


# ---- the way through the code


class Code:
    def __init__(self, instructions, labels):
        self.instructions, self.labels = instructions, labels
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


# ---- wait states


def wait_states(i):
    return int(i.operands[0], 0) + 1 if i.is_a("s_nop") else 1


def matrix(i):
    return i.is_a("v_mfma", "v_smfmac")


def passes(i):
    """Of a matrix instruction, by its shape: cycles of CDNA3 ISA 7.1 and CDNA4 ISA 7.1, by 4."""
    if "f8f6f4" in i.name:
        formats = [int(m[1]) if (m := re.search(rf"\b{name}:(\d)", i.text)) else 0 for name in ("cbsz", "blgp")]
        whole = any(f < 2 for f in formats)  # FP8 or BF8 in either
        return (8 if whole else 4) * (2 if "32x32" in i.name else 1)
    if "4x4x4" in i.name:
        return 2
    blocks = "_4b_" in i.name or "_2b_" in i.name or re.search(r"16x16x4_?(4b_)?f?16|32x32x4", i.name)
    return {"16x16": 4, "32x32": 8}[re.search(r"16x16|32x32", i.name)[0]] * (2 if blocks else 1)


def matrix_result(i, target):
    """Wait states until a result can be read or written. CDNA3 ISA Table 37, CDNA4 ISA Table 38."""
    return {"gfx942": {2: 5, 4: 7, 8: 11, 16: 19}, "gfx950": {2: 5, 4: 8, 8: 12, 16: 20}}[target][passes(i)]


def valu(i):
    return i.is_a("v_") and not matrix(i)


def of_bank(found, *banks):
    return {r for r in found if r[0] in banks}


def vectors(found):
    return of_bank(found, "v", "a")


def scalars_written(i):
    return of_bank(written(i), "s") | ({("s", 126), ("s", 127)} if i.is_a("v_cmpx") else set())


def keeps(i):
    """Registers of which it writes a part: an old value that it needs."""
    partial = (re.search(r"op_sel:\[[01,]*1\]|dst_unused:UNUSED_PRESERVE", i.modifiers) or i.is_a("v_cvt_pk_fp8", "v_cvt_pk_bf8")
               or (i.name.endswith("_dpp") and "bound_ctrl" not in i.modifiers))
    return written(i) if partial else set()


def carry(i):
    """Scalars that are taken a bit a lane, not as a value."""
    takes = i.is_a("v_cndmask", "v_addc_", "v_subb_", "v_subbrev_", "v_div_fmas")
    return registers(i.operands[-1]) if takes else set()


def lane_select(i):
    return registers(i.operands[2]) if i.is_a("v_readlane", "v_writelane") else set()


def is_moved(i):
    """Whether the result goes elsewhere than into the whole register or its low half."""
    sdwa = re.search(r"dst_sel:(\w+)", i.modifiers)
    return bool(sdwa and sdwa[1] not in ("DWORD", "WORD_0", "BYTE_0")) or re.search(r"op_sel:\[[01,]*1\]", i.modifiers) is not None


def wide_store_data(i):
    """Data of a store of three or four dwords that takes no offset from an SGPR."""
    if not i.is_a(*MEMORY) or not re.search(r"_store_(dwordx[34]|format_xyzw?)", i.name):
        return set()
    if i.is_a("buffer_") and of_bank(registers(i.operands[3]), "s"):
        return set()
    return registers(i.operands[0] if i.is_a("buffer_") else i.operands[1])


def converts(i):
    return re.match(r"v_cvt_(scalef32_)?(pk|sr|sr_pk)_(fp8|bf8|fp4)_f32", i.name) is not None


def reads_m0(i):
    return dma(i) or (i.is_a("ds_") and "addtid" in i.name)


# A rule: wait states, and the registers by which first and second have to do with each other (or whether they have).
TABLE = {
    "salu-m0-lds": (1, lambda a, b: a.is_a("s_") and ("s", 124) in written(a) and reads_m0(b)),
    "cvt-parts": (1, lambda a, b: converts(a) and converts(b) and written(a) & written(b)),
    "valu-vgpr-dpp": (2, lambda a, b: valu(a) and "_dpp" in b.name and vectors(written(a)) & (read(b) | keeps(b))),
    "valu-sgpr-constant": (2, lambda a, b: valu(a) and valu(b) and scalars_written(a) & (read(b) - carry(b) - lane_select(b))),
    "cmpx-lane": (4, lambda a, b: a.is_a("v_cmpx") and b.is_a("v_readlane", "v_readfirstlane", "v_writelane")),
    "opsel-sdwa": (1, lambda a, b: is_moved(a) and valu(b) and written(a) & (read(b) | keeps(b))),
    "trans-valu": (1, lambda a, b: a.is_a("v_exp_", "v_log_", "v_rcp_", "v_rsq_", "v_sqrt_", "v_sin_", "v_cos_") and valu(b)
                   and written(a) & read(b)),
    "valu-vgpr-readlane": (1, lambda a, b: valu(a) and b.is_a("v_readlane") and vectors(written(a)) & read(b)),
    "valu-vgpr-permlane": (2, lambda a, b: valu(a) and b.is_a("v_permlane") and vectors(written(a)) & (read(b) | written(b))),
    "wide-store-write": (1, lambda a, b: wide_store_data(a) & written(b) and not b.is_a("v_")),
    "wide-store-valu-write": (2, lambda a, b: wide_store_data(a) & written(b) and b.is_a("v_")),
    "valu-write-to-xdl-c": (2, lambda a, b: valu(a) and matrix(b) and vectors(written(a)) & registers(b.operands[3])),
    "valu-write-to-matrix-ab": (2, lambda a, b: valu(a) and matrix(b) and vectors(written(a)) & read_as_ab(b)),
    "xdl-write-to-valu-read": (None, lambda a, b: matrix(a) and valu(b) and written(a) & (read(b) | keeps(b))),
    "xdl-write-to-valu-overwrite": (None, lambda a, b: matrix(a) and valu(b) and written(a) & written(b)),
    "xdl-write-to-memory-read": (None, lambda a, b: matrix(a) and b.is_a("ds_", *MEMORY) and written(a) & read(b)),
}


def read_as_ab(i):
    return set().union(*(registers(o) for o in i.operands[1:3]), *(registers(o) for o in i.operands[4:]))


def written_again(between, scalars):
    """Whether scalar instructions write all of them on the way."""
    return scalars <= set().union(set(), *(written(i) for i in between if i.is_a("s_")))


def recount_wait_states(finding, walked):
    """Wait states that lie between two instructions which a row of a table is about."""
    producer, consumer, between = walked[0], walked[-1], walked[1:-1]
    rule = finding["rule"]
    needed, concern = TABLE[rule]
    needed = needed or (matrix_result(producer, finding["target"]) if matrix(producer) else 0)
    have = sum(wait_states(i) for i in between)
    if any(i.pc == producer.pc for i in between):
        raise Wrong("the first instruction is executed again on the way")
    if (needed, have) != (finding["needed"], finding["have"]) or have >= needed:
        raise Wrong(f"{have} of {needed} wait states lie on the way, not {finding['have']} of {finding['needed']}")
    if not concern(producer, consumer):
        raise Wrong(f"{producer.text} and {consumer.text} do not break the rule")
    if rule in ("valu-sgpr-constant", "cmpx-lane"):
        again = written_again(between, scalars_written(producer))
        if again != (finding["severity"] == "warning"):
            raise Wrong(f"{finding['severity']}, and the scalars are {'' if again else 'not '}written again")


# ---- barriers


def recount_barrier(finding, walked, code):
    """No barrier between two waves that touch the same bytes; errors by the addresses, warnings as far as the listing says it."""
    first, second = walked[0], walked[-1]
    reads = finding["rule"] == "lds-read-without-barrier"
    if (finding["needed"], finding["have"]) != (0, 0):
        raise Wrong("nothing is counted here")
    unpublished = walked[1:-1]
    if finding["severity"] == "warning" and not reads:  # from an earlier write over a barrier and a read
        barriers = [n for n, i in enumerate(walked) if i.is_a("s_barrier")]
        unpublished = walked[barriers[-1] + 1:-1] if barriers else []
        if not any(i.is_a("ds_read") for i in unpublished):
            raise Wrong("no barrier and a read behind it lie on the way")
    if any(i.is_a("s_barrier") for i in unpublished):
        raise Wrong("a barrier lies on the way")
    if not first.is_a("ds_write" if reads else "ds_") or not second.is_a("ds_read" if reads else "ds_write"):
        raise Wrong(f"{first.text} and {second.text} do not break the rule")
    if finding["severity"] == "warning":
        return
    entry = code.labels.get(finding["kernel"])
    if entry is None:
        raise Wrong(f"no label {finding['kernel']}")
    try:
        to = recount_lds.way_from(code, code.number(entry), code.number(first.pc))
        way = recount_lds.Way([code.instructions[n] for n in to] + walked[1:], registers, written)
        if recount_lds.shared(recount_lds.touched(way, len(to) - 1), recount_lds.touched(way, len(way.instructions) - 1)) is None:
            raise Wrong("no wave touches what another one touches")
    except recount_lds.NotKnown as unknown:
        raise Wrong(f"not known: {unknown}") from unknown


# Which function counts a rule: it gets a finding and the instructions on its path, both ends included, and raises Wrong.
BARRIERS = ("lds-read-without-barrier", "lds-overwrite-without-barrier")
COUNTED = {rule: recount_counter for rule in (
    "vmcnt-not-waited", "lgkmcnt-not-waited", "flat-not-waited", "overwritten-by-late-load", "lds-dma-not-waited",
    "lds-dma-barrier", "lds-write-barrier")} | {rule: recount_wait_states for rule in TABLE}


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


def judge(finding, walked, code):
    """Why a finding is not confirmed, or None."""
    try:
        if finding["rule"] in BARRIERS:
            recount_barrier(finding, walked, code)
        else:
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
    yield "a wait", finding, walked[:-1] + pause + [Instruction("s_barrier", -1, [0])] + walked[-1:]
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
        code = Code(read_listing(listing), labels_of(listing))
        for finding in audit["findings"]:
            rule, shape, verdicts = finding["rule"], "", []
            if rule not in COUNTED and rule not in BARRIERS:
                counts[rule, "not counted", ""] += 1
                continue
            try:
                walked = walk(finding, code)
                shape = ", branches" if crosses_branches(walked) else ", straight"
                verdicts = [("", judge(finding, walked, code))]
                if arguments.spoil:
                    verdicts = [(f", with {how}", judge(*what, code)) for how, *what in spoiled(finding, walked)]
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
