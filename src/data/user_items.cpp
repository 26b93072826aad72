// Histories from rows: sorted user by user, repeated items once, with their newest label.
#include "data/user_items.h"

#include <algorithm>

#include "core/random.h"
#include "core/sums.h"
#include "data/by_user.h"

namespace equipoise {

namespace {

template <class T>
std::span<const T> part_of(const std::vector<T>& values, const std::vector<std::int64_t>& offsets, std::int32_t user) {
  if (user < 0) return {};
  const auto first = static_cast<std::size_t>(offsets[static_cast<std::size_t>(user)]);
  const auto last = static_cast<std::size_t>(offsets[static_cast<std::size_t>(user) + 1]);
  return std::span(values).subspan(first, last - first);
}

bool among(std::span<const std::int32_t> items, std::int32_t item) {
  return std::find(items.begin(), items.end(), item) != items.end();
}

// Swaps items between users until none has an item twice, or it has tried often enough.
void spread_repeats(UserItems& history, Stream& stream) {
  constexpr int kTries = 64;
  const auto slots = static_cast<std::uint32_t>(history.items.size());
  std::vector<std::int32_t> owner(slots);
  for (std::size_t u = 0; u + 1 < history.offsets.size(); ++u) {
    std::fill(owner.begin() + history.offsets[u], owner.begin() + history.offsets[u + 1], static_cast<std::int32_t>(u));
  }
  const auto repeated = [&](std::size_t slot) {
    const auto items = history.of(owner[slot]);
    return std::count(items.begin(), items.end(), history.items[slot]) > 1;
  };
  for (std::size_t slot = 0; slot < slots; ++slot) {
    for (int k = 0; k < kTries && repeated(slot); ++k) {
      const std::size_t other = stream.below(slots);
      if (history.has(owner[slot], history.items[other]) || history.has(owner[other], history.items[slot])) {
        continue;
      }
      std::swap(history.items[slot], history.items[other]);
      std::swap(history.labels[slot], history.labels[other]);
    }
  }
}

}  // namespace

std::span<const std::int32_t> UserItems::of(std::int32_t user) const { return part_of(items, offsets, user); }
std::span<const float> UserItems::labels_of(std::int32_t user) const { return part_of(labels, offsets, user); }

bool UserItems::has(std::int32_t user, std::int32_t item) const { return among(of(user), item); }

void UserItems::add(std::span<const std::int32_t> of_user, std::span<const float> their_labels) {
  items.insert(items.end(), of_user.begin(), of_user.end());
  labels.insert(labels.end(), their_labels.begin(), their_labels.end());
  offsets.push_back(static_cast<std::int64_t>(items.size()));
}

UserItems user_items(const Rows& rows, std::int32_t users, std::uint64_t seed) {
  UserItems out;
  out.by_time = !rows.timestamp.empty();
  const ByUser by_user(rows, users);
  std::vector<std::int32_t> met(static_cast<std::size_t>(size_over(rows.item)), -1);  // by which user, last
  std::vector<RowNumber> own;
  std::vector<std::int32_t> items;
  std::vector<float> labels;
  for (std::int32_t u = 0; u < users; ++u) {
    const auto n = static_cast<std::size_t>(u);
    own.assign(by_user.rows.begin() + by_user.begin[n], by_user.rows.begin() + by_user.begin[n + 1]);
    std::reverse(own.begin(), own.end());  // the last row of a file is the newest unless timestamps say otherwise
    if (out.by_time) {
      std::stable_sort(own.begin(), own.end(),
                       [&](RowNumber a, RowNumber b) { return rows.timestamp[a] > rows.timestamp[b]; });
    }
    items.clear(), labels.clear();
    for (const RowNumber row : own) {
      std::int32_t& by = met[static_cast<std::size_t>(rows.item[row])];
      if (by == u) continue;
      by = u;
      items.push_back(rows.item[row]), labels.push_back(rows.label[row]);
    }
    if (!out.by_time) {  // both in the same new order
      Stream(seed, "history", n).shuffle(std::span(items));
      Stream(seed, "history", n).shuffle(std::span(labels));
    }
    out.add(items, labels);
  }
  const double total = sum_by_pieces(rows.size(), [&](std::size_t t) { return rows.label[t]; });
  out.mean_label = rows.empty() ? 0.0f : static_cast<float>(total / static_cast<double>(rows.size()));
  return out;
}

UserItems permuted(UserItems history, std::uint64_t seed) {
  Stream(seed, "permuted history").shuffle(std::span(history.items));
  Stream(seed, "permuted history").shuffle(std::span(history.labels));
  Stream stream(seed, "repeats of the permuted history");
  spread_repeats(history, stream);
  history.permuted = true;
  return history;
}

std::int32_t draw_left_out(const UserItems& history, std::int32_t user, std::int32_t item, Stream& stream) {
  const auto items = history.of(user);
  if (items.empty()) return -1;
  return history.has(user, item) ? item : items[stream.below(static_cast<std::uint32_t>(items.size()))];
}

}  // namespace equipoise
