"""Which bytes of LDS the waves touch at two instructions, for recount.py: addresses are followed backwards from each, along one
way from the kernel's entry, for every work-item of a workgroup of 256.

The auditor goes forwards and joins all ways; this goes backwards along one. Branches on the way that compare the wave's number
leave those waves out which would go elsewhere. EXEC is taken to be full.
"""
import collections
import re

ITEMS, LANES = 256, 64
M32 = 0xFFFFFFFF


class NotKnown(Exception):
    """An address that is not made of work-item ids and constants."""


def signed(n, bits=32):
    n &= (1 << bits) - 1
    return n - (1 << bits) if n >> (bits - 1) else n


OPERATIONS = {
    "mov_b32": lambda a: a, "movk_i32": lambda a: signed(a, 16), "not_b32": lambda a: ~a,
    "and_b32": lambda a, b: a & b, "or_b32": lambda a, b: a | b, "xor_b32": lambda a, b: a ^ b,
    "add_u32": lambda a, b: a + b, "add_i32": lambda a, b: a + b, "sub_u32": lambda a, b: a - b, "sub_i32": lambda a, b: a - b,
    "subrev_u32": lambda a, b: b - a, "mul_lo_u32": lambda a, b: a * b, "mul_i32": lambda a, b: a * b,
    "mul_u32_u24": lambda a, b: (a & 0xFFFFFF) * (b & 0xFFFFFF), "mul_i32_i24": lambda a, b: signed(a, 24) * signed(b, 24),
    "mad_u32_u24": lambda a, b, c: (a & 0xFFFFFF) * (b & 0xFFFFFF) + c, "mad_i32_i24": lambda a, b, c: signed(a, 24) * signed(b, 24) + c,
    "lshlrev_b32": lambda a, b: b << (a & 31), "lshrrev_b32": lambda a, b: b >> (a & 31), "ashrrev_i32": lambda a, b: signed(b) >> (a & 31),
    "lshl_b32": lambda a, b: a << (b & 31), "lshr_b32": lambda a, b: a >> (b & 31), "ashr_i32": lambda a, b: signed(a) >> (b & 31),
    "lshl_add_u32": lambda a, b, c: (a << (b & 31)) + c, "add_lshl_u32": lambda a, b, c: (a + b) << (c & 31),
    "lshl_or_b32": lambda a, b, c: a << (b & 31) | c, "and_or_b32": lambda a, b, c: a & b | c, "or3_b32": lambda a, b, c: a | b | c,
    "add3_u32": lambda a, b, c: a + b + c, "xad_u32": lambda a, b, c: (a ^ b) + c,
}
COMPARISONS = {"eq": lambda a, b: a == b, "lg": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
               "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}


def way_from(code, entry, to):
    """Numbers of the instructions on a shortest way, both ends included."""
    before, work = {entry: None}, collections.deque([entry])
    while work:
        n = work.popleft()
        if n == to:
            way = []
            while n is not None:
                way.append(n)
                n = before[n]
            return way[::-1]
        for pc in code.after(n):
            m = code.at.get(pc)
            if m is not None and m not in before:
                before[m] = n
                work.append(m)
    raise NotKnown("no way leads there from the kernel's entry")


class Way:
    """Instructions in the order of execution, and what registers hold on it."""

    def __init__(self, instructions, registers, written):
        self.instructions, self.registers, self.written, self.known = instructions, registers, written, {}

    def value(self, operand, position):
        """The operand of the instruction at `position`, for each work-item."""
        if re.fullmatch(r"-?(0x)?[0-9a-f]+", operand):
            return [int(operand, 0) & M32] * ITEMS
        found = self.registers(operand)
        if len(found) != 1:
            raise NotKnown(f"operand {operand}")
        (register,) = found
        at = next((n for n in range(position - 1, -1, -1) if register in self.written(self.instructions[n])), None)
        if at is None:
            if register != ("v", 0):
                raise NotKnown(f"{operand} at the kernel's entry")
            return list(range(ITEMS))
        if at not in self.known:
            self.known[at] = self.result(at)
        return self.known[at]

    def result(self, at):
        i = self.instructions[at]
        name = re.sub(r"_e(32|64)$", "", i.name)
        if name == "v_readfirstlane_b32":
            lanes = self.value(i.operands[1], at)
            return [lanes[n // LANES * LANES] for n in range(ITEMS)]
        if name.startswith("v_mbcnt_") and i.operands[1] == "-1":
            first = 32 if "_hi_" in name else 0
            add = self.value(i.operands[2], at)
            return [add[n] + min(max(n % LANES - first, 0), 32) for n in range(ITEMS)]
        operation = OPERATIONS.get(name[2:])
        if operation is None or i.modifiers or name.endswith(("_dpp", "_sdwa")):
            raise NotKnown(f"{i.text} at {i.pc:#x}")
        operands = [self.value(o, at) for o in i.operands[1:]]
        return [operation(*values) & M32 for values in zip(*operands)]

    def waves(self):
        """Waves that go this way."""
        waves = set(range(ITEMS // LANES))
        for at, i in enumerate(self.instructions[:-1]):
            if not i.is_a("s_cbranch_scc"):
                continue
            compared = next((n for n in range(at - 1, max(at - 8, -1), -1) if self.instructions[n].is_a("s_cmp_")), None)
            if compared is None:
                continue
            try:
                c = self.instructions[compared]
                operands = [self.value(o, compared) for o in c.operands]
            except NotKnown:
                continue  # an argument: the waves go together
            compare = COMPARISONS[c.name.split("_")[2]]
            jumps = self.instructions[at + 1].pc != i.next_pc
            for wave in list(waves):
                a, b = (o[wave * LANES] for o in operands)
                scc = compare(signed(a), signed(b)) if c.name.endswith("i32") else compare(a, b)
                if (scc == i.is_a("s_cbranch_scc1")) != jumps:
                    waves.discard(wave)
        return waves


def bytes_of(i):
    size = re.search(r"_[buif](8|16|32|64|96|128)(_|$)", i.name)
    return int(size[1]) // 8 if size else 4


def touched(way, position):
    """{byte: waves} of a DS instruction."""
    i = way.instructions[position]
    address = way.value(i.operands[0 if i.is_a("ds_write") else 1], position)
    offset = [int(m[2], 0) for m in re.finditer(r"\boffset(0|1|):(\w+)", i.modifiers)] or [0]
    if i.is_a("ds_read2", "ds_write2"):
        both = {m[1]: int(m[2]) for m in re.finditer(r"\boffset([01]):(\d+)", i.modifiers)}
        unit = bytes_of(i) * (64 if "st64" in i.name else 1)
        offset = [both.get("0", 0) * unit, both.get("1", 0) * unit]
    found = collections.defaultdict(set)
    for wave in way.waves():
        for item in range(wave * LANES, (wave + 1) * LANES):
            for start in offset:
                for byte in range(bytes_of(i)):
                    found[address[item] + start + byte].add(wave)
    return found


def shared(first, second):
    """A byte that one wave touches with the first and another one with the second, and whose writer is one wave; or None."""
    for byte, waves in first.items():
        others = second.get(byte, set())
        if others and len(waves | others) > 1:
            return byte, sorted(waves), sorted(others)
    return None
