// The cells of the table of wait states as kernels: every row swept over its spacings, and each cell in which
// the compiler keeps fewer wait states than the manual as the compiler makes it.
#pragma once

#include "runners/mir/cells.hpp"
#include "runners/mir/pair_kernel.hpp"

#include <filesystem>

namespace cts::mir {

/// A cell of the manual's table of matrix instructions with a kernel that has every spacing.
struct SweptCell {
  Probe probe;
  std::string kernel; ///< by what it asks: "xdl_writes_d_4_passes__valu_reads"
};

/// One for each cell of matrix_probes(): what the first instruction does, its passes, what the second one
/// does, in VGPRs and AccVGPRs. Without those in which the result is an address: a wrong one would end the
/// program.
std::vector<SweptCell> swept_cells(Target target);

/// The spacings of a swept kernel, by the variant's number: 0 to widest_spacing, then padded, then swapped.
std::vector<Variant> swept_variants();
inline constexpr int padded_variant = widest_spacing + 1, swapped_variant = widest_spacing + 2;

/// A cell in which the compiler keeps less than the manual asks for, and what shows it: a kernel with the
/// pair at the spacing at which least is kept, and its twin "<kernel>_padded".
inline constexpr std::string_view padded_twin = "_padded";
struct LooserCell {
  std::string kernel;
  Probe probe;
  int needed = 0, kept = 0; ///< wait states: the manual's, and those left between the two
  int spacing = 0;          ///< those that were there before the hazard pass
};

/// All of them, as the compiler at hand has them: two runs of llc.
std::vector<LooserCell> looser_cells(Target target);

/// FOLDER/<stem>.<target>.co, of which there are two: all swept cells, and the looser ones with their twins.
inline constexpr std::string_view sweep_stem = "mfma_hazards_sweep", looser_stem = "mfma_hazards_looser";
std::filesystem::path kernels_file(std::string_view stem, Target target, const std::filesystem::path& folder);

/// Why a test of them is skipped: there was no llc when they would have been built. Empty when they are
/// there.
std::string why_no_kernels(Target target, const std::filesystem::path& folder);

/// Writes both and, beside the second, which cells it has. Throws Error.
void write_hazard_kernels(Target target, const std::filesystem::path& folder);

/// The cells that write_hazard_kernels() put beside the code object `file`. Throws Error when the file is
/// missing or of another version of the tables.
std::vector<LooserCell> read_looser_cells(Target target, const std::filesystem::path& folder);

} // namespace cts::mir
