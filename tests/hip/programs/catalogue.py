"""What is in the collections of HIP programs that try_programs.py builds and runs, read from a checkout.

Everything here is about programs that others wrote: which files make one, what it is called with so that it ends soon on an
emulator, which text tells that its own check passed, and why one is not run at all.
"""

import dataclasses
import pathlib
import re


class Unusable(Exception):
    """One line about what could not be read, built or run."""


@dataclasses.dataclass
class Program:
    name: str
    sources: list  # paths, each compiled into an object of its own
    flags: list = dataclasses.field(default_factory=list)  # of the compiler, for each source and for the link
    link: list = dataclasses.field(default_factory=list)  # libraries
    modules: list = dataclasses.field(default_factory=list)  # sources of device code that it loads from <stem>.co
    arguments: list = dataclasses.field(default_factory=list)
    passed: str = ""  # a pattern that its output has when its own check passed; empty: its exit status alone tells
    without: dict = dataclasses.field(default_factory=dict)  # Catch2 cases that are not run: pattern of the name, reason
    smaller: tuple = ()  # (text, other text): a replacement in a copy of the source, so that it ends soon
    lacks: str = ""  # what it needs and this machine has not: it is neither built nor run
    findings: dict = dataclasses.field(default_factory=dict)  # rule that the program itself breaks: where and why


# ---- ROCm/rocm-examples ----------------------------------------------------------------------------------------------------

EXAMPLE_LACKS = {
    "cooperative_groups": "cooperative launches, which the emulator refuses",
    "hipify": "a program to translate, which is no HIP program yet",
    "monte_carlo_pi": "hipRAND",
    "multi_gpu_data_transfer": "two devices",
    "opengl_interop": "OpenGL and a display",
    "runtime_compilation": "hiprtc, compilation at run time",
    "texture_management": "images: CDNA has no image instructions",
    "vulkan_interop": "Vulkan and a display",
}
EXAMPLE_ARGUMENTS = {  # smaller than the defaults, which take a GPU milliseconds
    "bandwidth": ["-start", "1048576", "-end", "1048576", "-trials", "2"],
    "bitonic_sort": ["-l", "10"],
    "convolution": ["-x", "128", "-y", "128", "-i", "2"],
    "floyd_warshall": ["-n", "32", "-i", "1"],
    "histogram": ["-n", "65536"],
    "matrix_multiplication": ["--A_rows", "128", "--A_cols", "64", "--B_cols", "128"],
}
EXAMPLE_SMALLER = {  # the same in sources that have no argument for it
    "events": ("unsigned int width = 1024;", "unsigned int width = 128;"),
    "moving_average": ("input_size = 10000000;", "input_size = 50000;"),
    "saxpy": ("size = 1000000;", "size = 100000;"),
}
EXAMPLE_FLAGS = {"bandwidth": ["-include", "cstring"], "static_device_library": ["-fgpu-rdc"]}


def rocm_examples(checkout):
    """HIP-Basic and Applications."""
    for folder in sorted([*checkout.glob("HIP-Basic/*/"), *checkout.glob("Applications/*/")]):
        name = folder.name
        main = next((folder / file for file in ("main.hip", "main.cpp") if (folder / file).exists()), None)
        if not main and name not in EXAMPLE_LACKS:
            raise Unusable(f"{folder} has neither main.hip nor main.cpp")
        sources = [main, *sorted(folder.glob("library/*.hip"))] if main else []
        checks = any(re.search(r"alidation passed|report_validation_result", source.read_text()) for source in sources)
        yield Program(
            name,
            sources,
            flags=["-O2", f"-I{checkout / 'Common'}", f"-I{folder / 'library'}", *EXAMPLE_FLAGS.get(name, [])],
            modules=sorted(folder.glob("module.hip")),
            arguments=EXAMPLE_ARGUMENTS.get(name, []),
            passed="alidation passed" if checks else "",
            smaller=EXAMPLE_SMALLER.get(name, ()),
            lacks=EXAMPLE_LACKS.get(name, ""),
        )


# ---- ROCm/hip-tests --------------------------------------------------------------------------------------------------------

