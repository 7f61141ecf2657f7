#include "runners/bundle/archive.hpp"

#include "common/error.hpp"
#include "common/file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <zstd.h>

namespace cts::bundle {
namespace {

// The head is a skippable frame, which zstd and `tar --zstd` pass over (RFC 8878, section 3.1.2).
constexpr std::string_view head_magic("\x5c\x2a\x4d\x18", 4);
constexpr std::string_view first_line = "cdna-cts bundle 1\n";
constexpr std::size_t head_prefix = 8; // magic and size
constexpr int level = 9;

// ---- The tar part: POSIX ustar, one kind of header

constexpr std::size_t block = 512;

std::size_t in_blocks(std::size_t size) { return (size + block - 1) / block * block; }

/// A field of a ustar header.
struct Field {
  std::size_t at, size;
  std::string_view what;
};
constexpr std::array<Field, 15> tar_fields{{{0, 100, "name"},
                                            {100, 8, "mode"},
                                            {108, 8, "owner"},
                                            {116, 8, "group"},
                                            {124, 12, "size"},
                                            {136, 12, "time"},
                                            {148, 8, "checksum"},
                                            {156, 1, "kind of file"},
                                            {157, 100, "name of a link's file"},
                                            {257, 8, "magic"},
                                            {265, 32, "owner's name"},
                                            {297, 32, "group's name"},
                                            {329, 16, "device"},
                                            {345, 155, "folder"},
                                            {500, 12, "rest"}}};

/// Where the part of a name begins that is in the header's field for names; what is before is in the one for
/// folders. Nothing when neither can hold it.
std::optional<std::size_t> name_begin(std::string_view name) {
  constexpr std::size_t longest_name = 100, longest_folder = 155;
  if (name.size() <= longest_name) return 0;
  const std::size_t slash = name.find('/', name.size() - longest_name - 1);
  if (slash > longest_folder) return std::nullopt; // as npos is
  return slash + 1;
}

/// The header of a regular file with no owner and no time: nothing in it depends on where it was packed.
std::string tar_header(std::string_view name, std::size_t size) {
  std::string header(block, '\0');
  const auto put = [&](std::size_t at, std::string_view text) { header.replace(at, text.size(), text); };
  if (const auto begin = name_begin(name)) {
    put(0, name.substr(*begin));
    put(345, name.substr(0, *begin == 0 ? 0 : *begin - 1));
  }
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  put(124, fmt::format("{:011o}", size));
  put(136, "00000000000");
  put(148, "        "); // counts as blanks in its own sum
  put(156, "0");
  put(257, std::string_view("ustar\00000", 8));
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  put(148, std::string_view(fmt::format("{:06o}", sum) + '\0' + ' '));
  return header;
}

std::string printable(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  std::string shown;
  for (const char c : text) shown += c >= ' ' && c <= '~' ? c : '?';
  return shown;
}

/// Which field of a header is not the one that a member has, and what it says.
std::string header_difference(std::string_view header, std::string_view expected) {
  std::string found;
  for (const auto& [at, size, what] : tar_fields)
    if (header.substr(at, size) != expected.substr(at, size) && what != "checksum")
      found += fmt::format("{}{} '{}' in place of '{}'", found.empty() ? "" : ", ", what,
                           printable(header.substr(at, size)), printable(expected.substr(at, size)));
  return found.empty() ? "checksum" : found;
}

// ---- The head

/// What the head says of one member.
struct Entry {
  std::string frame_hash;
  std::size_t frame_size = 0, size = 0;
  std::string name;
};

std::string line_of(const Entry& e) {
  return fmt::format("{} {} {} {}\n", e.frame_hash, e.frame_size, e.size, e.name);
}

std::string little_endian(std::uint32_t number) {
  std::string bytes;
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(number >> shift & 0xff);
  return bytes;
}

std::string head_of(const std::vector<Entry>& entries) {
  std::string text(first_line);
  for (const Entry& e : entries) text += line_of(e);
  text += sha256(text) + "\n";
  return std::string(head_magic) + little_endian(static_cast<std::uint32_t>(text.size())) + text;
}

std::optional<std::size_t> number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The entry of a line, if the line is the one that it would be written as.
std::optional<Entry> entry_of(std::string_view line) {
  std::array<std::string_view, 3> words;
  std::string_view rest = line;
  for (std::string_view& word : words) {
    const std::size_t blank = rest.find(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    word = rest.substr(0, blank);
    rest.remove_prefix(blank + 1);
  }
  const auto frame_size = number(words[1]), size = number(words[2]);
  if (!frame_size || !size) return std::nullopt;
  Entry e{std::string(words[0]), *frame_size, *size, std::string(rest)};
  if (line_of(e) != std::string(line) + "\n") return std::nullopt;
  return e;
}

/// What a file that is no bundle seems to be.
std::string kind_of(std::string_view file) {
  const auto begins = [&](std::string_view magic) { return file.starts_with(magic); };
  if (file.empty()) return "it is empty";
  if (begins("\x1f\x8b")) return "it is compressed with gzip";
  if (begins("\xfd"
             "7zXZ"))
    return "it is compressed with xz";
  if (begins("BZh")) return "it is compressed with bzip2";
  if (begins("PK")) return "it is a zip file";
  if (begins("\x28\xb5\x2f\xfd")) return "it is compressed with zstd and has no head";
  if (file.size() >= 2 * block && file.substr(257, 5) == "ustar") return "it is a tar file";
  return "it begins with other bytes, or those of its head were changed";
}

/// The text of the head. Throws Error when there is none.
std::string_view head_text(std::string_view file, std::string_view shown) {
  const auto refuse = [&](std::string_view why) {
    throw Error("{}: not a bundle: {}; expected what 'cdna-cts bundle' writes", shown, why);
  };
  if (!file.starts_with(head_magic)) refuse(kind_of(file));
  if (file.size() < head_prefix) refuse("it ends within its head");
  std::size_t size = 0;
  for (std::size_t i = 0; i < 4; ++i) size |= std::size_t{static_cast<unsigned char>(file[4 + i])} << 8 * i;
  if (size > file.size() - head_prefix)
    refuse(fmt::format("its head is to have {} bytes and the file ends before: it was cut short, or the "
                       "number was changed",
                       size));
  const std::string_view text = file.substr(head_prefix, size);
  if (!text.starts_with(first_line))
    refuse(fmt::format("its head begins with '{}', not with '{}'", printable(text.substr(0, text.find('\n'))),
                       first_line.substr(0, first_line.size() - 1)));
  return text;
}

/// Reads one file; each finding names the member that it is about.
class Reader {
public:
  Reader(std::string_view file, std::string_view shown, std::size_t largest)
      : file_(file), largest_(largest) {
    head_ = head_text(file, shown);
  }

  Archive read() {
    if (read_head()) read_frames();
    return std::move(archive_);
  }

private:
  template <typename... Args> void find(fmt::format_string<Args...> format, Args&&... args) {
    archive_.findings.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  std::size_t frames_begin() const { return head_prefix + head_.size(); }

  /// The part of the file between two places, as far as it is there.
  std::string_view part(std::size_t at, std::size_t size) const {
    return at < file_.size() ? file_.substr(at, size) : std::string_view();
  }

  /// Fills entries_. False when nothing can be unpacked.
  bool read_head() {
    const std::size_t last = head_.size() < 2 ? 0 : head_.rfind('\n', head_.size() - 2) + 1;
    bool whole = true;
    std::size_t number = 1;
    for (std::size_t begin = first_line.size(); begin < last; ++number) {
      const std::size_t end = head_.find('\n', begin);
      const auto entry = entry_of(head_.substr(begin, end - begin));
      begin = end + 1;
      if (entry) {
        entries_.push_back(*entry);
        continue;
      }
      find("head: line {} is none of a head", number + 1);
      whole = false;
    }
    if (head_.substr(last) != sha256(head_.substr(0, last)) + "\n") {
      find("head: its bytes were changed: its last line is not the SHA-256 of those above");
      if (whole) find_changed_line();
      whole = false;
    }
    return whole && names_are_right() && size_is_right();
  }

  /// In a changed head: the first line that does not fit to the frame that it is about.
  void find_changed_line() {
    std::size_t at = frames_begin();
    for (std::size_t n = 0; n < entries_.size(); at += entries_[n++].frame_size) {
      const std::string_view frame = part(at, entries_[n].frame_size);
      const auto header = unpacked(frame, n).substr(0, block);
      if (frame.size() == entries_[n].frame_size && sha256(frame) == entries_[n].frame_hash &&
          header == tar_header(entries_[n].name, entries_[n].size))
        continue;
      return find("head: line {}, of member {}, does not fit to what follows", n + 2,
                  shown(entries_[n].name));
    }
  }

  static std::string shown(const std::string& name) { return "'" + printable(name) + "'"; }

  bool names_are_right() {
    bool right = true;
    for (std::size_t n = 0; n < entries_.size(); ++n) {
      const std::string& name = entries_[n].name;
      if (!is_member_name(name)) {
        find("member {}: no name of a member: it would be unpacked elsewhere, or hidden", shown(name));
        right = false;
      } else if (n > 0 && name == entries_[n - 1].name) {
        find("member {}: is there twice", shown(name));
        right = false;
      } else if (n > 0 && name < entries_[n - 1].name) {
        find("member {}: stands behind {}; members stand in the order of names", shown(name),
             shown(entries_[n - 1].name));
        right = false;
      }
    }
    if (entries_.empty()) find("head: it lists no member");
    return right && !entries_.empty();
  }

  bool size_is_right() {
    std::size_t content = 0;
    for (const Entry& e : entries_) {
      content = e.size > largest_ ? largest_ + 1 : content + e.size;
      if (content > largest_) {
        find("member {}: with it the content would be more than {} bytes: not unpacked", shown(e.name),
             largest_);
        return false;
      }
    }
    return true;
  }

  void read_frames() {
    std::size_t at = frames_begin();
    for (std::size_t n = 0; n < entries_.size(); at += entries_[n++].frame_size) {
      const Entry& e = entries_[n];
      const std::string_view frame = part(at, e.frame_size);
      if (frame.size() < e.frame_size) return report_end(n, frame.size());
      if (sha256(frame) != e.frame_hash)
        find("member {}: its bytes were changed (between {} and {} of the file)", shown(e.name), at,
             at + e.frame_size - 1);
      read_frame(frame, n);
    }
    if (at < file_.size()) find("end: {} bytes follow the last member", file_.size() - at);
  }

  /// The file ends within, or before, the frame of entry `n`.
  void report_end(std::size_t n, std::size_t present) {
    find("member {}: the file was cut short: {} of its {} packed bytes are there", shown(entries_[n].name),
         present, entries_[n].frame_size);
    archive_.lost.insert(entries_[n].name);
    for (std::size_t i = n + 1; i < entries_.size(); ++i) {
      find("member {}: is missing: the file was cut short before it", shown(entries_[i].name));
      archive_.lost.insert(entries_[i].name);
    }
  }

  bool is_last(std::size_t n) const { return n + 1 == entries_.size(); }

  /// What the frame of entry `n` unpacks to; nothing when that is not as long as it is to be. No more than
  /// that is ever written.
  std::string unpacked(std::string_view frame, std::size_t n) const {
    const std::size_t size = block + in_blocks(entries_[n].size) + (is_last(n) ? 2 * block : 0);
    if (entries_[n].size > largest_ || ZSTD_getFrameContentSize(frame.data(), frame.size()) != size ||
        ZSTD_findFrameCompressedSize(frame.data(), frame.size()) != frame.size())
      return "";
    std::string bytes(size, '\0');
    const std::size_t written = ZSTD_decompress(bytes.data(), bytes.size(), frame.data(), frame.size());
    return ZSTD_isError(written) != 0u || written != size ? "" : bytes;
  }

  void read_frame(std::string_view frame, std::size_t n) {
    const Entry& e = entries_[n];
    const std::string bytes = unpacked(frame, n);
    if (bytes.empty()) {
      archive_.lost.insert(e.name);
      return find("member {}: cannot be unpacked to its {} bytes", shown(e.name), e.size);
    }
    const std::string expected = tar_header(e.name, e.size);
    if (const std::string_view header = std::string_view(bytes).substr(0, block); header != expected)
      find("member {}: its tar header is not a member's: {}", shown(e.name),
           header_difference(header, expected));
    if (bytes.find_first_not_of('\0', block + e.size) != std::string::npos)
      find("member {}: bytes are hidden behind its end", shown(e.name));
    archive_.members[e.name] = bytes.substr(block, e.size);
  }

  std::string_view file_, head_;
  std::size_t largest_;
  std::vector<Entry> entries_;
  Archive archive_;
};

std::string compressed(const std::string& bytes) {
  std::string frame(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress(frame.data(), frame.size(), bytes.data(), bytes.size(), level);
  if (ZSTD_isError(size) != 0u) throw Error("bundle: zstd: {}", ZSTD_getErrorName(size));
  frame.resize(size);
  return frame;
}

} // namespace

bool is_member_name(std::string_view name) {
  if (name.empty() || name.ends_with('/') || !name_begin(name)) return false;
  bool at_start = true; // of a part
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    const bool known = letter || c == '_' || c == '-' || c == '+' || c == '.' || c == '/';
    if (!known || (at_start && (c == '.' || c == '/'))) return false;
    at_start = c == '/';
  }
  return true;
}

std::string pack(const Members& members) {
  std::vector<Entry> entries;
  std::string frames;
  for (const auto& [name, bytes] : members) {
    if (!is_member_name(name))
      throw Error(
          "bundle: '{}' cannot be a member's name: expected letters, digits, _ . + - and /, of a length that "
          "a tar header can hold",
          printable(name));
    std::string tar = tar_header(name, bytes.size()) + bytes;
    tar.resize(in_blocks(tar.size()) + (entries.size() + 1 == members.size() ? 2 * block : 0), '\0');
    const std::string frame = compressed(tar);
    entries.push_back({sha256(frame), frame.size(), bytes.size(), name});
    frames += frame;
  }
  return head_of(entries) + frames;
}

Archive unpack(std::string_view file, std::string_view shown, std::size_t largest) {
  return Reader(file, shown, largest).read();
}

} // namespace cts::bundle
