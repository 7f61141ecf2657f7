"""Runs one kernel of a code object on tinygrad's CDNA emulator: the other side of run_kernel, with its command line.

    PYTHONPATH=TINYGRAD_CHECKOUT python3 run_on_peer.py FILE.co KERNEL --grid X,Y,Z --block X,Y,Z --runs N ARGUMENT...

Prints the same line of JSON. What the emulator's own driver does for a compute dispatch is done here: segments in
memory, the kernel's descriptor, user SGPRs, the size of LDS. The time to import the emulator is not counted.
"""

import argparse
import ctypes
import json
import mmap
import struct
import sys
import time

from test.mockgpu.amd.emu import run_asm

FILL = 0xA5  # what an output holds before a run, as in run_kernel


class Unsupported(Exception):
    """What the code object asks for and this driver, or the emulator, does not give."""


class Memory:
    """Pages of this process, which the emulator addresses directly."""

    def __init__(self, size):
        self.pages = mmap.mmap(-1, max(size, 1))
        self.size = size
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.pages))

    def write(self, offset, data):
        self.pages[offset : offset + len(data)] = data

    def read(self):
        return self.pages[: self.size]


class CodeObject:
    """An ELF code object in memory, as a loader leaves it (position independent; without relocations)."""

    def __init__(self, elf):
        if elf[:5] != b"\x7fELF\x02":
            raise Unsupported("not a 64-bit ELF file")
        program_headers, section_headers = struct.unpack_from("<QQ", elf, 32)
        segment_count, section_size, section_count = (struct.unpack_from("<H", elf, o)[0] for o in (56, 58, 60))
        segments = [struct.unpack_from("<IIQQQQQQ", elf, program_headers + 56 * i) for i in range(segment_count)]
        loads = [s for s in segments if s[0] == 1]  # PT_LOAD
        self.memory = Memory(max(s[3] + s[6] for s in loads))
        for _, _, offset, address, _, file_size, _, _ in loads:
            self.memory.write(address, elf[offset : offset + file_size])

        sections = [
            struct.unpack_from("<IIQQQQIIQQ", elf, section_headers + section_size * i) for i in range(section_count)
        ]
        if any(s[1] in (4, 9) and s[5] > 0 for s in sections):  # SHT_RELA, SHT_REL
            raise Unsupported("the code object has relocations")
        self.symbols = {}
        for _, kind, _, _, offset, size, link, _, _, entry in sections:
            if kind != 11:  # SHT_DYNSYM
                continue
            names = sections[link][4]
            for at in range(offset, offset + size, entry):
                name, _, _, _, value, _ = struct.unpack_from("<IBBHQQ", elf, at)
                self.symbols[elf[names + name : elf.index(b"\0", names + name)].decode()] = value

    def descriptor(self, kernel):
        """LDS bytes, scratch bytes a lane, entry address, RSRC2, code properties, preloaded dwords of `kernel`."""
        if f"{kernel}.kd" not in self.symbols:
            raise Unsupported(f"there is no kernel '{kernel}'")
        at = self.symbols[f"{kernel}.kd"]
        lds, scratch, _, _, entry = struct.unpack_from("<IIIIq", self.memory.pages, at)
        rsrc2, properties, preload = struct.unpack_from("<IHH", self.memory.pages, at + 52)
        return lds, scratch, self.memory.address + at + entry, rsrc2, properties, preload


class Arguments:
    """The kernel's arguments by the words of the command line: in:FILE, out:BYTES:FILE, u32:VALUE."""

    def __init__(self, words):
        self.kernarg, self.buffers, self.outputs = b"", [], []
        for word in words:
            kind, _, rest = word.partition(":")
            if kind == "in":
                with open(rest, "rb") as file:
                    data = file.read()
                buffer = self.add_buffer(len(data))
                buffer.write(0, data)
            elif kind == "out":
                size, _, path = rest.partition(":")
                self.outputs.append((self.add_buffer(int(size)), path))
            elif kind == "u32":
                self.align(4)
                self.kernarg += struct.pack("<I", int(rest))
            else:
                raise Unsupported(f"argument '{word}': expected in:FILE, out:BYTES:FILE or u32:VALUE")

    def align(self, size):
        self.kernarg += bytes(-len(self.kernarg) % size)

    def add_buffer(self, size):
        self.align(8)
        self.buffers.append(Memory(size))
        self.kernarg += struct.pack("<Q", self.buffers[-1].address)
        return self.buffers[-1]


def run(options):
    arguments = Arguments(options.arguments)
    kernarg = Memory(len(arguments.kernarg) + 256)  # hidden arguments stay zero
    kernarg.write(0, arguments.kernarg)

    seconds = []
    for _ in range(options.runs):
        for buffer, _ in arguments.outputs:
            buffer.write(0, bytes([FILL]) * buffer.size)
        began = time.perf_counter()
        if not seconds:
            with open(options.file, "rb") as file:
                code = CodeObject(file.read())
            lds, scratch, entry, rsrc2, properties, preload = code.descriptor(options.kernel)
            if properties & 0x7F != 0x08 or preload != 0:  # nothing but the address of the arguments in s[0:1]
                raise Unsupported(f"user SGPRs: code properties {properties:#x}, preload {preload:#x}")
            rsrc2 |= (lds + 511) // 512 << 15  # GRANULATED_LDS_SIZE, which a dispatch fills in
        user_sgprs = [kernarg.address & 0xFFFFFFFF, kernarg.address >> 32]
        run_asm(
            entry, 0, *options.grid, *options.block, kernarg.address, rsrc2, scratch, "cdna", user_sgprs
        )
        seconds.append(time.perf_counter() - began)

    for buffer, path in arguments.outputs:
        with open(path, "wb") as file:
            file.write(buffer.read())
    print(json.dumps({"cold": seconds[0], "warm": seconds[1:]}))


def three(text):
    sizes = [int(part) for part in text.split(",")]
    return sizes + [1] * (3 - len(sizes))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("kernel")
    parser.add_argument("arguments", nargs="*")
    parser.add_argument("--grid", type=three, default=[1, 1, 1], help="workgroups in x, y, z")
    parser.add_argument("--block", type=three, default=[1, 1, 1], help="threads of a workgroup in x, y, z")
    parser.add_argument("--runs", type=int, default=1)
    try:
        run(parser.parse_intermixed_args())
    except Unsupported as problem:
        sys.exit(f"run_on_peer.py: {problem}")


if __name__ == "__main__":
    main()
