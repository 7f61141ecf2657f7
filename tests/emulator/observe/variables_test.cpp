// Values of the variables that mean nothing: one line that says so, when the device is made.
#include "common/error.hpp"
#include "tests/emulator/observe/observed_kernels.hpp"

#include <gtest/gtest.h>

namespace cts::emulator::testing {
namespace {

std::string error_of(const std::map<std::string, std::string>& values) {
  const Variables set(values);
  try {
    const Device device(Target::gfx942);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ObservationVariables, WrongValuesAreOneLine) {
  const auto with_file = [](const std::string& variable, const std::string& value) {
    return error_of({{"CDNA_CTS_TRACE", "trace.txt"}, {variable, value}});
  };
  EXPECT_EQ("CDNA_CTS_TRACE_GROUP='1,2': expected a workgroup as x,y,z, for example 0,0,0",
            with_file("CDNA_CTS_TRACE_GROUP", "1,2"));
  EXPECT_EQ("CDNA_CTS_TRACE_GROUP='1,2,x': expected a workgroup as x,y,z, for example 0,0,0",
            with_file("CDNA_CTS_TRACE_GROUP", "1,2,x"));
  EXPECT_EQ("CDNA_CTS_TRACE_GROUP='1,2,3,4': expected a workgroup as x,y,z, for example 0,0,0",
            with_file("CDNA_CTS_TRACE_GROUP", "1,2,3,4"));
  EXPECT_EQ("CDNA_CTS_TRACE_WAVE='16': expected the number of a wave in its workgroup, 0 to 15",
            with_file("CDNA_CTS_TRACE_WAVE", "16"));
  EXPECT_EQ("CDNA_CTS_TRACE_LIMIT='0': expected how many instructions to trace at most, at least 1",
            with_file("CDNA_CTS_TRACE_LIMIT", "0"));
  EXPECT_EQ("CDNA_CTS_TRACE='/': a folder; expected a file to write", error_of({{"CDNA_CTS_TRACE", "/"}}));
  EXPECT_EQ("CDNA_CTS_PROFILE='/': a folder; expected a file to write",
            error_of({{"CDNA_CTS_PROFILE", "/"}}));
  EXPECT_EQ("CDNA_CTS_TRACE_WAVE is set, but CDNA_CTS_TRACE, the file to write, is not",
            error_of({{"CDNA_CTS_TRACE_WAVE", "0"}}));
}

} // namespace
} // namespace cts::emulator::testing
