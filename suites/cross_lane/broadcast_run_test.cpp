// CBSZ, ABID and BLGP of an MFMA: D is that of the operands as they are read, and the operands' registers
// hold what they held.
#include "suites/shared/mfma_waves.hpp"

namespace cts::cross_lane {
namespace {

using namespace literals;
using reference::Broadcast;
using reference::Instruction;
using reference::Operand;
using reference::RegisterImage;

/// A part of an image's VGPRs.
RegisterImage part(const RegisterImage& image, int first, int vgprs) {
  RegisterImage result(vgprs);
  for (int r = 0; r < vgprs; ++r)
    for (int lane = 0; lane < 64; ++lane) result.word(r, lane) = image.word(first + r, lane);
  return result;
}

void compare_registers(TestContext& context, const std::string& what, const RegisterImage& expected,
                       const RegisterImage& got) {
  Comparison comparison(context, what);
  for (int r = 0; r < expected.vgprs; ++r)
    for (int lane = 0; lane < 64; ++lane)
      comparison.equal(expected.word(r, lane), got.word(r, lane), {.lane = lane, .vgpr = r});
}

void check_fields(TestContext& context) {
  const Instruction& i = reference::find_instruction("v_mfma_f32_16x16x4_4b_f16");
  hip::Module module(context, "cross_lane");
  for (const Broadcast& f :
       {Broadcast{2, 0, 0}, {2, 1, 0}, {2, 3, 0}, {0, 0, 1}, {0, 0, 2}, {0, 0, 3}, {2, 1, 6}}) {
    const reference::Inputs held = reference::random_inputs(i, context.rng()());
    const WaveInputs wave{reference::pack(i, Operand::a, held.a), reference::pack(i, Operand::b, held.b),
                          reference::pack(i, Operand::c, held.c)};
    const std::string kernel = fmt::format("fields_{}_{}_{}", f.cbsz, f.abid, f.blgp);
    const RegisterImage got =
        run_waves(context, module, kernel, {wave}, i.vgprs_d + i.vgprs_a + i.vgprs_b)[0];
    const RegisterImage d =
        reference::pack(i, Operand::d,
                        reference::multiply(i, reference::as_read(i, Operand::a, held.a, f),
                                            reference::as_read(i, Operand::b, held.b, f), held.c));
    compare_registers(context, kernel + " D", d, part(got, 0, i.vgprs_d));
    compare_registers(context, kernel + " A's registers afterwards", wave.a, part(got, i.vgprs_d, i.vgprs_a));
    compare_registers(context, kernel + " B's registers afterwards", wave.b,
                      part(got, i.vgprs_d + i.vgprs_a, i.vgprs_b));
  }
}

const bool added = add({.suite = "Broadcast",
                        .name = "ChangesWhatIsReadNotWhatIsHeld",
                        .check = Check::run,
                        .claims = {"CDNA-4.13"_claim},
                        .body = check_fields});

} // namespace
} // namespace cts::cross_lane
