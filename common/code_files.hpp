// Where the build leaves the suites' code objects.
#pragma once

#include "common/target.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace cts {

/// $CDNA_CTS_CODE, else the folder `code` beside the one of this executable.
std::filesystem::path code_folder();

/// `code_folder()`/<suite>.<target>.<opt>.co
std::filesystem::path code_object_path(std::string_view suite, Target target, std::string_view opt);

/// Why a compiler made no code object at `path`: the text of `path`.refused, which whoever ran the compiler
/// left there, on one line; else empty.
std::string code_refusal(const std::filesystem::path& path);

/// The bytes of a code object of `suite`. Throws Error with the refusal when the compiler refused it, and
/// naming the path and what to build when there is none.
std::string read_code_file(const std::filesystem::path& path, std::string_view suite);

/// First line of the device compiler's `--version` at build time (code/compiler.txt), or "unknown".
std::string code_compiler();

} // namespace cts
