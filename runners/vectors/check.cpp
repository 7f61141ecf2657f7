#include "runners/vectors/vectors.hpp"

#include "common/error.hpp"
#include "reference/matmul_gfx942.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace cts::vectors {
namespace {

using namespace reference;

constexpr std::size_t shown = 10;

/// Counts matches and mismatches, and keeps the first lines of the latter.
class Tally {
public:
  Tally(Report& report, const std::vector<Rule>& rules) : report_(report), rules_(rules) {}

  void match() { ++report_.matches; }

  /// `text()` is only asked when it is shown; `explained_by(rule)` for one rule after the other.
  template <typename Text, typename ExplainedBy>
  void mismatch(const Text& text, const ExplainedBy& explained_by) {
    ++report_.mismatches;
    const auto rule = std::ranges::find_if(rules_, explained_by);
    if (rule == rules_.end()) {
      if (unexplained_.size() < shown) unexplained_.push_back(text());
      return;
    }
    ++report_.explained[*rule];
    if (explained_.size() < shown) explained_.push_back(fmt::format("{} ({})", text(), name(*rule)));
  }

  void finish() {
    report_.first = std::move(unexplained_);
    report_.first.insert(report_.first.end(), explained_.begin(), explained_.end());
    report_.first.resize(std::min(report_.first.size(), shown));
  }

private:
  Report& report_;
  const std::vector<Rule>& rules_;
  std::vector<std::string> unexplained_, explained_;
};

/// A code with as many digits as its format needs.
std::string hex(std::uint64_t code, int bits) { return fmt::format("{:0{}x}", code, (bits + 3) / 4); }

bool same_bits(double a, double b) { return a == b && std::signbit(a) == std::signbit(b); }

Report check(const Decodings& file, const std::vector<Rule>& rules) {
  Report report{fmt::format("decode {}", name(file.format)), "codes", 0, 0, {}, {}};
  Tally tally(report, rules);
  for (const auto& [line, code, f32_bits] : file.lines) {
    const double ours = decode(file.format, code);
    const double theirs = f32_bits ? decode(Format::f32, *f32_bits) : std::nan("");
    if (same_bits(ours, theirs) || (std::isnan(ours) && std::isnan(theirs))) {
      tally.match();
      continue;
    }
    tally.mismatch(
        [&] {
          return fmt::format("line {}: {} is {}, reference {}", line,
                             hex(code, descriptor(file.format).bits()), theirs, ours);
        },
        [&](Rule rule) { return rule == Rule::zero_sign && ours == theirs; });
  }
  tally.finish();
  return report;
}

Report check(const Encodings& file, const std::vector<Rule>& rules) {
  Report report{fmt::format("encode {}", file.what), "conversions", 0, 0, {}, {}};
  Tally tally(report, rules);
  for (const auto& [line, f32_bits, column, c] : file.values) {
    const std::uint64_t ours = encode(c.format, c.value, c.rounding, c.overflow);
    if (ours == c.theirs) {
      tally.match();
      continue;
    }
    const int bits = descriptor(c.format).bits();
    tally.mismatch(
        [&] {
          return fmt::format("line {}{}{}: {:08x} ({}) gives {}, reference {}", line,
                             column.empty() ? "" : " ", column, f32_bits, c.value, hex(c.theirs, bits),
                             hex(ours, bits));
        },
        [&](Rule rule) { return explains(rule, c); });
  }
  tally.finish();
  return report;
}

/// All products, in parallel. An error of one becomes the error of all: exceptions may not leave the loop.
std::vector<Matrix> multiply_all(const Products& products, Rounding xf32) {
  std::vector<Matrix> all(products.size());
  std::string refusal;
#pragma omp parallel for schedule(dynamic, 8)
  for (std::size_t n = 0; n < products.size(); ++n) {
    const Product& p = products[n];
    try {
      all[n] = multiply_gfx942(p.instruction, p.a, p.b, p.c, xf32);
    } catch (const Error& why) {
#pragma omp critical
      refusal = fmt::format("line {}: {}", p.line, why.what());
    }
  }
  if (!refusal.empty()) throw Error(refusal);
  return all;
}

Report check(const Products& products, const std::vector<Rule>& rules) {
  Report report{"gfx942 products", "outputs", 0, 0, {}, {}};
  Tally tally(report, rules);
  const std::vector<Matrix> truncated = multiply_all(products, Rounding::toward_zero);
  const std::vector<Matrix> rounded = multiply_all(products, Rounding::nearest_even);
  for (std::size_t n = 0; n < products.size(); ++n) {
    const Product& p = products[n];
    const bool integers = p.instruction.d == Type::i32;
    for (std::size_t i = 0; i < p.d.size(); ++i) {
      const double ours = truncated[n].values[i];
      const double theirs = integers ? exact_codec(Type::i32).decode(p.d[i])
                                     : decode(format_of(p.instruction.d, Target::gfx942), p.d[i]);
      if (same_bits(ours, theirs) || (std::isnan(ours) && std::isnan(theirs))) {
        tally.match();
        continue;
      }
      tally.mismatch(
          [&] {
            const auto cols = static_cast<std::size_t>(p.c.shape.cols);
            return fmt::format("line {}: {} D[{}][{}] is {:.17g}, reference {:.17g}", p.line,
                               p.instruction.mnemonic, i / cols, i % cols, theirs, ours);
          },
          [&](Rule rule) {
            return (rule == Rule::zero_sign && ours == theirs) ||
                   (rule == Rule::xf32_rounding && same_bits(theirs, rounded[n].values[i]));
          });
    }
  }
  tally.finish();
  return report;
}

} // namespace

long Report::unexplained() const {
  long count = mismatches;
  for (const auto& [rule, explained_count] : explained) count -= explained_count;
  return count;
}

Report check(const Vectors& vectors, const std::vector<Rule>& rules) {
  return std::visit([&](const auto& file) { return check(file, rules); }, vectors);
}

double dot_products_per_second(const Products& products, double seconds) {
  using Clock = std::chrono::steady_clock;
  std::size_t dots = 0;
  for (const Product& product : products) dots += product.d.size();
  double done = 0;
  double elapsed = 0;
  for (const auto start = Clock::now(); dots > 0 && elapsed < seconds;
       elapsed = std::chrono::duration<double>(Clock::now() - start).count()) {
    multiply_all(products, Rounding::toward_zero);
    done += static_cast<double>(dots);
  }
  return elapsed > 0 ? done / elapsed : 0;
}

} // namespace cts::vectors
