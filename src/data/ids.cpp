// Ids and their numbers, in a hash table without per-id nodes: reading a log spends much of its time here.
#include "data/ids.h"

#include <fmt/format.h>

#include <algorithm>
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

void IdMap::reserve(std::size_t more) {
  names_.reserve(names_.size() + more);
  make_room(more);
}

std::int32_t IdMap::add(std::string_view id) {
  if (last_ >= 0 && name(last_) == id) return last_;
  make_room(1);
  return add(id, hash64(id));
}

void IdMap::add_all(std::span<const std::string> ids, std::vector<std::int32_t>& numbers) {
  constexpr std::size_t kAtOnce = 32;
  make_room(ids.size());
  std::uint64_t hashes[kAtOnce];
  while (!ids.empty()) {
    const auto some = ids.first(std::min(kAtOnce, ids.size()));
    for (std::size_t k = 0; k < some.size(); ++k) {
      hashes[k] = hash64(some[k]);
      __builtin_prefetch(slots_.data() + (hashes[k] & (slots_.size() - 1)));
    }
    for (std::size_t k = 0; k < some.size(); ++k) {
      const std::int32_t number = slots_[hashes[k] & (slots_.size() - 1)].number;
      if (number >= 0) __builtin_prefetch(&names_[static_cast<std::size_t>(number)]);
    }
    for (std::size_t k = 0; k < some.size(); ++k) numbers.push_back(add(some[k], hashes[k]));
    ids = ids.subspan(some.size());
  }
}

std::int32_t IdMap::add(std::string_view id, std::uint64_t hash) {
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

void IdMap::make_room(std::size_t more) {
  std::size_t wanted = std::max<std::size_t>(slots_.size(), 16);
  while (2 * (names_.size() + more) > wanted) wanted *= 2;
  if (wanted == slots_.size()) return;
  slots_.assign(wanted, Slot{});
  for (std::int32_t number = 0; number < size(); ++number) {
    const std::uint64_t hash = hash64(name(number));
    slots_[slot_of(name(number), hash)] = {tag_of(hash), number};
  }
}

}  // namespace equipoise
