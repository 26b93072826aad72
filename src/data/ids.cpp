// Ids and their numbers, in a hash table without per-id nodes: reading a log spends much of its time here.
#include "data/ids.h"

#include <fmt/format.h>

#include <limits>

#include "core/error.h"
#include "core/hash.h"
#include "core/quote.h"

namespace equipoise {
namespace {

std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

IdMap::IdMap(std::vector<std::string> names) {
  names_.reserve(names.size());
  for (const std::string& name : names) {
    const std::int32_t before = size();
    if (add(name) != before) throw DataError(fmt::format("id {} stands twice", in_quotes(name)));
  }
}

std::int32_t IdMap::add(std::string_view id) {
  if (last_ >= 0 && name(last_) == id) return last_;
  if (2 * (names_.size() + 1) > slots_.size()) widen();
  const std::uint64_t hash = hash64(id);
  Slot& slot = slots_[slot_of(id, hash)];
  if (slot.number < 0) {
    if (size() == std::numeric_limits<std::int32_t>::max()) throw DataError("more than 2^31 − 1 different ids");
    slot = {tag_of(hash), size()};
    names_.emplace_back(id);
  }
  return last_ = slot.number;
}

std::int32_t IdMap::find(std::string_view id) const {
  return slots_.empty() ? -1 : slots_[slot_of(id, hash64(id))].number;
}

// The slot of the id, or the free one where it would go.
std::size_t IdMap::slot_of(std::string_view id, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.number < 0 || (slot.tag == tag_of(hash) && name(slot.number) == id)) return at;
  }
}

void IdMap::widen() {
  slots_.assign(slots_.empty() ? 16 : 2 * slots_.size(), Slot{});
  for (std::int32_t number = 0; number < size(); ++number) {
    const std::uint64_t hash = hash64(name(number));
    slots_[slot_of(name(number), hash)] = {tag_of(hash), number};
  }
}

}  // namespace equipoise
