// The assembler and the compiler are asked about every row of the table: mnemonic, opcode, size of every
// operand, targets, builtin. The assembler refuses an operand of the wrong number of VGPRs, so agreement here
// is more than spelling.
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "reference/instructions.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <unistd.h>

namespace cts::reference {
namespace {

using namespace std::chrono_literals;

/// A file of this process's own, gone with the object.
class TemporaryFile {
public:
  TemporaryFile(std::string_view suffix, std::string_view text)
      : path_(std::filesystem::temp_directory_path() / fmt::format("cdna-cts-{}{}", ::getpid(), suffix)) {
    write_file(path_, text);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  std::string path() const { return path_.string(); }

private:
  std::filesystem::path path_;
};

/// "v4" or "v[4:7]".
std::string vgprs(int first, int count) {
  return count == 1 ? fmt::format("v{}", first) : fmt::format("v[{}:{}]", first, first + count - 1);
}

/// One line of assembly, with operands of the sizes that the table gives.
std::string assembly(const Instruction& i) {
  const int a = 32, b = 64, c = 96;
  std::string line = fmt::format("{} {}, {}, {}, {}", i.mnemonic, vgprs(0, i.vgprs_d), vgprs(a, i.vgprs_a),
                                 vgprs(b, i.vgprs_b), i.kind == Kind::sparse ? "v96" : vgprs(c, i.vgprs_d));
  if (i.kind == Kind::f8f6f4) {
    const auto code = [](Type type) {
      for (int n = 0; n < 5; ++n)
        if (f8f6f4_format(n) == type) return n;
      return -1;
    };
    line += fmt::format(" cbsz:{} blgp:{}", code(i.a), code(i.b));
  }
  return line;
}

CommandResult assemble(Target target, const std::vector<Instruction>& list) {
  std::string text;
  for (const Instruction& i : list) text += assembly(i) + "\n";
  const TemporaryFile file(".s", text);
  return run_command({CDNA_CTS_LLVM_MC, "-triple=amdgcn-amd-amdhsa", fmt::format("-mcpu={}", name(target)),
                      "-show-encoding", file.path()},
                     60s);
}

/// Those that exist on `target` (or those that do not), F8F6F4 with every pair of formats.
std::vector<Instruction> rows(Target target, bool existing) {
  std::vector<Instruction> list;
  for (const Instruction& i : instructions()) {
    if (exists_on(i, target) != existing) continue;
    if (i.kind != Kind::f8f6f4)
      list.push_back(i);
    else
      for (int a = 0; a < 5; ++a)
        for (int b = 0; b < 5; ++b) list.push_back(with_formats(i, f8f6f4_format(a), f8f6f4_format(b)));
  }
  return list;
}

class InstructionsToolchain : public testing::TestWithParam<Target> {};

TEST_P(InstructionsToolchain, AssemblerKnowsEveryRow) {
  const std::vector<Instruction> list = rows(GetParam(), true);
  const CommandResult result = assemble(GetParam(), list);
  ASSERT_EQ(result.status, 0) << result.err;
  std::istringstream lines(result.out);
  std::size_t next = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto encoding = line.find("encoding: [");
    if (encoding == std::string::npos) continue;
    ASSERT_LT(next, list.size());
    const Instruction& i = list[next++];
    EXPECT_NE(line.find(std::string(i.mnemonic) + " "), std::string::npos)
        << i.mnemonic << " is printed as " << line;
    // VOP3P, 64 bits: the opcode is in bits 22:16 (ISA3 13.3.6), that is in the third byte.
    const std::string third = line.substr(encoding + std::string("encoding: [0x00,0x00,").size(), 4);
    EXPECT_EQ(std::stoi(third, nullptr, 16) & 0x7f, i.opcode) << line;
  }
  EXPECT_EQ(next, list.size()) << "lines encoded";
}

TEST_P(InstructionsToolchain, AssemblerRefusesTheOtherTargetsRows) {
  const std::vector<Instruction> list = rows(GetParam(), false);
  ASSERT_FALSE(list.empty());
  const CommandResult result = assemble(GetParam(), list);
  for (const Instruction& i : list)
    EXPECT_EQ(result.out.find(std::string(i.mnemonic) + " "), std::string::npos)
        << "assembled: " << i.mnemonic;
  std::size_t errors = 0;
  for (auto at = result.err.find("error:"); at != std::string::npos; at = result.err.find("error:", at + 1))
    ++errors;
  EXPECT_EQ(errors, list.size()) << result.err;
}

INSTANTIATE_TEST_SUITE_P(, InstructionsToolchain, testing::ValuesIn(all_targets),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST(BuiltinsToolchain, CompilerHasEveryBuiltin) {
  std::string text;
  for (const Instruction& i : instructions())
    text += fmt::format("static_assert(__has_builtin({0}), \"no {0}\");\n", builtin_name(i));
  const TemporaryFile file(".cpp", text);
  const CommandResult result = run_command({CDNA_CTS_DEVICE_COMPILER, "-target", "amdgcn-amd-amdhsa",
                                            "-mcpu=gfx950", "-nogpulib", "-fsyntax-only", file.path()},
                                           60s);
  EXPECT_EQ(result.status, 0) << result.err;
}

} // namespace
} // namespace cts::reference
