// Files read whole, and written whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace cts {

/// The bytes of `path`. Throws Error naming the path and the system's reason, and for more than `largest`
/// bytes: a device may have no end.
std::string read_file(const std::filesystem::path& path, std::size_t largest = std::size_t{1} << 31);

/// Whether a file must survive a crash of the system. What can be made again need not, and syncing takes
/// longer than writing.
enum class Sync { yes, no };

/// Writes `bytes` to a temporary name in the same folder (created if missing), syncs, renames: a reader sees
/// the old file or the new one. A symbolic link keeps naming its file; a pipe or device is written to. Throws
/// Error; leaves no temporary file.
void write_file(const std::filesystem::path& path, std::string_view bytes, Sync sync = Sync::yes);

/// Appends `line` and a newline with a single write to a file opened for appending, so that several processes
/// can share it and a crash cannot tear what an earlier call wrote. What a crash or a full disk tore before
/// keeps a line of its own. Throws Error.
void append_line(const std::filesystem::path& path, std::string_view line);

/// Lower-case hex SHA-256 of `bytes`.
std::string sha256(std::string_view bytes);

/// The user's cache folder of this project: $CDNA_CTS_CACHE, else $XDG_CACHE_HOME/cdna-cts, else
/// $HOME/.cache/cdna-cts, else a folder of this user below the system's temporary one.
std::filesystem::path cache_folder();

} // namespace cts
