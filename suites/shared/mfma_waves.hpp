// Launches in which every workgroup is one wave that executes one matrix instruction on register images of
// its own.
#pragma once

#include "common/claim_test.hpp"
#include "common/hip/hip.hpp"
#include "reference/matmul.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cts {

/// What one wave is given: the VGPRs of A, B and C, and of what else the kernel takes.
struct WaveInputs {
  reference::RegisterImage a, b, c;
  std::vector<reference::RegisterImage> more = {}; ///< index, scales, ...: the kernel's arguments after C
};

/// An image of zeros.
reference::RegisterImage zero_image(int vgprs);

/// Launches `kernel` with one workgroup of 64 threads for each element of `waves` and returns their D,
/// `vgprs_d` VGPRs each. The kernel's arguments are a, b, c, those of `more`, and d: it reads lane l of wave
/// w at a[w*64+l] and so on, and writes d[w*64+l], each a vector as wide as the operand's VGPRs. Canaries of
/// all buffers, the inputs, and one image behind the last wave are compared with what they held before. All
/// images of an operand must have the same number of VGPRs.
std::vector<reference::RegisterImage> run_waves(TestContext& context, hip::Module& module,
                                                const std::string& kernel,
                                                const std::vector<WaveInputs>& waves, int vgprs_d);

/// What is compared of a word: itself, or what f32_bits.hpp makes of it.
using Canonical = std::uint32_t (*)(std::uint32_t);
inline std::uint32_t all_bits(std::uint32_t word) { return word; }

/// Compares one D word for word. A mismatch is reported with the element that `layout` has there; `what` says
/// which product it was.
void compare_d(Comparison& comparison, const reference::Layout& layout,
               const reference::RegisterImage& expected, const reference::RegisterImage& got,
               std::string_view what, Canonical canonical = all_bits);

/// What a mismatch at an element of D says about it.
using Describe = std::function<std::string(const reference::Element&)>;
/// The same; `describe` makes the whole of a mismatch's note.
void compare_d(Comparison& comparison, const reference::Layout& layout,
               const reference::RegisterImage& expected, const reference::RegisterImage& got,
               const Describe& describe, Canonical canonical = all_bits);

/// Products of one instruction, collected to be run in one launch.
class Products {
public:
  Products(std::string mnemonic, reference::Layout d) : mnemonic_(std::move(mnemonic)), d_(std::move(d)) {}

  /// A wave with these registers; `what` names its product in messages.
  void add(WaveInputs wave, reference::RegisterImage expected, std::string what);
  std::size_t size() const { return waves_.size(); }

  /// Runs `kernel` as run_waves does and compares every D.
  void run(TestContext& context, hip::Module& module, const std::string& kernel,
           Canonical canonical = all_bits) const;

private:
  std::string mnemonic_;
  reference::Layout d_;
  std::vector<WaveInputs> waves_;
  std::vector<reference::RegisterImage> expected_;
  std::vector<std::string> what_;
};

} // namespace cts
