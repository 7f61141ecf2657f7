#include "runners/codeobject/listing.hpp"

#include "common/error.hpp"
#include "common/file.hpp"
#include "common/subprocess.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <unistd.h>

namespace cts::codeobject {
namespace {

namespace fs = std::filesystem;

constexpr auto time_limit = std::chrono::minutes(1);
constexpr std::uintmax_t largest_cached = std::uintmax_t{64} << 20; ///< bytes of one listing
constexpr std::uintmax_t largest_cache = std::uintmax_t{512} << 20; ///< bytes of all listings

/// The ELF in a file of its own, for a tool that reads files; gone with this object.
class TemporaryFile {
public:
  explicit TemporaryFile(std::span<const std::byte> bytes) {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "cdna-cts-XXXXXX").string();
    const int fd = ::mkstemp(name.data());
    if (fd < 0) throw Error("{}: cannot make a temporary file for the disassembler", name);
    ::close(fd);
    path_ = name;
    try {
      write_file(path_, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, Sync::no);
    } catch (const Error&) {
      fs::remove(path_, error);
      throw;
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  const fs::path& path() const { return path_; }

private:
  fs::path path_;
};

void check(const CommandResult& result, const std::vector<std::string>& argv, std::string_view where) {
  if (result.timed_out) throw Error("{}: {} took longer than a minute", where, argv[0]);
  if (result.status != 0)
    throw Error("{}: {} ended with status {}: {}", where, argv[0], result.status,
                result.err.substr(0, result.err.find('\n')));
}

/// First line of a cache file: format, hash of the rest.
std::string cache_header(std::string_view text) {
  return fmt::format("cdna-cts listing 1 {}\n", sha256(text));
}

/// The text in a cache file; empty when there is none, or when it is not what was written.
std::string read_cached(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  if (error || size > largest_cached) return {};
  try {
    const std::string bytes = read_file(file);
    const auto end = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
    const std::string text = bytes.substr(end);
    return bytes.compare(0, end, cache_header(text)) == 0 ? text : std::string();
  } catch (const Error&) {
    return {};
  }
}

/// Makes room: the oldest listings go first.
void shrink(const fs::path& folder, std::uintmax_t allowed) {
  struct Entry {
    fs::file_time_type time;
    std::uintmax_t size;
    fs::path path;
  };
  std::vector<Entry> entries;
  std::uintmax_t total = 0;
  std::error_code error;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
    std::error_code vanished; // another process may be shrinking too
    const Entry entry{i->last_write_time(vanished), i->file_size(vanished), i->path()};
    if (vanished) continue;
    total += entry.size;
    entries.push_back(entry);
  }
  std::ranges::sort(entries, {}, &Entry::time);
  for (const Entry& entry : entries) {
    if (total <= allowed) return;
    fs::remove(entry.path, error);
    total -= entry.size;
  }
}

void write_cached(const fs::path& file, std::string_view text) {
  static std::mutex mutex; // write_file's temporary name is one per process
  const std::lock_guard lock(mutex);
  try {
    const std::string header = cache_header(text);
    if (header.size() + text.size() > largest_cached) return;
    shrink(file.parent_path(), largest_cache - header.size() - text.size());
    write_file(file, header + std::string(text), Sync::no);
  } catch (const Error&) { // no writable cache: the next run asks the tool again
  }
}

/// What tells a tool's file from another without running it: path, size and time of its last change. Empty
/// for a tool that is looked up on PATH.
std::string identity(const fs::path& tool) {
  if (!tool.is_absolute()) return {};
  std::error_code no_path, no_size, no_time;
  const fs::path path = fs::canonical(tool, no_path);
  const auto size = fs::file_size(path, no_size);
  const auto time = fs::last_write_time(path, no_time);
  if (no_path || no_size || no_time) return {};
  return sha256(fmt::format("{} {} {}", path.string(), size, time.time_since_epoch().count()));
}

/// Hash of what the tool says about its version. It is asked once, by whichever process is first: to start it
/// takes longer than to read a cached listing.
std::string tool_version(const Tools& tools) {
  static std::mutex mutex;
  static std::map<fs::path, std::string> known;
  const std::lock_guard lock(mutex);
  std::string& version = known[tools.objdump];
  if (!version.empty()) return version;
  const std::string file = identity(tools.objdump);
  const fs::path cached = cache_folder() / "tools" / (file + ".txt");
  if (!file.empty()) version = read_cached(cached);
  if (!version.empty()) return version;
  const std::vector<std::string> question{tools.objdump.string(), "--version"};
  const CommandResult answer = run_command(question, time_limit);
  check(answer, question, "llvm-objdump");
  version = sha256(answer.out).substr(0, 16);
  if (!file.empty()) write_cached(cached, version);
  return version;
}

} // namespace

Tools find_tools() {
  constexpr const char* program = "llvm-objdump";
  if (const char* folder = std::getenv("CDNA_CTS_LLVM_BIN"); folder != nullptr && *folder != '\0') {
    const fs::path objdump = fs::path(folder) / program;
    std::error_code error;
    if (!fs::exists(objdump, error))
      throw Error("CDNA_CTS_LLVM_BIN={}: there is no {} in it", folder, program);
    return {objdump};
  }
  std::error_code error;
  const fs::path configured = fs::path(CDNA_CTS_CONFIGURED_LLVM_BIN) / program;
  if (configured.is_absolute() && fs::exists(configured, error)) return {configured};
  return {program};
}

void disassemble(std::span<const std::byte> elf, const std::string& sha256, std::string_view where,
                 const Tools& tools, const std::function<void(std::string_view)>& take) {
  const fs::path cached = cache_folder() / "listings" / fmt::format("{}.{}.txt", sha256, tool_version(tools));
  if (const std::string text = read_cached(cached); !text.empty()) return take(text);
  const TemporaryFile file(elf);
  const std::vector<std::string> command{tools.objdump.string(),     "--disassemble",
                                         "--disassemble-zeroes",     "--no-leading-headers",
                                         "--disassembler-color=off", file.path().string()};
  std::string text; // for the cache, until it is too long for that
  bool whole = true;
  check(stream_command(command, time_limit,
                       [&](std::string_view piece) {
                         take(piece);
                         whole = whole && text.size() + piece.size() <= largest_cached;
                         if (whole)
                           text += piece;
                         else
                           text = {};
                       }),
        command, where);
  if (whole) write_cached(cached, text);
}

std::string disassemble(std::span<const std::byte> elf, const std::string& sha256, std::string_view where,
                        const Tools& tools) {
  std::string text;
  disassemble(elf, sha256, where, tools, [&](std::string_view piece) { text += piece; });
  return text;
}

} // namespace cts::codeobject
