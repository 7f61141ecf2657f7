#include "runners/fleet/lines.hpp"

#include "common/error.hpp"

#include <algorithm>

namespace cts::fleet {
namespace {

/// Enough for every test of a run several times over; beyond, lines differ from device to device and are
/// not worth keeping.
constexpr std::size_t cache_limit = 1 << 12;

/// Whether `tail`, from the comma before "origin" to the line's end, holds nothing that decides a result.
bool is_origin_alone(std::string_view tail) {
  const auto json =
      nlohmann::json::parse("{" + std::string(tail.substr(1)), nullptr, /*allow_exceptions=*/false);
  return json.is_object() && json.size() == 1;
}

Tail tail_of(std::map<std::string, std::string> origin, std::uint32_t number) {
  Tail tail{.origin = std::move(origin), .opt = {}, .columns = {}, .number = number};
  if (const auto opt = tail.origin.find("opt"); opt != tail.origin.end()) tail.opt = opt->second;
  const auto device = tail.origin.find("device");
  tail.names_device = device != tail.origin.end() && !device->second.empty();
  Record record;
  record.origin = tail.origin;
  for (const Runner runner : {Runner::host, Runner::compiler, Runner::emulator, Runner::gpu}) {
    record.runner = runner;
    tail.columns[static_cast<std::size_t>(runner)] = report::column_of(record);
  }
  return tail;
}

} // namespace

Line Lines::read(std::string_view line, std::string_view where) {
  // A quotation mark inside a text is escaped, and no object of a record holds another: these bytes can only
  // be the field itself.
  const std::size_t at = std::min(line.rfind(R"(,"origin":{)"), line.size());
  const std::string_view head = line.substr(0, at), tail = line.substr(at);
  const auto known_head = heads_.find(head);
  const auto known_tail = tails_.find(tail);
  if (known_head != heads_.end() && known_tail != tails_.end())
    return {&known_head->second, &known_tail->second};
  return parse(line, head, tail, where);
}

Line Lines::parse(std::string_view line, std::string_view head, std::string_view tail,
                  std::string_view where) {
  Record record = record_from_json(line, where);
  Tail new_tail = tail_of(std::move(record.origin), ++tails_seen_);
  record.origin.clear();
  const std::string identity = fmt::format("{}\n{}\n{}\n{}\n{}", record.claim, record.suite, record.test,
                                           record.target, name(record.check));
  const std::uint32_t number =
      numbers_.emplace(identity, static_cast<std::uint32_t>(numbers_.size())).first->second;
  if (!tail.empty() && !is_origin_alone(tail)) {
    other_head_ = {std::move(record), number};
    other_tail_ = std::move(new_tail);
    return {&other_head_, &other_tail_};
  }
  if (heads_.size() >= cache_limit) heads_.clear();
  if (tails_.size() >= cache_limit) tails_.clear();
  return {&heads_.insert_or_assign(std::string(head), Head{std::move(record), number}).first->second,
          &tails_.emplace(tail, std::move(new_tail)).first->second};
}

} // namespace cts::fleet
