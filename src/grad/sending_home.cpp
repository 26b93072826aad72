// Gradients on their way to who holds their rows: packed by holder, read rank after rank.
#include "grad/sending_home.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace equipoise {

namespace {

template <class T>
std::byte* put(std::byte* to, const T* values, std::size_t count) {
  std::memcpy(to, values, count * sizeof(T));
  return to + count * sizeof(T);
}

template <class T>
const std::byte* get(const std::byte* from, T* values, std::size_t count) {
  std::memcpy(values, from, count * sizeof(T));
  return from + count * sizeof(T);
}

template <class T>
std::span<T> zeros(Arena& arena, const RowHolders& holders) {
  const std::span<T> out(arena.take_array<T>(static_cast<std::size_t>(holders.size)),
                         static_cast<std::size_t>(holders.size));
  std::fill(out.begin(), out.end(), T{});
  return out;
}

// Memory for what goes to each rank.
std::span<const std::span<std::byte>> rooms(Arena& arena, std::span<const std::size_t> sizes) {
  auto* out = arena.take_array<std::span<std::byte>>(sizes.size());
  for (std::size_t r = 0; r < sizes.size(); ++r) {
    new (out + r) std::span<std::byte>(arena.take_array<std::byte>(sizes[r]), sizes[r]);
  }
  return {out, sizes.size()};
}

// Its gradients and then their rows, so that a parcel's size tells how many there are.
void unpack_rows(Arena& arena, std::span<const std::span<const std::byte>> from, void* place) {
  auto& home = *static_cast<HomeRows*>(place);
  const std::size_t cols = home.gradients.cols, each = cols * sizeof(float) + sizeof(std::int32_t);
  std::size_t count = 0;
  for (const auto& parcel : from) count += parcel.size() / each;
  auto* rows = arena.take_array<std::int32_t>(count);
  home = {{rows, count}, {arena.take_array<float>(count * cols), count, cols}};
  float* gradients = home.gradients.data;
  for (const auto& parcel : from) {
    const std::size_t here = parcel.size() / each;
    get(get(parcel.data(), gradients, here * cols), rows, here);
    gradients += here * cols, rows += here;
  }
}

void pack_rows(Tape& tape, const RowHolders& holders, const std::int32_t* rows, const Matrix& g, const OwnRows& part,
               HomeRows* home) {
  Arena& arena = tape.arena();
  const std::span<std::size_t> count = zeros<std::size_t>(arena, holders), at = zeros<std::size_t>(arena, holders);
  const auto each = [&](auto f) {
    for (std::size_t r = part.first; r < part.last; ++r) {
      if (rows[r] >= 0) f(r, static_cast<std::size_t>(holders.holder(rows[r])));
    }
  };
  each([&](std::size_t, std::size_t to) { ++count[to]; });
  const std::span<std::size_t> size = zeros<std::size_t>(arena, holders);
  for (std::size_t to = 0; to < size.size(); ++to) size[to] = count[to] * (g.cols * sizeof(float) + sizeof(*rows));
  const auto parcels = rooms(arena, size);
  each([&](std::size_t r, std::size_t to) {
    const std::size_t k = at[to]++;
    const std::int32_t local = holders.local(rows[r]);
    put(parcels[to].data() + k * g.cols * sizeof(float), g.row(r), g.cols);
    put(parcels[to].data() + count[to] * g.cols * sizeof(float) + k * sizeof(local), &local, 1);
  });
  tape.sharing().send_home({parcels, home, unpack_rows});
}

}  // namespace

const HomeRows* send_home(Tape& tape, TrainedArray& table, const std::int32_t* rows, const Matrix& gradients,
                          const OwnRows& part) {
  const RowHolders holders = table.holders();
  auto* home = new (tape.arena().take(sizeof(HomeRows))) HomeRows{{}, {nullptr, 0, gradients.cols}};
  if (!part.whole) {
    pack_rows(tape, holders, rows, gradients, part, home);
    return home;
  }
  auto* numbers = tape.arena().take_array<std::int32_t>(part.all);
  for (std::size_t r = 0; r < part.all; ++r) {
    numbers[r] = rows[r] >= 0 && holders.has(rows[r]) ? holders.local(rows[r]) : -1;
  }
  *home = {{numbers, part.all}, gradients};
  return home;
}

