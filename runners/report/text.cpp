// The claim table for a terminal: 100 columns, one line a claim and target.
#include "runners/report/report.hpp"
#include "runners/report/summary.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cts::report {
namespace {

/// `text` in at most `width` columns; UTF-8 characters are not cut in the middle.
std::string shortened(const std::string& text, std::size_t width) {
  std::size_t columns = 0, end = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0u) == 0x80u) continue; // continues a character
    if (columns == width - 3) end = i;
    ++columns;
  }
  return columns <= width ? text : text.substr(0, end) + "...";
}

/// `text` broken at blanks into lines of at most 100 columns, further lines indented.
std::string wrapped(const std::string& text) {
  std::string result, line;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (line.size() + 1 + word.size() > 100) {
      result += line + "\n";
      line = "   ";
    }
    line += (line.empty() ? "" : " ") + word;
    begin = end + 1;
  }
  return result + line + "\n";
}

std::string mark(const Judgement& judgement) {
  switch (judgement.verdict) {
  case Verdict::holds: return "ok";
  case Verdict::observed: return "obs";
  case Verdict::violated: return "FAIL";
  case Verdict::flaky: return "flak";
  case Verdict::not_executed: return "-";
  }
  return "-";
}

std::string line(const ClaimReport& claim, const TargetReport& on) {
  const auto& e = on.evidence;
  std::string why = on.judgement.reason.empty() ? claim.claim : on.judgement.reason;
  if (!on.waivers.empty()) why = fmt::format("[waiver {}] {}", on.waivers.front().id, why);
  return fmt::format("{:<10} {:<6} {:<12} {:<4} {:<4} {:<5} {:<4} {}\n", claim.id, on.target,
                     name(on.judgement.verdict), mark(e[0]), mark(e[1]), mark(e[2]), mark(e[3]),
                     shortened(why, 48));
}

} // namespace

std::string to_text(const Report& report) {
  std::string text =
      fmt::format("{:<10} {:<6} {:<12} {:<4} {:<4} {:<5} {:<4} {}\n", "claim", "target", "verdict", "host",
                  "comp", "model", "gpu", "claim, or why it has no verdict");
  for (const ClaimReport& claim : report.claims)
    for (const TargetReport& on : claim.targets) text += line(claim, on);
  text += "\n";
  for (const TargetSummary& summary : summaries(report)) text += wrapped(one_line(summary));
  for (const std::string& problem : report.problems) text += wrapped("problem: " + problem);
  return text;
}

} // namespace cts::report
