// AMD's functions that this library exports and does not offer: each answers hipErrorNotSupported, whatever
// its arguments (which the calling convention lets it ignore), so that a program which only links them still
// starts. The names come from exports.txt.

namespace cts::hip {
int not_supported() noexcept;
} // namespace cts::hip

#define UNSUPPORTED(name)                                                                                    \
  extern "C" __attribute__((visibility("default"))) int name();                                              \
  int name() { return cts::hip::not_supported(); }
#include "unsupported.inc"
