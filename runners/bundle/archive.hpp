// The file that an evidence bundle is: members by name, packed so that the same members give the same bytes
// and no byte can change unnoticed. docs/bundle.md describes the format.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cts::bundle {

/// Bytes of each member, by name.
using Members = std::map<std::string, std::string>;

/// What a file holds, and what is wrong with it.
struct Archive {
  Members members;                   ///< those that could be unpacked, changed ones included
  std::set<std::string> lost;        ///< listed and not unpacked; each has a finding
  std::vector<std::string> findings; ///< one line each: member or place, what was expected, what is there
};

/// More than any run leaves; a file that claims to unpack to more is refused before anything is unpacked.
inline constexpr std::size_t largest_content = std::size_t{1} << 30;

/// Whether a member may be called so: parts of [A-Za-z0-9_.+-] that begin with no dot, joined by '/', as
/// long as a tar header can hold (100 bytes, with folders up to 256).
bool is_member_name(std::string_view name);

/// The file: a head that lists the hash and size of what follows, then for each member, in the order of
/// names, one zstd frame that holds its tar header and bytes. Throws Error for a name that is none.
std::string pack(const Members& members);

/// The members of `file`. Whatever differs from what pack() writes is a finding that names the member. Throws
/// Error when the file is no bundle at all; `shown` is its name for that.
Archive unpack(std::string_view file, std::string_view shown, std::size_t largest = largest_content);

} // namespace cts::bundle
