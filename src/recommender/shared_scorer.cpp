// Rounds of users, whose lists go to who takes them.
#include "recommender/shared_scorer.h"

#include <algorithm>

namespace equipoise {

namespace {

constexpr std::size_t kUsersInARound = 8192;  // of all ranks; their lists are held at once

// What one rank has made: lists one after another, and how long each is.
struct Made {
  std::vector<Recommended> items;
  std::vector<std::uint32_t> lengths;

  void add(std::span<const Recommended> list) {
    items.insert(items.end(), list.begin(), list.end());
    lengths.push_back(static_cast<std::uint32_t>(list.size()));
  }
};

template <class T>
void send_all_to_first(Ranks& ranks, std::span<const T> mine, Parcels& room, Parcels& in) {
  std::vector<std::size_t> sizes(static_cast<std::size_t>(ranks.size()), 0);
  sizes[0] = mine.size_bytes();
  room.lay_out(sizes);
  std::copy(mine.begin(), mine.end(), room.values<T>(0).begin());
  ranks.all_to_all(room, in);
}

// make(users of this rank, take) for every round; `take` gets the lists of all users in order, on rank 0 or everywhere.
template <class Make>
void in_rounds(std::span<const std::int32_t> users, Ranks& ranks, bool everywhere, Make make, TakeList take) {
  Parcels room, items, lengths;
  Made made;
  for (std::size_t first = 0; first < users.size(); first += kUsersInARound) {
    const auto round = users.subspan(first, std::min(kUsersInARound, users.size() - first));
    made = {};
    make(part_of(round, share_of(std::ssize(round), ranks)),
         [&](std::size_t, std::span<const Recommended> list) { made.add(list); });
    if (everywhere) {
      ranks.all_gather(std::as_bytes(std::span(made.items)), items);
      ranks.all_gather(std::as_bytes(std::span(made.lengths)), lengths);
    } else {
      send_all_to_first<Recommended>(ranks, made.items, room, items);
      send_all_to_first<std::uint32_t>(ranks, made.lengths, room, lengths);
    }
    std::size_t user = first;
    for (int r = 0; r < ranks.size(); ++r) {
      std::span<const Recommended> left = std::as_const(items).values<Recommended>(r);
      for (const std::uint32_t length : lengths.values<std::uint32_t>(r)) {
        take(user++, left.first(length));
        left = left.subspan(length);
      }
    }
  }
}

}  // namespace

void SharedScorer::score(std::span<const std::int32_t> users, std::span<const std::int32_t> items,
                         std::span<float> out) const {
  if (ranks_.alone()) return own_.score(users, items, out);
  const Share own = share_of(std::ssize(out), ranks_);
  own_.score(part_of(users, own), part_of(items, own), part_of(out, own));
  const std::vector<float> all = gather_all<float>(ranks_, part_of(out, own));
  std::copy(all.begin(), all.end(), out.begin());
}

bool SharedScorer::lists(std::span<const std::int32_t> users, std::size_t k, TakeList take) const {
  if (ranks_.alone()) return own_.lists(users, k, take);
  if (!own_.lists({}, k, [](std::size_t, std::span<const Recommended>) {})) return false;
  in_rounds(
      users, ranks_, true,
      [&](std::span<const std::int32_t> mine, TakeList take_own) { own_.lists(mine, k, take_own); }, take);
  return true;
}

void shared_top_k(const Recommender& recommender, std::span<const std::int32_t> users, const ListQuery& query,
                  Pool& pool, Ranks& ranks, TakeList take) {
  if (ranks.alone()) return recommender.top_k(users, query, pool, take);
  in_rounds(
      users, ranks, false,
      [&](std::span<const std::int32_t> mine, TakeList take_own) { recommender.top_k(mine, query, pool, take_own); },
      take);
}

}  // namespace equipoise
