// Every kind of input, and exit statuses of the command.
#include "tests/audit/programs.hpp"

#include "common/error.hpp"
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "runners/audit/tools.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace cts::audit {
namespace {

const std::string clean = ".globl k\n.type k,@function\nk:\n  v_mov_b32 v0, v1\n  s_nop 0\n  v_readlane_b32 "
                          "s0, v0, 3\n  s_endpgm\n";
const std::string broken =
    ".globl k\n.type k,@function\nk:\n  v_mov_b32 v0, v1\n  v_readlane_b32 s0, v0, 3\n  s_endpgm\n";

std::string bytes_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The code object of a listing.
std::string code_object(const std::string& listing, Target target) {
  const TemporaryFolder folder;
  write_file(folder.file("k.s"), listing);
  return bytes_of(read_parts(listing, folder.file("k.s"), target, codeobject::find_tools()).at(0).elf);
}

/// A bundle as clang makes them: magic, number of entries, for each offset, size, length of its name, name.
std::string bundle(const std::vector<std::pair<std::string, std::string>>& entries) {
  const auto number = [](std::uint64_t n) {
    return std::string(reinterpret_cast<const char*>(&n), sizeof n);
  };
  std::size_t at = 32;
  for (const auto& [id, bytes] : entries) at += 24 + id.size();
  std::string head = "__CLANG_OFFLOAD_BUNDLE__" + number(entries.size()), content;
  for (const auto& [id, bytes] : entries) {
    head += number(at + content.size()) + number(bytes.size()) + number(id.size()) + id;
    content += bytes;
  }
  return head + content;
}

Report audit_bytes(const std::string& bytes, std::optional<Target> target = std::nullopt) {
  const TemporaryFolder folder;
  write_file(folder.file("input"), bytes);
  return audit_file(folder.file("input"), target, RuleSet::isa, {}, codeobject::find_tools());
}

void expect_error(const std::string& bytes, std::string_view expected,
                  std::optional<Target> target = std::nullopt) {
  try {
    const Report report = audit_bytes(bytes, target);
    ADD_FAILURE() << "no error; expected one with '" << expected << "'\n" << as_text(report, "input");
  } catch (const Error& e) {
    const std::string what = e.what();
    EXPECT_NE(what.find(expected), what.npos) << "got: " << what << "\nexpected to contain: " << expected;
    EXPECT_EQ(what.find('\n'), what.npos) << "more than one line: " << what;
  }
}

TEST(Inputs, CodeObjectsAndBundles) {
  const std::string object = code_object(broken, Target::gfx942), other = code_object(clean, Target::gfx950);
  EXPECT_EQ(audit_bytes(object).findings.size(), 1u);
  const std::string both = bundle({{"host-x86_64-unknown-linux--", ""},
                                   {"hipv4-amdgcn-amd-amdhsa--gfx942", object},
                                   {"hipv4-amdgcn-amd-amdhsa--gfx950", other}});
  EXPECT_EQ(audit_bytes(both).findings.size(), 1u);
  EXPECT_EQ(audit_bytes(both).kernels, 2u);
  EXPECT_EQ(audit_bytes(both, Target::gfx942).findings.size(), 1u);
  EXPECT_EQ(audit_bytes(both, Target::gfx950).findings.size(), 0u);
  expect_error(bundle({{"hipv4-amdgcn-amd-amdhsa--gfx942", object}}),
               "no code object for gfx950 in this bundle; it holds: hipv4-amdgcn-amd-amdhsa--gfx942",
               Target::gfx950);
  expect_error(object, "a code object for gfx942, not for gfx950", Target::gfx950);
  // Each of several for one target, whatever features they are for.
  const std::string right = code_object(clean, Target::gfx942);
  EXPECT_EQ(audit_bytes(bundle({{"hipv4-amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-", right},
                                {"hipv4-amdgcn-amd-amdhsa--gfx942:sramecc-:xnack+", object}}))
                .findings.size(),
            1u);
}

TEST(Inputs, HostProgramsAndRelocatableObjects) {
  const TemporaryFolder folder;
  const auto tools = codeobject::find_tools();
  write_file(folder.file("fat"),
             bundle({{"hipv4-amdgcn-amd-amdhsa--gfx942", code_object(broken, Target::gfx942)}}));
  write_file(folder.file("host.s"),
             fmt::format(".section .hip_fatbin,\"a\"\n.incbin \"{}\"\n.p2align 12\n.incbin \"{}\"\n",
                         folder.file("fat"), folder.file("fat")));
  run_tool({tool(tools, "llvm-mc"), "-triple=x86_64-linux-gnu", "-filetype=obj", folder.file("host.s"), "-o",
            folder.file("host.o")},
           "host.s");
  const Report host = audit_file(folder.file("host.o"), std::nullopt, RuleSet::isa, {}, tools);
  EXPECT_EQ(host.findings.size(), 2u) << as_text(host, "host.o"); // one in each of its bundles
  write_file(folder.file("k.s"), broken);
  run_tool({tool(tools, "llvm-mc"), "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx950", "-filetype=obj",
            folder.file("k.s"), "-o", folder.file("k.o")},
           "k.s");
  EXPECT_EQ(audit_file(folder.file("k.o"), std::nullopt, RuleSet::isa, {}, tools).findings.size(), 1u);
  write_file(folder.file("empty.s"), "ret\n");
  run_tool({tool(tools, "llvm-mc"), "-triple=x86_64-linux-gnu", "-filetype=obj", folder.file("empty.s"), "-o",
            folder.file("empty.o")},
           "empty.s");
  expect_error(read_file(folder.file("empty.o")), "without code for a GPU");
}

TEST(Inputs, Listings) {
  const std::string with_target = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx950\"\n" + broken;
  EXPECT_EQ(audit_bytes(with_target).findings.size(), 1u);
  expect_error(with_target, "the listing is for gfx950, not for gfx942", Target::gfx942);
  const std::string features = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx950:sramecc+:xnack-\"\n" + broken;
  EXPECT_EQ(audit_bytes(features).findings.size(), 1u);
  expect_error(broken, "give --target gfx942 or gfx950");
  // What the disassembler prints keeps its addresses, and its branches.
  const TemporaryFolder folder;
  const auto tools = codeobject::find_tools();
  const std::string loop = ".globl k\n.type k,@function\nk:\n  s_nop 0\nL:\n  v_readlane_b32 s0, v0, 3\n  "
                           "v_mov_b32 v0, v1\n  s_cbranch_scc1 L\n  s_endpgm\n";
  for (const std::string& source : {broken, loop}) {
    write_file(folder.file("k.co"), code_object(source, Target::gfx942));
    const std::string listing = run_tool({tools.objdump.string(), "-d", folder.file("k.co")}, "k.co");
    const Report read = audit_bytes(listing, Target::gfx942),
                 original = audit_bytes(read_file(folder.file("k.co")));
    ASSERT_EQ(read.findings.size(), original.findings.size()) << listing;
    for (std::size_t i = 0; i < read.findings.size(); ++i)
      EXPECT_EQ(read.findings[i].pc, original.findings[i].pc);
    EXPECT_EQ(read.instructions, original.instructions);
    EXPECT_EQ(read.findings.size(), source == broken ? 1u : 0u);
    // Unlinked, it starts at address 0.
    write_file(folder.file("k.s"), source);
    run_tool({tool(tools, "llvm-mc"), "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx942", "-filetype=obj",
              folder.file("k.s"), "-o", folder.file("k.o")},
             "k.s");
    const Report unlinked =
        audit_bytes(run_tool({tools.objdump.string(), "-d", folder.file("k.o")}, "k.o"), Target::gfx942);
    ASSERT_EQ(unlinked.findings.size(), read.findings.size());
    for (const Finding& finding : unlinked.findings) EXPECT_LT(finding.pc, 0x100u);
  }
}

/// A disassembly does not say which labels are functions.
TEST(Inputs, LabelsOfADisassembly) {
  const auto kernels_of = [](const std::string& body, std::string ends) {
    const TemporaryFolder folder;
    write_file(folder.file("k.co"), code_object(".globl k\n.type k,@function\nk:\n" + body, Target::gfx942));
    std::string listing =
        run_tool({codeobject::find_tools().objdump.string(), "-d", folder.file("k.co")}, "k.co");
    for (std::size_t at = 0; ends != "\n" && (at = listing.find('\n', at)) != listing.npos; at += ends.size())
      listing.replace(at, 1, ends);
    return audit_bytes(listing, Target::gfx942);
  };
  const std::string mfma = "  v_mfma_f32_16x16x16_f16 v[32:35], v[96:97], v[104:105], 0\n";
  // Code runs into it: what lies across it counts.
  for (const std::string ends : {"\n", "\r\n"}) {
    const Report across = kernels_of(mfma + "here:\n  v_mov_b32 v0, v32\n  s_endpgm\n", ends);
    EXPECT_EQ(across.kernels, 1u);
    ASSERT_EQ(across.findings.size(), 1u);
    EXPECT_EQ(across.findings[0].rule, "xdl-write-to-valu-read");
  }
  // A kernel's alignment says nothing where code runs into the label without padding.
  const Report aligned = kernels_of("  .rept 63\n  s_mov_b32 s0, 0\n  .endr\n  v_exp_f32 v0, v1\nhere:\n  "
                                    "v_mul_f32 v2, v0, v3\n  s_endpgm\n",
                                    "\n");
  EXPECT_EQ(of_rule(aligned, "trans-valu").size(), 1u) << as_text(aligned, "k");
  // Behind an end, and jumped to only from itself: another kernel.
  const Report two =
      kernels_of("  s_endpgm\nsecond:\n  s_nop 0\n  s_cbranch_scc1 second\n  s_endpgm\n", "\n");
  EXPECT_EQ(two.kernels, 2u);
  // Behind an end, and jumped to from before: the kernel goes on.
  const Report one = kernels_of("  s_cbranch_scc1 later\n  s_endpgm\nlater:\n  s_endpgm\n", "\n");
  EXPECT_EQ(one.kernels, 1u);
}

TEST(Inputs, ForAnotherGpu) {
  expect_error(".amdgcn_target \"amdgcn-amd-amdhsa--gfx90a\"\n" + broken, "the listing is for gfx90a");
  const TemporaryFolder folder;
  const auto tools = codeobject::find_tools();
  write_file(folder.file("k.s"), "k:\n  s_endpgm\n");
  run_tool({tool(tools, "llvm-mc"), "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-filetype=obj",
            folder.file("k.s"), "-o", folder.file("k.o")},
           "k.s");
  expect_error(read_file(folder.file("k.o")), "a code object for another GPU");
}

TEST(Inputs, Unreadable) {
  expect_error("", "expected a code object");
  expect_error(std::string("\0\1\2\3", 4), "expected a code object");
  expect_error(std::string("\x7f"
                           "ELF"),
               "truncated or corrupt");
  expect_error("k:\n  v_bogus_f32 v0, v1\n  s_endpgm\n", "the assembler refuses it: line 2:", Target::gfx942);
  expect_error("k:\n  v_add_f32 v0, v1\n", "the assembler refuses it: line 2:", Target::gfx942);
  std::string cut = code_object(broken, Target::gfx942);
  cut.resize(cut.size() / 2);
  expect_error(cut, "truncated");
}

CommandResult run_command_line(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {CDNA_CTS_CLI, "audit"});
  return run_command(arguments, std::chrono::minutes(1));
}

