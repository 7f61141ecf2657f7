#include "common/file.hpp"

#include "common/error.hpp"

#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cts {
namespace {

/// A file descriptor that closes itself.
class Descriptor {
public:
  /// An error names `meant`: the file that the caller knows of.
  Descriptor(const std::filesystem::path& path, int flags, const std::filesystem::path& meant)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0644)) {
    if (fd_ < 0)
      throw Error("{}: cannot {}: {}", meant.string(), (flags & O_CREAT) != 0 ? "write" : "open",
                  std::strerror(errno));
  }
  Descriptor(const std::filesystem::path& path, int flags) : Descriptor(path, flags, path) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(fd_); }
  int get() const { return fd_; }

private:
  int fd_;
};

void write_all(int fd, std::string_view bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw Error("{}: cannot write: {}", path.string(), std::strerror(errno));
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

/// Whether the file has bytes and the last of them ends no line.
bool ends_in_mid_line(int fd) {
  struct stat status {};
  char last = '\n';
  return ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
         ::pread(fd, &last, 1, status.st_size - 1) == 1 && last != '\n';
}

} // namespace

std::string read_file(const std::filesystem::path& path, std::size_t largest) {
  if (std::filesystem::is_directory(path)) throw Error("{}: is a folder, expected a file", path.string());
  const Descriptor file(path, O_RDONLY);
  std::string bytes;
  std::array<char, 1 << 16> chunk{};
  for (;;) {
    const ssize_t n = ::read(file.get(), chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw Error("{}: cannot read: {}", path.string(), std::strerror(errno));
    if (n == 0) return bytes;
    bytes.append(chunk.data(), static_cast<std::size_t>(n));
    if (bytes.size() > largest) throw Error("{}: is larger than {} bytes", path.string(), largest);
  }
}

void write_file(const std::filesystem::path& path, std::string_view bytes, Sync sync) {
  std::error_code ignored;
  if (std::filesystem::is_symlink(path, ignored)) { // the link stays, what it names is replaced
    const auto target = std::filesystem::weakly_canonical(path, ignored);
    if (!ignored && target != path) return write_file(target, bytes, sync);
  }
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
    const Descriptor device(path, O_WRONLY); // a terminal, pipe or device: written to, never replaced
    return write_all(device.get(), bytes, path);
  }
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), ignored);
  const std::filesystem::path temporary = path.string() + fmt::format(".tmp.{}", ::getpid());
  try {
    const Descriptor file(temporary, O_WRONLY | O_CREAT | O_TRUNC, path);
    write_all(file.get(), bytes, path);
    if (sync == Sync::yes && ::fsync(file.get()) != 0)
      throw Error("{}: cannot sync: {}", path.string(), std::strerror(errno));
    std::filesystem::rename(temporary, path);
  } catch (const std::filesystem::filesystem_error& e) {
    std::filesystem::remove(temporary, ignored);
    throw Error("{}: cannot replace: {}", path.string(), e.code().message());
  } catch (const Error&) {
    std::filesystem::remove(temporary, ignored);
    throw;
  }
}

void append_line(const std::filesystem::path& path, std::string_view line) {
  std::error_code ignored;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), ignored);
  const Descriptor file(path, O_RDWR | O_CREAT | O_APPEND);
  std::string whole = ends_in_mid_line(file.get()) ? "\n" : "";
  whole += line;
  whole += '\n';
  write_all(file.get(), whole, path);
}

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1)
    throw Error("SHA-256 is not available in this libcrypto");
  std::string hex;
  for (unsigned i = 0; i < size; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

std::filesystem::path cache_folder() {
  const auto set = [](const char* variable) -> std::string {
    const char* value = std::getenv(variable);
    return value == nullptr ? "" : value;
  };
  if (const auto own = set("CDNA_CTS_CACHE"); !own.empty()) return own;
  if (const auto xdg = set("XDG_CACHE_HOME"); !xdg.empty()) return std::filesystem::path(xdg) / "cdna-cts";
  if (const auto home = set("HOME"); !home.empty())
    return std::filesystem::path(home) / ".cache" / "cdna-cts";
  return std::filesystem::temp_directory_path() / fmt::format("cdna-cts-{}", ::getuid());
}

} // namespace cts
