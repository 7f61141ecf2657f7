// How far long work is: a line on the terminal that the next one writes over, and nothing anywhere else.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace cts {

/// Shows on standard error, when that is a terminal, "3 of 70 faults, 40 s left: late_waits". At most ten
/// lines a second are drawn; the line is wiped when the work ends.
class Progress {
public:
  /// `total` pieces of work, called `what` ("faults"). `on_terminal` is for tests.
  Progress(std::size_t total, std::string what);
  Progress(std::size_t total, std::string what, bool on_terminal);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// `done` pieces are finished; `now` names the one in work.
  void show(std::size_t done, std::string_view now);

private:
  using Clock = std::chrono::steady_clock;
  std::size_t total_;
  std::string what_;
  bool on_terminal_;
  Clock::time_point began_ = Clock::now(), drawn_ = {};
};

/// The line without its control characters: `elapsed` tells the time left once a part is done.
std::string progress_line(std::size_t done, std::size_t total, std::string_view what, std::string_view now,
                          std::chrono::milliseconds elapsed);

} // namespace cts
