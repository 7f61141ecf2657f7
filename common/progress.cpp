#include "common/progress.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace cts {
namespace {

/// "45 s", "12 min", "3 h 5 min".
std::string in_words(std::chrono::milliseconds time) {
  const auto seconds = (time.count() + 500) / 1000;
  if (seconds < 90) return fmt::format("{} s", seconds);
  if (seconds < 5400) return fmt::format("{} min", (seconds + 30) / 60);
  return fmt::format("{} h {} min", seconds / 3600, seconds % 3600 / 60);
}

} // namespace

std::string progress_line(std::size_t done, std::size_t total, std::string_view what, std::string_view now,
                          std::chrono::milliseconds elapsed) {
  std::string line = fmt::format("{} of {} {}", done, total, what);
  if (done > 0 && done < total && elapsed >= std::chrono::seconds(2))
    line += fmt::format(", {} left", in_words(elapsed * (total - done) / done));
  if (!now.empty()) line += fmt::format(": {}", now);
  return line.substr(0, 79);
}

Progress::Progress(std::size_t total, std::string what)
    : Progress(total, std::move(what), ::isatty(STDERR_FILENO) == 1) {}

Progress::Progress(std::size_t total, std::string what, bool on_terminal)
    : total_(total), what_(std::move(what)), on_terminal_(on_terminal) {}

Progress::~Progress() {
  if (on_terminal_ && drawn_ != Clock::time_point{}) std::fputs("\r\033[K", stderr);
}

void Progress::show(std::size_t done, std::string_view now) {
  const Clock::time_point time = Clock::now();
  if (!on_terminal_ || time - drawn_ < std::chrono::milliseconds(100)) return;
  drawn_ = time;
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(time - began_);
  fmt::print(stderr, "\r\033[K{}", progress_line(done, total_, what_, now, elapsed));
  std::fflush(stderr);
}

} // namespace cts
