// Whole code objects, compiled and assembled, through the real disassembler.
#include "common/error.hpp"
#include "runners/codeobject/elf.hpp"
#include "runners/codeobject/listing.hpp"
#include "tests/codeobject/files.hpp"
#include "tests/codeobject/round_trip.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace cts::codeobject {
namespace {

class Instructions : public testing::TestWithParam<const char*> {
protected:
  void SetUp() override {
    bytes_ = built(GetParam());
    object_ = read_code_object(bytes_of(bytes_), GetParam(), find_tools());
  }
  std::string bytes_;
  CodeObject object_;
};

TEST_P(Instructions, EveryLineIsUnderstood) {
  ASSERT_FALSE(object_.instructions.empty());
  for (const Instruction& i : object_.instructions) {
    EXPECT_EQ(round_trip_difference(i), "");
    for (const Operand& o : i.operands) {
      if (o.kind != Operand::Kind::word || i.mnemonic == "s_waitcnt") continue;
      const bool known =
          o.word.starts_with("hwreg(") || o.word.starts_with("sendmsg(") || o.word.starts_with("gpr_idx(");
      EXPECT_TRUE(known) << "pc " << fmt::format("{:#x}", i.pc) << " '" << i.text << "': operand '" << o.word
                         << "'";
    }
  }
}

TEST_P(Instructions, FunctionsAreTiledAndPaddingIsGone) {
  std::map<std::uint64_t, const Instruction*> at;
  for (const Instruction& i : object_.instructions) at[i.pc] = &i;
  for (const Symbol& s : object_.symbols) {
    if (!s.function) continue;
    for (std::uint64_t pc = s.address; pc < s.address + s.size; pc += at[pc]->size)
      ASSERT_TRUE(at.contains(pc)) << s.name << " has no instruction at pc " << fmt::format("{:#x}", pc);
  }
  for (const Kernel& k : object_.kernels)
    EXPECT_TRUE(at.contains(k.entry))
        << k.name << " has no instruction at its entry " << fmt::format("{:#x}", k.entry);
  for (std::size_t i = 0; i < object_.instructions.size(); ++i) { // what is left out has to be padding
    const Instruction& here = object_.instructions[i];
    const std::uint64_t end = here.pc + here.size;
    const std::uint64_t next = i + 1 < object_.instructions.size() ? object_.instructions[i + 1].pc : end;
    for (std::uint64_t pc = end; pc < next; pc += 4) {
      std::uint32_t word = 0;
      std::memcpy(&word, bytes_at(object_.segments, pc, 4).data(), 4);
      ASSERT_EQ(word, 0xBF800000) << "left out at pc " << fmt::format("{:#x}", pc);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(CodeObjects, Instructions,
                         testing::Values("kernels.gfx942.O0", "kernels.gfx942.O3", "kernels.gfx950.O0",
                                         "kernels.gfx950.O3", "assembled.gfx942", "assembled.gfx950"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

/// Mnemonics in order, from the first after `from` on.
std::vector<std::string> texts_from(const CodeObject& object, std::uint64_t from) {
  std::vector<std::string> texts;
  for (const Instruction& i : object.instructions)
    if (i.pc >= from) texts.push_back(i.text);
  return texts;
}

TEST(Assembled, PaddingRules) {
  const std::string bytes = built("assembled.gfx942");
  const CodeObject object = read_code_object(bytes_of(bytes), "assembled", find_tools());
  const auto sized = std::ranges::find(object.symbols, "sized", &Symbol::name);
  ASSERT_NE(sized, object.symbols.end());
  EXPECT_EQ(texts_from(object, sized->address),
            (std::vector<std::string>{
                "s_nop 0", "s_setpc_b64 s[30:31]", "s_nop 0", "s_nop 0", // within the symbol's size
                "s_mov_b32 s7, 7", "s_nop 0", "s_mov_b32 s8, 8"}));      // named by no symbol
  const auto before = std::ranges::lower_bound(object.instructions, sized->address, {}, &Instruction::pc);
  ASSERT_NE(before, object.instructions.begin());
  EXPECT_EQ(std::prev(before)->text, "s_endpgm"); // of `zoo`, which has no size: its .fill padding is gone
}

TEST(Assembled, WhatTheDisassemblerDoubtsIsData) {
  const std::string bytes = built("assembled.gfx942");
  const CodeObject object = read_code_object(bytes_of(bytes), "assembled", find_tools());
  std::vector<std::string> data;
  for (const Instruction& i : object.instructions)
    if (i.mnemonic == ".long") data.push_back(describe(i).substr(describe(i).find(' ')));
  EXPECT_EQ(data, (std::vector<std::string>{" .long | integer 0xffffffff", " .long | integer 0xbf1305cf"}));
}

TEST(Assembled, BranchesGoToTheSymbol) {
  const std::string bytes = built("assembled.gfx950");
  const CodeObject object = read_code_object(bytes_of(bytes), "assembled", find_tools());
  const std::uint64_t zoo = object.kernels.at(0).entry;
  for (std::size_t i = 0; i < 3; ++i) {
    const Instruction& branch = object.instructions.at(i);
    EXPECT_EQ(describe(branch).substr(describe(branch).rfind('|')), fmt::format("| branch {:#x}", zoo))
        << branch.text;
  }
}

/// A listing that is not this file's.
TEST(Listing, IsCheckedAgainstTheFile) {
  const std::string bytes = built("kernels.gfx942.O3");
  const CodeObject object = read_elf_parts(bytes_of(bytes), "kernels");
  const std::uint64_t pc = object.kernels.at(0).entry;
  std::uint32_t word = 0;
  std::memcpy(&word, bytes_at(object.segments, pc, 4).data(), 4);
  const auto line = [&](std::uint64_t at, std::uint32_t encoding) {
    return fmt::format("\ts_nop 0 // {:X}: {:08X}\n", at, encoding);
  };
  EXPECT_EQ(read_instructions(line(pc, word), object, "kernels").size(), 1u);
  const std::string heading =
      "\n\t.amdgcn_target \"amdgpu-amd-amdhsa-unknown-gfx942\"\n\nlabel:\n"; // LLVM 23
  EXPECT_EQ(read_instructions(heading + line(pc, word), object, "kernels").size(), 1u);
  expect_error([&] { read_instructions(line(pc, word ^ 1), object, "kernels"); },
               "is not what the file has there");
  expect_error([&] { read_instructions(line(0x10000000, word), object, "kernels"); },
               "is not what the file has there");
  expect_error([&] { read_instructions(line(pc, word) + line(pc, word), object, "kernels"); }, "overlap");
  expect_error([&] { read_instructions("label:\n\tnonsense\n", object, "kernels"); }, "line 2");
}

} // namespace
} // namespace cts::codeobject
