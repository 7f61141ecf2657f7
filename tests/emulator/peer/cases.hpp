// What is run on both emulators: kernels of kernels.hip with their data, and what plain loops on the host
// make of it.
#pragma once

#include "common/target.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace cts::peer {

struct Case {
  std::string name; ///< the kernel's, and after a dot what its data are like
  std::string kernel;
  std::string grid;                                        ///< workgroups of 256 threads: "4,4"
  std::vector<std::pair<std::string, std::string>> inputs; ///< name and bytes of each input buffer, in order
  std::size_t output_bytes = 0;      ///< of the one output, an argument after the inputs
  std::vector<std::uint32_t> values; ///< arguments after that
  std::string expected; ///< bytes of the output; empty where its rounding is the implementation's
};

/// All cases of a target, the same data every time.
///   exact: every partial sum in any order is representable, so that all must agree on every bit
///   random: full mantissas
std::vector<Case> cases(Target target);

/// A case as files.
struct Staged {
  std::vector<std::string> words; ///< what run_kernel, and run_on_peer.py, take after the code object
  std::filesystem::path output;   ///< file that they write
};

/// Writes the inputs into `folder` (made if missing). Throws Error.
Staged stage(const Case& one, const std::filesystem::path& folder);

} // namespace cts::peer