TEST(Command, ExitStatuses) {
  const TemporaryFolder folder;
  write_file(folder.file("clean.s"), clean);
  write_file(folder.file("broken.s"), broken);
  const auto status = [&](std::vector<std::string> arguments) {
    return run_command_line(std::move(arguments)).status;
  };
  EXPECT_EQ(status({folder.file("clean.s"), "--target", "gfx942"}), 0);
  EXPECT_EQ(status({folder.file("broken.s"), "--target", "gfx942"}), 1);
  EXPECT_EQ(status({folder.file("broken.s"), "--target", "gfx942", "--off", "valu-vgpr-readlane"}), 0);
  EXPECT_EQ(status({"--explain", "valu-vgpr-readlane"}), 0);
  for (const std::vector<std::string>& unusable : {std::vector<std::string>{folder.file("missing.s")},
                                                   {folder.file("clean.s")},
                                                   {"--explain", "nothing"},
                                                   {},
                                                   {folder.file("clean.s"), "--target", "gfx90a"},
                                                   {folder.file("clean.s"), "--rules", "mine"},
                                                   {folder.file("clean.s"), "--format", "xml"}}) {
    const CommandResult result = run_command_line(unusable);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(result.out, "");
  }
}

TEST(Command, TextAndJson) {
  const TemporaryFolder folder;
  write_file(folder.file("broken.s"), broken);
  const CommandResult text = run_command_line({folder.file("broken.s"), "--target", "gfx950"});
  EXPECT_NE(text.out.find("valu-vgpr-readlane: v_readlane_b32 s0, v0, 3 (broken.s:5), needed 1, have 0"),
            std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find("1 kernels, 3 instructions, 1 findings"), std::string::npos) << text.out;
  const CommandResult json =
      run_command_line({folder.file("broken.s"), "--target", "gfx950", "--format", "json"});
  EXPECT_EQ(nlohmann::json::parse(json.out).at("findings").at(0).at("rule"), "valu-vgpr-readlane");
}

} // namespace
} // namespace cts::audit
