// Which bytes of LDS each wave touches, where that follows from the code alone: from work-item ids and
// constants, in workgroups of a size that the metadata require.
#pragma once

#include "runners/audit/flow.hpp"

#include <map>
#include <memory>

namespace cts::audit {

/// The VGPR with a DS instruction's address.
std::uint16_t lds_address_of(const Effects& e);

/// The constant part of a DS instruction's address in bytes, of two the lower one.
std::uint32_t lds_offset_of(const Effects& e);

/// What the waves of a workgroup have to do with each other by two DS instructions.
enum class Sharing {
  apart,    ///< no wave touches with the second what another one touches with the first
  unknown,  ///< an address is not known
  possible, ///< one does, if the lanes are active, the waves come here, or they do not all write the same
  certain,  ///< one does
};

/// In words, for a finding's source.
std::string_view said_of(Sharing sharing);

class LdsAddresses {
public:
  /// Follows the addresses through `f` when they are first asked for.
  explicit LdsAddresses(const Function& f) : f_(f) {}

  Sharing between(std::size_t first, std::size_t second);

private:
  /// A register as each work-item of the workgroup sees it.
  using PerItem = std::vector<std::uint32_t>;
  struct Access {
    std::shared_ptr<const PerItem> address;
    std::uint16_t waves = 0; ///< that come here, a bit each
    bool by_all = false;     ///< certainly, and every lane of them
  };
  /// That touch a byte with one and with the other of two instructions, a bit each.
  struct Waves {
    std::uint16_t first = 0, second = 0;
  };
  const Function& f_;
  bool solved_ = false;
  std::map<std::size_t, Access> accesses_; ///< by place, of those whose address is known
  std::map<std::pair<std::size_t, std::size_t>, Sharing> known_;
  std::vector<Waves> waves_; ///< by byte; empty between comparisons

  void solve_all();
  Sharing compare(std::size_t first, std::size_t second);
};

} // namespace cts::audit
