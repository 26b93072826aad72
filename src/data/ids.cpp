// Ids and their numbers, in a hash table without per-id nodes: reading a log spends much of its time here.
#include "data/ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "core/error.h"
#include "core/quote.h"

namespace equipoise {
namespace {

constexpr std::size_t kAhead = 16;  // ids between asking for a slot and looking at it

template <class T>
std::uint64_t load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// 1 to 8 bytes as a number, without a loop: the two halves may overlap.
std::uint64_t load(const char* at, std::size_t size) {
  const std::size_t shift = 8 * size;
  if (size == 8) return load<std::uint64_t>(at);
  if (size >= 4) return load<std::uint32_t>(at) | load<std::uint32_t>(at + size - 4) << (shift - 32);
  if (size >= 2) return load<std::uint16_t>(at) | load<std::uint16_t>(at + size - 2) << (shift - 16);
  return static_cast<unsigned char>(*at);
}

std::uint32_t checked_size(std::string_view id) {
  if (id.size() > std::numeric_limits<std::uint32_t>::max()) throw DataError("an id of more than 4 GB");
  return static_cast<std::uint32_t>(id.size());
}

void check_count(std::size_t ids) {
  if (ids > std::numeric_limits<std::int32_t>::max()) throw DataError("more than 2^31 − 1 different ids");
}

}  // namespace

IdKey::IdKey(std::string_view id) : size(checked_size(id)) {
  if (!whole())
    words[0] = hash64(id, process_secret()[0]);
  else if (size > 8)
    words[0] = load<std::uint64_t>(id.data()), words[1] = load(id.data() + 8, size - 8);
  else if (size > 0)
    words[0] = load(id.data(), size);
}

void IdTexts::clear() {
  keys_.clear();
  long_ones_.clear();
}

void IdTexts::push_back(std::string_view id) {
  if (!keys_.emplace_back(id).whole()) long_ones_ += id;
}

IdMap::IdMap(std::vector<std::string> names) : names_(std::move(names)) {
  check_count(names_.size());
  std::vector<IdKey> keys;
  keys.reserve(names_.size());
  for (const std::string& name : names_) keys.emplace_back(name);
  make_room(0);
  for (std::size_t k = 0; k < names_.size(); ++k) {
    if (k + kAhead < names_.size()) prefetch(keys[k + kAhead]);
    Slot& slot = slots_[slot_of(keys[k], names_[k])];
    if (slot.number >= 0) throw DataError(fmt::format("id {} stands twice", in_quotes(names_[k])));
    slot = {{keys[k]}, static_cast<std::int32_t>(k)};
  }
}

std::int32_t IdMap::add(std::string_view id) {
  make_room(1);
  return add(IdKey(id), id);
}

void IdMap::add_all(const IdTexts& ids, std::vector<std::int32_t>& numbers) {
  std::string_view long_ones = ids.long_ones();
  for (std::size_t k = 0; k < ids.size(); ++k) {
    if (k % kAhead == 0) make_room(kAhead);
    if (k + kAhead < ids.size()) prefetch(ids.key(k + kAhead));
    const IdKey& key = ids.key(k);
    const std::string_view text = key.whole() ? std::string_view() : long_ones.substr(0, key.size);
    numbers.push_back(add(key, text));
    long_ones.remove_prefix(text.size());
  }
}

void IdMap::prefetch(const IdKey& key) const {
  const auto* slot = reinterpret_cast<const char*>(&slots_[key.hash(secret_) & (slots_.size() - 1)]);
  __builtin_prefetch(slot);
  __builtin_prefetch(slot + sizeof(Slot) - 1);
}

std::int32_t IdMap::add(const IdKey& key, std::string_view id) {
  Slot& slot = slots_[slot_of(key, id)];
  if (slot.number < 0) {
    check_count(names_.size() + 1);
    slot = {{key}, size()};
    names_.emplace_back(key.whole() ? std::string_view(reinterpret_cast<const char*>(key.words), key.size) : id);
  }
  return slot.number;
}

std::int32_t IdMap::find(std::string_view id) const {
  return slots_.empty() ? -1 : slots_[slot_of(IdKey(id), id)].number;
}

// The slot of the id, or the free one where it would go.
std::size_t IdMap::slot_of(const IdKey& key, std::string_view id) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = key.hash(secret_) & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.number < 0 || (slot.IdKey::operator==(key) && (key.whole() || name(slot.number) == id))) return at;
  }
}

void IdMap::make_room(std::size_t more) {
  std::size_t wanted = std::max<std::size_t>(slots_.size(), 16);
  while (3 * (names_.size() + more) > 2 * wanted) wanted *= 2;
  if (wanted == slots_.size()) return;
  const auto before = std::exchange(slots_, std::vector<Slot>(wanted));
  for (const Slot& slot : before) {
    if (slot.number >= 0) slots_[slot_of(slot, slot.whole() ? std::string_view() : name(slot.number))] = slot;
  }
}

}  // namespace equipoise
