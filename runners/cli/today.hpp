// The day on which waivers are judged.
#pragma once

#include "runners/manifest/manifests.hpp"

#include <CLI/CLI.hpp>
#include <chrono>
#include <fmt/chrono.h>
#include <string>

namespace cts::cli {

/// Adds --today YYYY-MM-DD, which fills `day`; without it `day` is the current one, UTC.
inline void add_today(CLI::App& command, std::string& day) {
  day = fmt::format("{:%Y-%m-%d}",
                    fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
  command.add_option("--today", day, "Judge waivers as on this day, YYYY-MM-DD, in place of the current one")
      ->check([](const std::string& text) {
        return manifest::is_day(text) ? "" : "'" + text + "' is no day such as 2026-12-31";
      });
}

} // namespace cts::cli
