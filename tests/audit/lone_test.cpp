// What one instruction shows, the rules' catalogue, and reports.
#include "tests/audit/programs.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace cts::audit {
namespace {

/// A scaled MFMA by its words, as the assembler refuses other scales than VGPRs. Sources of the first half:
/// A's scale in bits 8:0, B's in 17:9.
std::string scaled(unsigned a, unsigned b) {
  return fmt::format("  .long 0xd3ac0000, {:#x}, 0xd3ad0c00, 0x04021904\n", a | b << 9);
}

TEST(Scales, OfUnlikeKinds) {
  constexpr unsigned v20 = 256 + 20, v21 = 256 + 21, one = 242, s20 = 20;
  for (const auto& [a, b] : {std::pair{v20, one}, {one, v20}, {v20, s20}})
    expect_twins({.name = fmt::format("{} {}", a, b),
                  .rule = "mixed-scale-operands",
                  .right = scaled(v20, v21),
                  .broken = scaled(a, b),
                  .targets = {Target::gfx950}});
  expect_twins({.name = "neither",
                .rule = "scale-not-in-vgpr",
                .right = scaled(v20, v21),
                .broken = scaled(one, one),
                .targets = {Target::gfx950}});
}

TEST(Opcodes, NotOnTheTarget) {
  // The encoding of a transpose read; gfx942 has none.
  const std::string words = "  .long 0xd9c60000, 0x02000004\n";
  const Report gfx942 = audit_body(words, Target::gfx942), gfx950 = audit_body(words, Target::gfx950);
  EXPECT_EQ(gfx950.findings.size(), 0u) << as_text(gfx950, "k");
  ASSERT_GE(gfx942.findings.size(), 1u) << as_text(gfx942, "k");
  EXPECT_EQ(gfx942.findings[0].rule, "opcode-not-on-target");
  // In a listing, the assembler's refusal is the finding, with the source's line.
  const Report listing = audit_body("  ds_read_b64_tr_b16 v[2:3], v4\n", Target::gfx942);
  ASSERT_EQ(listing.findings.size(), 1u) << as_text(listing, "k");
  EXPECT_EQ(listing.findings[0].rule, "opcode-not-on-target");
  EXPECT_EQ(listing.findings[0].line, "ds_read_b64_tr_b16 v[2:3], v4 (program.s:4)");
  // Data that nobody reaches are no instructions.
  const Report data = audit_body("  s_branch M\n" + words + "M:\n", Target::gfx942);
  EXPECT_EQ(data.findings.size(), 0u) << as_text(data, "k");
}

TEST(Rules, EachIsExplained) {
  for (const std::string& id : rule_ids()) {
    const std::string text = explain(id);
    EXPECT_EQ(text.find('\n'), text.npos) << id << " is no paragraph";
    EXPECT_TRUE(text.find("ISA") != text.npos || text.find("LLVM") != text.npos)
        << id << " names no source: " << text;
  }
  EXPECT_EQ(explain("valu-sgpr-vmem"), "VALU writes SGPR, then VMEM reads it: the hardware does not wait by "
                                       "itself. Wait states: gfx942 5 [CDNA3 ISA 4.5, "
                                       "Table 11], gfx950 5 [CDNA4 ISA 4.5, Table 11], LLVM 22 gives 5.");
  EXPECT_NE(explain("xdl-write-to-matrix-ab").find("gfx950: 5, 8, 12, 20"), std::string::npos)
      << explain("xdl-write-to-matrix-ab");
  try {
    explain("valu-sgpr-vmen");
    ADD_FAILURE() << "no error for an unknown rule";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "there is no rule 'valu-sgpr-vmen', did you mean 'valu-sgpr-vmem'?");
  }
}

TEST(Reports, Json) {
  const Report report =
      audit_body("  v_mov_b32 v0, v1\n  v_readlane_b32 s0, v0, 3\n  s_setpc_b64 s[4:5]\n", Target::gfx942);
  const auto json = nlohmann::json::parse(as_json(report));
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"findings", "instructions", "kernels", "notes"}));
  EXPECT_EQ(json["kernels"], 1);
  EXPECT_EQ(json["instructions"], 4);
  EXPECT_EQ(json["notes"].size(), 2u);
  ASSERT_EQ(json["findings"].size(), 1u) << json.dump(2);
  auto finding = json["findings"][0];
  const auto pc = finding["pc"].get<std::uint64_t>();
  const nlohmann::json expected{{"rule", "valu-vgpr-readlane"},
                                {"kernel", "k"},
                                {"pc", pc},
                                {"line", "v_readlane_b32 s0, v0, 3 (program.s:5)"},
                                {"needed", 1},
                                {"have", 0},
                                {"producer_pc", pc - 4},
                                {"path", {pc - 4, pc}},
                                {"severity", "error"},
                                {"source", "CDNA3 ISA 4.5, Table 11"},
                                {"target", "gfx942"}};
  EXPECT_EQ(finding, expected) << finding.dump(2);
}

} // namespace
} // namespace cts::audit
