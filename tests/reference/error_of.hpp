/// The message of the error that an action ends with, for tests of what the reference refuses.
#pragma once

#include "common/error.hpp"

#include <functional>
#include <string>

namespace cts::reference {

/// The message of the `Error` that `act` throws; "no error" if it throws none.
inline std::string error_of(const std::function<void()>& act) {
  try {
    act();
    return "no error";
  } catch (const Error& error) {
    return error.what();
  }
}

} // namespace cts::reference
