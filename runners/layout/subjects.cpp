#include "runners/layout/subjects.hpp"

#include "common/nearest.hpp"
#include "reference/instructions.hpp"
#include "runners/layout/lds.hpp"

#include <algorithm>
#include <cctype>

namespace cts::layout {

std::vector<Subject> subjects() {
  constexpr std::string_view matrix_kinds[] = {"dense", "scaled", "sparse"};           // by reference::Kind
  constexpr std::string_view lds_kinds[] = {"lds dma", "transpose read", "lds banks"}; // by LdsKind
  std::vector<Subject> all;
  for (const reference::Instruction& i : reference::instructions()) {
    Subject subject{std::string(i.mnemonic), std::string(matrix_kinds[static_cast<std::size_t>(i.kind)]), {}};
    for (const Target target : all_targets)
      if (exists_on(i, target)) subject.targets.push_back(target);
    all.push_back(subject);
    if (i.kind != reference::Kind::f8f6f4) continue;
    subject.name.insert(std::string_view("v_mfma").size(), "_scale");
    all.push_back(subject);
  }
  for (const LdsSubject& lds : lds_subjects()) {
    Subject& subject = all.emplace_back(
        Subject{std::string(lds.name), std::string(lds_kinds[static_cast<std::size_t>(lds.kind)]), {}});
    if (lds.gfx942) subject.targets.push_back(Target::gfx942);
    subject.targets.push_back(Target::gfx950);
  }
  return all;
}

std::vector<std::string> nearest_subjects(const std::string& name) {
  std::string wanted = name;
  std::ranges::transform(wanted, wanted.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::vector<std::string> nearest;
  std::size_t smallest = static_cast<std::size_t>(-1);
  for (const Subject& subject : subjects()) {
    const std::size_t distance = edit_distance(wanted, subject.name);
    if (distance < smallest) nearest.clear();
    smallest = std::min(smallest, distance);
    if (distance == smallest && nearest.size() < 3) nearest.push_back(subject.name);
  }
  return nearest;
}

} // namespace cts::layout
