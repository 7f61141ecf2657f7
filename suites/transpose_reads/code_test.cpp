// What the builtins become: a read of LDS into VGPRs, of their width.
#include "suites/shared/emitted_code.hpp"

#include <algorithm>

namespace cts::transpose_reads {
namespace {

using namespace literals;
using codeobject::Bank;
using codeobject::Instruction;

/// "ds_read_b64_tr_b16 2": every transpose read of the code with the VGPRs that it fills. Copies from memory
/// to LDS are listed too, so that one would show.
std::vector<std::string> reads_in(const std::vector<Instruction>& code) {
  std::vector<std::string> found;
  for (const Instruction& i : code) {
    if (i.mnemonic.find("_tr_") != std::string::npos)
      found.push_back(
          fmt::format("{} {}", i.mnemonic, i.operands[0].bank == Bank::vgpr ? i.operands[0].count : 0));
    if (i.mnemonic.find("load_lds") != std::string::npos ||
        std::ranges::count(i.modifiers, "lds", &codeobject::Modifier::name) != 0)
      found.emplace_back(i.mnemonic);
  }
  return found;
}

void check_instructions(TestContext& context) {
  const std::pair<const char*, const char*> kernels[] = {{"tr16_0", "ds_read_b64_tr_b16 2"},
                                                         {"tr8_0", "ds_read_b64_tr_b8 2"},
                                                         {"tr6_0", "ds_read_b96_tr_b6 3"},
                                                         {"tr4_0", "ds_read_b64_tr_b4 2"}};
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "transpose_reads", opt);
    std::string previous = "plain_b64";
    for (const auto& [kernel, read] : kernels) {
      const std::vector<std::string> wanted{read};
      expect_emitted(context, fmt::format("{} at {}", kernel, opt), wanted,
                     reads_in(code_of(object, kernel)));
      EXPECT_NE(wanted, reads_in(code_of(object, previous))) << "not told apart: " << previous;
      previous = kernel;
    }
    for (const char* product : {"product_16", "product_8", "product_6", "product_4"})
      expect_equal(context, fmt::format("reads of {} at {}", product, opt), std::size_t{4},
                   reads_in(code_of(object, product)).size());
  }
}

const bool added = add({{.suite = "TransposeReads",
                         .name = "ReadLdsIntoVgprs",
                         .check = Check::code,
                         .claims = {"CDNA-5.10"_claim},
                         .targets = {Target::gfx950},
                         .body = check_instructions}});

} // namespace
} // namespace cts::transpose_reads
