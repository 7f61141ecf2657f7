// manifests/instruction_tests/: which instructions the emulator's own tests look at. Written by those tests.
#pragma once

#include "common/target.hpp"

#include <array>
#include <filesystem>
#include <map>
#include <string>

namespace cts::emulator {

/// How far a test goes: an instruction that only ran, or one whose results were compared with an expectation
/// that the emulator has no part in.
enum class TestKind : std::uint8_t { none, executed, checked };

/// By mnemonic without encoding suffix, then by target.
using TestedInstructions = std::map<std::string, std::array<TestKind, all_targets.size()>, std::less<>>;

/// Folder of the files, each written by one test binary.
std::filesystem::path tested_instructions_folder();

/// All files of `folder` together; one instruction may be in several. A line is
///   v_add_f32 checked checked     mnemonic, gfx942, gfx950: none, executed or checked
/// Throws Error naming file and line.
TestedInstructions read_tested_instructions(const std::filesystem::path& folder);

/// The lines of one file, by mnemonic.
std::string to_text(const TestedInstructions& tested);

} // namespace cts::emulator
