// What the device compiler makes of a small file: accepted, or refused, where and with which words.
#pragma once

#include "common/target.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace cts {

/// The part of the compiler that refused. The same mistake can be a clean front-end error in one version and
/// a failure of instruction selection in another; which one it was is worth a record.
enum class Stage { none, front_end, assembler, selection };
std::string_view name(Stage stage);

/// How one compilation ended.
struct Compilation {
  bool accepted = false;
  Stage refused_by = Stage::none;
  std::string diagnostic;  ///< the first error's text, without file name and column; empty when accepted
  std::string code_object; ///< the bytes of what was built; empty when refused
};

/// Compiles `source` device-only for `target` with device_compiler(), at -O3 with -Wall -Wextra -Werror,
/// `options` last, into a temporary folder that is removed. Throws Error when the source is missing, the
/// compiler cannot be started, takes more than two minutes, or fails without an error line.
Compilation compile_device(const std::filesystem::path& source, Target target,
                           const std::vector<std::string>& options = {});

/// The same for a source given as text, which the diagnostic calls "source.hip". HIP's own header is there
/// only if the text includes one of HIP's.
Compilation compile_device_text(const std::string& text, Target target,
                                const std::vector<std::string>& options = {});

/// $CDNA_CTS_DEVICE_COMPILER, else the compiler that the build was configured with.
std::string device_compiler();

/// First line of the device compiler's `--version`. Throws Error as above.
std::string device_compiler_version();

/// Empty when `compilation` was refused with a diagnostic that matches the ECMAScript expression `wanted`;
/// else one line that says what happened in its place ("was accepted", "was refused with ... in place of
/// ...").
std::string why_not_refused(const Compilation& compilation, const std::string& wanted);

/// Empty when it was accepted; else one line with the diagnostic.
std::string why_not_accepted(const Compilation& compilation);

} // namespace cts
