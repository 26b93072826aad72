// Ids and their numbers, in two tables without per-id nodes: reading a log spends much of its time here.
#include "data/ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "core/error.h"
#include "core/quote.h"

namespace equipoise {
namespace {

constexpr std::uint32_t kMostLetters = 7, kMostDigits = 8;
constexpr std::size_t kSpread = 4;  // ids are counted up to this many times the names that there is room for

void check_count(std::size_t ids) {
  if (ids > std::numeric_limits<std::int32_t>::max()) throw DataError("more than 2^31 − 1 different ids");
}

}  // namespace

void IdKey::shorten(std::string_view id) {
  if (id.size() > std::numeric_limits<std::uint32_t>::max()) throw DataError("an id of more than 4 GB");
  words[0] = hash64(id, process_secret()[0]);
}

IdMap::CountedIds::CountedIds(const IdKey& first) {
  if (!first.whole()) return;
  const auto* bytes = reinterpret_cast<const unsigned char*>(first.words);
  while (size_ < std::min<std::uint32_t>(first.size, kMostLetters) && (bytes[size_] < '0' || bytes[size_] > '9'))
    ++size_;
  mask_ = (std::uint64_t{1} << 8 * size_) - 1;
  letters_ = first.words[0] & mask_;
}

std::uint64_t IdMap::CountedIds::number(const IdKey& key) const {
  const std::uint32_t digits = key.size - size_;  // may wrap around, and is too large then
  if (digits - 1 >= kMostDigits || (key.words[0] & mask_) != letters_) return kNoNumber;
  std::uint64_t text = key.words[0] >> 8 * size_;
  if (size_ != 0) text |= key.words[1] << (64 - 8 * size_);
  if (digits > 1 && (text & 0xff) == '0') return kNoNumber;
  return read_digits(text, digits);
}

IdMap::IdMap(std::vector<std::string> names) : names_(std::move(names)) {
  check_count(names_.size());
  rebuild(0);
}

std::int32_t IdMap::add(std::string_view id) {
  make_room(1);
  const IdKey key(id);
  return add(place_of(key), key, id);
}

void IdMap::add_all(const IdTexts& ids, std::vector<std::int32_t>& numbers) {
  make_room(ids.size());
  const std::size_t before = numbers.size();
  numbers.resize(before + ids.size());
  std::int32_t* out = numbers.data() + before;
  std::string_view long_ones = ids.long_ones();
  const auto key_of = [&](std::size_t k) -> const IdKey& { return ids.key(k); };
  for_each_place(ids.size(), key_of, [&](std::size_t k, std::size_t place) {
    const IdKey& key = ids.key(k);
    if (place < counted_.size() && counted_[place] >= 0) {  // by far the most
      out[k] = counted_[place];
    } else {
      const std::string_view text = key.whole() ? std::string_view() : long_ones.substr(0, key.size);
      out[k] = add(place, key, text);
      long_ones.remove_prefix(text.size());
    }
  });
}

// then(k, place) for each id; what some of them need is fetched at once.
template <class KeyOf, class Then>
void IdMap::for_each_place(std::size_t count, KeyOf key_of, Then then) const {
  constexpr std::size_t kAtOnce = 64;
  std::array<std::size_t, kAtOnce> places;
  for (std::size_t first = 0; first < count; first += kAtOnce) {
    const std::size_t some = std::min(kAtOnce, count - first);
    for (std::size_t k = 0; k < some; ++k) {
      places[k] = place_of(key_of(first + k));
      prefetch(places[k]);
    }
    for (std::size_t k = 0; k < some; ++k) then(first + k, places[k]);
  }
}

void IdMap::keep(const Share& own) {
  EQUIPOISE_ASSERT(own.size() == 0 || (has_all() && own.begin >= 0 && own.end <= size()));
  size_ = size();
  first_ = static_cast<std::int32_t>(own.begin);
  std::vector<std::string> kept;
  if (own.size() > 0) {
    kept.assign(std::make_move_iterator(names_.begin() + own.begin), std::make_move_iterator(names_.begin() + own.end));
  }
  names_ = std::move(kept);
  counted_ = {};
  hashed_ = {};
  in_hashed_ = room_ = 0;
}

const std::string& IdMap::name_of_share(std::int32_t number) const {
  static const std::string elsewhere = "that another rank has";
  const std::size_t place = static_cast<std::size_t>(number - first_);  // wraps around below the first
  return place < names_.size() ? names_[place] : elsewhere;
}

std::int32_t IdMap::find(std::string_view id) const {
  if (names_.empty() || !has_all()) return -1;
  const IdKey key(id);
  const std::size_t place = place_of(key);
  return place < counted_.size() ? counted_[place] : hashed_[slot_of(place, key, id)].number;
}

std::size_t IdMap::place_of(const IdKey& key) const {
  if (!counted_.empty()) {
    const std::uint64_t number = counting_.number(key);
    if (number < counted_.size()) return number;
  }
  return counted_.size() + (key.hash(secret_) & (hashed_.size() - 1));
}

void IdMap::prefetch(std::size_t place) const {
  if (place < counted_.size()) {
    __builtin_prefetch(&counted_[place]);
  } else {
    const std::size_t slot = place - counted_.size();  // the id is there or in one of the next, mostly
    __builtin_prefetch(&hashed_[slot]);
    __builtin_prefetch(reinterpret_cast<const char*>(&hashed_[(slot + 2) & (hashed_.size() - 1)] + 1) - 1);
  }
}

// The slot of the id, or the free one where it would go. `id` is read if it is not whole in the key.
std::size_t IdMap::slot_of(std::size_t place, const IdKey& key, std::string_view id) const {
  for (std::size_t at = place - counted_.size();; at = (at + 1) & (hashed_.size() - 1)) {
    const Slot& slot = hashed_[at];
    if (slot.number < 0 || (slot.IdKey::operator==(key) && (key.whole() || name(slot.number) == id))) return at;
  }
}

// −1 if the id has none yet: it gets the one that is put there.
std::int32_t& IdMap::number_at(std::size_t place, const IdKey& key, std::string_view id) {
  if (place < counted_.size()) return counted_[place];
  Slot& slot = hashed_[slot_of(place, key, id)];
  if (slot.number < 0) slot = {{key}, -1};
  return slot.number;
}

std::int32_t IdMap::add(std::size_t place, const IdKey& key, std::string_view id) {
  std::int32_t& number = number_at(place, key, id);
  if (number >= 0) return number;
  check_count(names_.size() + 1);
  names_.emplace_back(key.whole() ? std::string_view(reinterpret_cast<const char*>(key.words), key.size) : id);
  if (place >= counted_.size()) ++in_hashed_;
  return number = size() - 1;
}

void IdMap::make_room(std::size_t more) {
  EQUIPOISE_ASSERT(has_all());
  const bool full = 3 * (in_hashed_ + more) > 2 * hashed_.size();
  if (full || (!counted_.empty() && names_.size() + more > room_)) rebuild(more);
}

// Tables for all names and some more; which ids are counted is decided again.
void IdMap::rebuild(std::size_t more) {
  while (room_ < names_.size() + more) room_ = std::max<std::size_t>(2 * room_, 16);
  counting_ = names_.empty() ? CountedIds() : CountedIds(IdKey(names_[0]));
  std::size_t counted = 0, end = 0;
  for (const std::string& name : names_) {
    const std::uint64_t number = name.size() > kMostLetters + kMostDigits ? kNoNumber : counting_.number(IdKey(name));
    if (number >= kSpread * room_) continue;
    ++counted;
    end = std::max(end, number + 1);
  }
  if (2 * counted < names_.size()) counted = end = 0;
  std::size_t slots = std::max<std::size_t>(room_ / 8, 16);
  while (3 * (names_.size() - counted + more) > 2 * slots) slots *= 2;
  counted_ = {};  // before there are new ones
  hashed_ = {};
  in_hashed_ = 0;
  counted_.assign(std::min(2 * end, kSpread * room_), -1);  // in a log that goes up there are as many to come
  hashed_.assign(slots, {});
  const auto key_of = [&](std::size_t k) { return IdKey(names_[k]); };
  for_each_place(names_.size(), key_of, [&](std::size_t k, std::size_t place) {
    std::int32_t& number = number_at(place, key_of(k), names_[k]);
    if (number >= 0) throw DataError(fmt::format("id {} occurs twice", in_quotes(names_[k])));
    number = static_cast<std::int32_t>(k);
    if (place >= counted_.size()) ++in_hashed_;
  });
}

}  // namespace equipoise
