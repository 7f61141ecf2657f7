#include "common/hip/allotted.hpp"

#include "common/error.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace cts::hip {

int allotted_device() {
  if (std::getenv("CTEST_RESOURCE_GROUP_COUNT") == nullptr) return 0;
  const char* const variable = "CTEST_RESOURCE_GROUP_0_GPUS"; // "id:3,slots:1"
  const char* const text = std::getenv(variable);
  if (text == nullptr)
    throw Error("CTest allotted resources and no GPU: {} is not set; make the specification with "
                "cdna-cts-devices --ctest-spec",
                variable);
  constexpr std::string_view key = "id:";
  const std::string_view allotment = text;
  const std::string_view id = allotment.substr(0, allotment.find(','));
  int ordinal = -1;
  if (id.starts_with(key)) {
    const auto [end, error] = std::from_chars(id.data() + key.size(), id.data() + id.size(), ordinal);
    if (error != std::errc{} || end != id.data() + id.size()) ordinal = -1;
  }
  if (ordinal < 0)
    throw Error("{}='{}': expected id:N with the number of a HIP device; make the specification with "
                "cdna-cts-devices --ctest-spec",
                variable, text);
  return ordinal;
}

} // namespace cts::hip
