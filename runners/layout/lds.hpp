// What `cdna-cts layout` knows beside matrix instructions: where loads straight into LDS put their data, what
// the transpose reads exchange, and which banks of LDS the lanes of an access touch. All of it from
// reference/.
#pragma once

#include "runners/layout/answer.hpp"

#include <span>

namespace cts::layout {

enum class LdsKind { dma, transpose, banks };

/// One subject.
struct LdsSubject {
  std::string_view name; ///< "global_load_lds_dwordx3", "ds_read_b64_tr_b16", "lds-banks"
  LdsKind kind;
  int size;         ///< of dma: bytes a lane; of transpose: bits of an item
  bool sign_extend; ///< of dma
  bool gfx942;      ///< whether it exists there; all exist on gfx950
};

std::span<const LdsSubject> lds_subjects();

/// The subject of that name, in any case; null when there is none.
const LdsSubject* find_lds_subject(std::string_view name);

/// Throws Error for options that have no meaning here, and for a target that lacks the subject.
Answer lds_answer(const LdsSubject& subject, const Options& options);

} // namespace cts::layout
