// Offload bundles for tests, written from the documented layouts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace cts::codeobject {

template <typename T> void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// An entry of a bundle: id and content.
struct Bundled {
  std::string id, content;
};

inline std::string make_bundle(const std::vector<Bundled>& entries) {
  std::size_t offset = 24 + 8;
  for (const Bundled& e : entries) offset += 24 + e.id.size();
  std::string header = "__CLANG_OFFLOAD_BUNDLE__", body;
  append<std::uint64_t>(header, entries.size());
  for (const Bundled& e : entries) {
    append<std::uint64_t>(header, offset + body.size());
    append<std::uint64_t>(header, e.content.size());
    append<std::uint64_t>(header, e.id.size());
    header += e.id;
    body += e.content;
  }
  return header + body;
}

/// A zlib stream of stored blocks.
inline std::string zlib_stored(std::string_view data) {
  std::string stream = "\x78\x01";
  std::uint32_t a = 1, b = 0;
  for (const char c : data) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  for (std::size_t at = 0; at < data.size() || at == 0; at += 65535) {
    const auto piece = data.substr(at, 65535);
    stream += at + 65535 >= data.size() ? '\1' : '\0';
    append(stream, static_cast<std::uint16_t>(piece.size()));
    append(stream, static_cast<std::uint16_t>(~piece.size()));
    stream += piece;
  }
  for (const std::uint32_t word : {b, a}) {
    stream += static_cast<char>(word >> 8);
    stream += static_cast<char>(word & 0xff);
  }
  return stream;
}

/// A zstd frame of raw blocks. [RFC 8878, section 3.1.1]
inline std::string zstd_raw(std::string_view data) {
  std::string frame;
  append<std::uint32_t>(frame, 0xFD2FB528);
  frame += '\xa0'; // single segment, content size of 4 bytes
  append(frame, static_cast<std::uint32_t>(data.size()));
  constexpr std::size_t largest = 1 << 17;
  for (std::size_t at = 0; at < data.size() || at == 0; at += largest) {
    const auto piece = data.substr(at, largest);
    const std::uint32_t header =
        static_cast<std::uint32_t>(piece.size() << 3) | (at + largest >= data.size() ? 1 : 0);
    frame.append(reinterpret_cast<const char*>(&header), 3);
    frame += piece;
  }
  return frame;
}

/// A compressed bundle of `version`; `method` 0 is zlib, 1 is zstd.
inline std::string make_compressed(int version, std::uint16_t method, std::string_view plain,
                                   std::uint64_t announced) {
  const std::string body = method == 0 ? zlib_stored(plain) : zstd_raw(plain);
  std::string bytes = "CCOB";
  append(bytes, static_cast<std::uint16_t>(version));
  append(bytes, method);
  if (version == 2) append(bytes, static_cast<std::uint32_t>(body.size() + 24));
  if (version == 3) append(bytes, static_cast<std::uint64_t>(body.size() + 32));
  if (version == 3)
    append(bytes, announced);
  else
    append(bytes, static_cast<std::uint32_t>(announced));
  append<std::uint64_t>(bytes, 0x0123456789abcdef); // the hash, which nothing checks
  return bytes + body;
}

} // namespace cts::codeobject