namespace {

// Packs bags: to each rank that holds any of a bag's entries its gradient, how many those are, and those.
class BagParcels {
 public:
  BagParcels(Arena& arena, const Bags& bags, const Matrix& g, const RowHolders& holders, bool own_alone)
      : bags_(bags), g_(g), holders_(holders), own_alone_(own_alone), left_(zeros<std::int32_t>(arena, holders)) {}

  void add_sizes(std::size_t bag, std::span<std::size_t> sizes) const {
    for_entries(bag, [&](std::int32_t, std::size_t to, std::int32_t count) {
      sizes[to] += 2 * sizeof(std::int32_t);
      if (count > 0) sizes[to] += g_.cols * sizeof(float) + sizeof(std::int32_t);
    });
  }
  /// `at` is where each rank's next bag begins.
  void pack(std::size_t bag, std::span<std::byte*> at) const {
    for_entries(bag, [&](std::int32_t k, std::size_t to, std::int32_t count) {
      if (count > 0) at[to] = put(put(at[to], g_.row(bag), g_.cols), &count, 1);
      const std::int32_t local = holders_.local(bags_.codes[k]);
      at[to] = put(put(at[to], &local, 1), bags_.shares + k, 1);
    });
  }

 private:
  // Calls f(entry, its holder, how many the holder has of the bag at the first of them, then 0).
  template <class F>
  void for_entries(std::size_t bag, F f) const {
    const auto each = [&](auto g) {
      for (std::int32_t k = bags_.begin[bag]; k < bags_.begin[bag + 1]; ++k) {
        const int holder = holders_.holder(bags_.codes[k]);
        if (!own_alone_ || holder == holders_.rank) g(k, static_cast<std::size_t>(holder));
      }
    };
    each([&](std::int32_t, std::size_t holder) { ++left_[holder]; });
    each([&](std::int32_t k, std::size_t holder) { f(k, holder, std::exchange(left_[holder], 0)); });
  }

  const Bags& bags_;
  const Matrix& g_;
  const RowHolders& holders_;
  bool own_alone_;  // the others have all bags, too
  std::span<std::int32_t> left_;
};

// Every bag has an entry, and so room for what came is soon said.
void unpack_bags(Arena& arena, std::span<const std::span<const std::byte>> from, void* place) {
  auto& home = *static_cast<HomeBags*>(place);
  const std::size_t cols = home.gradients.cols;
  std::size_t most = 0, entries = 0, rows = 0;
  for (const auto& parcel : from) most += parcel.size() / sizeof(std::int32_t);
  auto* begin = arena.take_array<std::int32_t>(most + 1);
  auto* codes = arena.take_array<std::int32_t>(most);
  auto* shares = arena.take_array<float>(most);
  auto* g = arena.take_array<float>(most);
  begin[0] = 0;
  for (const auto& parcel : from) {
    const std::byte *at = parcel.data(), *end = at + parcel.size();
    while (at < end) {
      std::int32_t count = 0;
      at = get(get(at, g + rows * cols, cols), &count, 1);
      for (std::int32_t k = 0; k < count; ++k, ++entries) at = get(get(at, codes + entries, 1), shares + entries, 1);
      begin[++rows] = static_cast<std::int32_t>(entries);
    }
  }
  home = {{rows, begin, codes, shares}, {g, rows, cols}, arena.take_array<std::int32_t>(entries)};
}

}  // namespace

const HomeBags* send_home(Tape& tape, TrainedArray& table, const Bags& bags, const Matrix& gradients,
                          const OwnRows& part) {
  Arena& arena = tape.arena();
  const RowHolders holders = table.holders();
  const BagParcels packing(arena, bags, gradients, holders, part.whole);
  const std::span<std::size_t> sizes = zeros<std::size_t>(arena, holders);
  for (std::size_t b = part.first; b < part.last; ++b) packing.add_sizes(b, sizes);
  const auto parcels = rooms(arena, sizes);
  const std::span<std::byte*> at = zeros<std::byte*>(arena, holders);
  for (std::size_t to = 0; to < at.size(); ++to) at[to] = parcels[to].data();
  for (std::size_t b = part.first; b < part.last; ++b) packing.pack(b, at);
  auto* home = new (arena.take(sizeof(HomeBags))) HomeBags{{}, {nullptr, 0, gradients.cols}, nullptr};
  if (part.whole) {
    const std::span<const std::byte> own = parcels[static_cast<std::size_t>(holders.rank)];
    unpack_bags(arena, {&own, 1}, home);
  } else {
    tape.sharing().send_home({parcels, home, unpack_bags});
  }
  return home;
}

}  // namespace equipoise
