// Every question about a whole matrix instruction that differs in what is answered.
#pragma once

#include "reference/instructions.hpp"
#include "runners/layout/answer.hpp"

#include <fmt/format.h>

namespace cts::layout {

/// Each instruction on each of its targets: F8F6F4 with all 25 pairs of formats, SMFMAC with each index set.
inline std::vector<Options> whole_questions() {
  std::vector<Options> all;
  for (const reference::Instruction& i : reference::instructions())
    for (const Target target : all_targets) {
      if (!exists_on(i, target)) continue;
      Options options;
      options.subject = i.mnemonic;
      options.target = name(target);
      if (i.kind == reference::Kind::dense) all.push_back(options);
      if (i.kind == reference::Kind::sparse)
        for (int set = 0; set < index_sets(i); ++set) {
          options.abid = set;
          all.push_back(options);
        }
      if (i.kind == reference::Kind::f8f6f4)
        for (int a = 0; a < 5; ++a)
          for (int b = 0; b < 5; ++b) {
            options.cbsz = a;
            options.blgp = b;
            options.opsel_a = a % 4;
            options.opsel_b = b % 4;
            all.push_back(options);
          }
    }
  return all;
}

inline std::string text(const Options& o) {
  return fmt::format("{} {} cbsz {} abid {} blgp {}", o.subject, o.target, o.cbsz.value_or(0),
                     o.abid.value_or(0), o.blgp.value_or(0));
}

} // namespace cts::layout
