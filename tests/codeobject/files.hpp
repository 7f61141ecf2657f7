// The code objects that the build made for these tests.
#pragma once

#include "common/error.hpp"
#include "common/file.hpp"
#include "runners/codeobject/code_object.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <span>
#include <string>

namespace cts::codeobject {

/// Bytes of a built code object: "assembled.gfx942", "kernels.gfx950.O0".
inline std::string built(std::string_view name) {
  return read_file(fmt::format("{}/{}.co", CDNA_CTS_CODE_OBJECTS, name));
}

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

/// The Error that `action` throws must contain `expected` and be one line.
template <typename Action> void expect_error(Action&& action, std::string_view expected) {
  try {
    action();
    ADD_FAILURE() << "no error; expected one with '" << expected << "'";
  } catch (const Error& e) {
    const std::string what = e.what();
    EXPECT_NE(what.find(expected), what.npos) << "got: " << what << "\nexpected to contain: " << expected;
    EXPECT_EQ(what.find('\n'), what.npos) << "more than one line: " << what;
  }
}

} // namespace cts::codeobject
