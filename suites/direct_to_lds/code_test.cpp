// What the builtins become: the instruction of their size, a base in M0, no register for the payload. Each
// look at the code is also taken at code that must be judged otherwise.
#include "suites/shared/emitted_code.hpp"

#include <algorithm>

namespace cts::direct_to_lds {
namespace {

using namespace literals;
using codeobject::Bank;
using codeobject::Instruction;
using codeobject::Operand;
using Code = std::vector<Instruction>;

bool is_to_lds(const Instruction& i) {
  return i.mnemonic.find("_load_lds_") != std::string::npos ||
         std::ranges::count(i.modifiers, "lds", &codeobject::Modifier::name) != 0;
}

/// The copies of a kernel, by mnemonic; "lds" is what the buffer form has in place of an own name.
std::vector<std::string> copies_in(const Code& code) {
  std::vector<std::string> found;
  for (const Instruction& i : code)
    if (is_to_lds(i))
      found.push_back(std::string(i.mnemonic) + (i.mnemonic.starts_with("buffer") ? " lds" : ""));
  return found;
}

void check_instruction(TestContext& context) {
  std::vector<std::string> suffixes{"ubyte", "ushort", "dword"};
  if (context.target() == Target::gfx950) suffixes.insert(suffixes.end(), {"dwordx3", "dwordx4"});
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "direct_to_lds", opt);
    for (const std::string& suffix : suffixes) {
      const std::vector<std::string> global{"global_load_lds_" + suffix},
          buffer{"buffer_load_" + suffix + " lds"};
      const Code by_global = code_of(object, fmt::format("global_builtin_{}_0", suffix)),
                 by_buffer = code_of(object, fmt::format("buffer_builtin_{}_0", suffix));
      expect_emitted(context, fmt::format("{} at {}", suffix, opt), global, copies_in(by_global));
      expect_emitted(context, fmt::format("{} at {}, buffer form", suffix, opt), buffer,
                     copies_in(by_buffer));
      EXPECT_NE(global, copies_in(by_buffer)) << "not told apart: the two forms";
    }
    EXPECT_EQ(std::vector<std::string>{}, copies_in(code_of(object, "copy_by_vgpr")))
        << "a copy is seen where there is none";
  }
}

bool writes_m0(const Instruction& i) {
  return i.mnemonic.starts_with("s_") && !i.operands.empty() && i.operands[0].kind == Operand::Kind::reg &&
         i.operands[0].bank == Bank::sgpr && i.operands[0].first == codeobject::scalar::m0;
}

/// Empty when every copy finds its base in M0, put there by a scalar instruction, so one value for the wave,
/// and at least one instruction before the copy (ISA3 and ISA4 4.5, SALU writes M0 -> LDS "direct" load).
/// Else what is wrong.
std::string why_no_base(const Code& code) {
  std::size_t copies = 0;
  for (std::size_t n = 0; n < code.size(); ++n) {
    if (!is_to_lds(code[n])) continue;
    ++copies;
    std::size_t write = n;
    while (write > 0 && !writes_m0(code[write])) --write;
    if (!writes_m0(code[write])) return "no scalar instruction writes M0 before " + code[n].text;
    if (write + 1 == n) return "M0 is written immediately before " + code[n].text;
  }
  return copies == 0 ? "no copy" : "";
}

void check_base(TestContext& context) {
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "direct_to_lds", opt);
    for (const codeobject::Kernel& kernel : object.kernels) {
      if (kernel.name == "copy_by_vgpr") continue;
      const Code code = code_of(object, kernel.name);
      expect_equal(context, fmt::format("{} at {}", kernel.name, opt), std::string(), why_no_base(code));
      Code without, adjacent;
      for (const Instruction& i : code)
        if (!writes_m0(i)) without.push_back(i);
      for (const Instruction& i : without) {
        if (is_to_lds(i)) adjacent.push_back(*std::ranges::find_if(code, writes_m0));
        adjacent.push_back(i);
      }
      EXPECT_NE("", why_no_base(without)) << "not noticed: no write of M0 in " << kernel.name;
      EXPECT_NE("", why_no_base(adjacent)) << "not noticed: no wait state in " << kernel.name;
    }
    EXPECT_NE("", why_no_base(code_of(object, "copy_by_vgpr"))) << "not noticed: there is no copy";
  }
}

/// Registers that a load from memory fills and a write to LDS empties, as text.
std::vector<std::string> payload(const Code& code) {
  std::vector<std::string> found;
  for (const Instruction& load : code) {
    const bool loads = load.mnemonic.starts_with("global_load") || load.mnemonic.starts_with("flat_load") ||
                       load.mnemonic.starts_with("buffer_load");
    if (!loads || is_to_lds(load)) continue;
    for (const Instruction& write : code)
      if (write.mnemonic.starts_with("ds_write") && write.operands.size() > 1 &&
          write.operands[1].bank == load.operands[0].bank &&
          write.operands[1].first == load.operands[0].first)
        found.push_back(fmt::format("v{}", load.operands[0].first));
  }
  return found;
}

void check_no_payload(TestContext& context) {
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "direct_to_lds", opt);
    const Code direct = code_of(object, "copy_direct");
    expect_equal(context, fmt::format("payload registers at {}", opt), std::vector<std::string>{},
                 payload(direct));
    context.compared();
    EXPECT_EQ(1u, payload(code_of(object, "copy_by_vgpr")).size()) << "not noticed: a copy by way of a VGPR";
    // Of the copies themselves: vector registers are for the address, one or two.
    std::size_t copies = 0;
    for (const Instruction& i : object.instructions) {
      if (!is_to_lds(i)) continue;
      ++copies;
      unsigned vgprs = 0;
      for (const Operand& o : i.operands)
        if (o.bank == Bank::vgpr || o.bank == Bank::agpr) vgprs += o.count;
      context.compared();
      EXPECT_TRUE(vgprs == 1 || vgprs == 2) << i.text << ": " << vgprs << " vector registers";
    }
    EXPECT_GT(copies, 20u);
  }
}

const bool added = add({
    {.suite = "Sizes",
     .name = "BuiltinEmitsItsInstruction",
     .check = Check::code,
     .claims = {"CDNA-5.3"_claim},
     .body = check_instruction},
    {.suite = "Base",
     .name = "IsPutIntoM0ByAScalarInstruction",
     .check = Check::code,
     .claims = {"CDNA-5.6"_claim},
     .body = check_base},
    {.suite = "Payload",
     .name = "TakesNoVgpr",
     .check = Check::code,
     .claims = {"CDNA-5.7"_claim},
     .body = check_no_payload},
});

} // namespace
} // namespace cts::direct_to_lds