# The folders of catch/unit that are about kernels. What the others test (streams that run at the same time, arrays, textures,
# handles between processes, graphics) docs/hip-runtime.md answers in words.
HIP_TEST_FOLDERS = ["warp", "syncthreads", "threadfence", "device_memory", "launchBounds"]
RUN_TIME_COMPILATION = {"_RTC": "hiprtc, compilation at run time"}
HIP_TEST_WITHOUT = {"warp": {"Unit_Warp_": "every shape of grid and block, seconds each in every run"}}
HIP_TEST_FINDINGS = {
    "threadfence": {
        "never-written-lds": "its own: `ThreadfenceTestKernel<…, true>` sets the pointers to LDS in thread 0 only "
        "(threadfence_common.hh:87), so thread 1 reads and writes the arrays in device memory, and line 104 copies LDS that "
        "nothing wrote into the result, which the test accepts"
    }
}


def hip_tests(checkout):
    """Each folder of unit tests is a program, as in its own build."""
    catch = checkout / "catch"
    main = [catch / "hipTestMain" / f"{name}.cc" for name in ("main", "hip_test_context", "hip_test_features")]
    includes = [catch / "include", catch / "external/Catch2", catch / "external/picojson", catch / "kernels"]
    for name in HIP_TEST_FOLDERS:
        folder = catch / "unit" / name
        tests = sorted(folder.glob("*.cc"))
        sources = [source for source in tests if not re.search(r"_exe|rtc|negative|compiler_error", source.name, re.I)]
        if not sources:
            raise Unusable(f"{folder} has no tests")
        yield Program(
            name,
            [*main, *sources],
            # What refers to hiprtc binds to nothing: the cases that would call it are left out.
            flags=["-O1", "-DHT_AMD=1", "-DHT_LINUX=1", *[f"-I{path}" for path in includes]],
            link=["-lpthread", "-ldl", "-lrt", "-fuse-ld=lld", "-Wl,--unresolved-symbols=ignore-all", "-Wl,-z,lazy"],
            passed=r"All tests passed|test cases: *(\d+) \| *\1 passed",
            findings=HIP_TEST_FINDINGS.get(name, {}),
            without={**RUN_TIME_COMPILATION, **HIP_TEST_WITHOUT.get(name, {})},
        )


# ---- ROCm/rocPRIM ----------------------------------------------------------------------------------------------------------

# Some of its headers use what they do not include, and templates as older compilers took them.
ROCPRIM_FLAGS = ["-std=c++20", "-include", "cstring", "-include", "chrono"]
ROCPRIM_FLAGS += ["-Wno-missing-template-arg-list-after-template-kw"]
ROCPRIM_FINDINGS = {
    "rocprim_sort": {
        "lds-race": "its own: `serial_merge` (detail/merge_path.hpp:139) reads one key beyond its range, in a wave's last "
        "lane the first key of the next wave, which that one writes (warp/detail/warp_sort_stable.hpp:132) with only a "
        "`wave_barrier` in between; the key is never chosen, so the result is right"
    }
}


def rocprim(checkout):
    """This project's own programs on the library's kernels, each compared with the standard library's algorithms."""
    for source in sorted(pathlib.Path(__file__).parent.glob("rocprim_*.hip")):
        yield Program(
            source.stem,
            [source],
            flags=["-O2", *ROCPRIM_FLAGS, f"-I{checkout / 'rocprim/include'}"],
            passed="all as expected",
            findings=ROCPRIM_FINDINGS.get(source.stem, {}),
        )


COLLECTIONS = {"rocm-examples": ("HIP-Basic", rocm_examples), "hip-tests": ("catch/unit", hip_tests),
               "rocPRIM": ("rocprim/include", rocprim)}  # fmt: skip


def collection(checkout):
    """The name of the collection that a folder holds, and its programs."""
    for name, (mark, programs) in COLLECTIONS.items():
        if (checkout / mark).is_dir():
            return name, list(programs(checkout))
    raise Unusable(f"{checkout} is no checkout of {', '.join(COLLECTIONS)}")
