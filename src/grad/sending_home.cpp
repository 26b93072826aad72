// Gradients on their way to who holds their rows: packed by holder, read rank after rank.
#include "grad/sending_home.h"

#include <algorithm>
#include <cstring>

namespace equipoise {

/// What goes to and comes from every rank, in memory that the table keeps.
class SendingHome {
 public:
  explicit SendingHome(FetchedRows& f) : f_(f) {}

  const RowHolders& holders() const { return f_.holders_; }
  std::vector<std::size_t>& sizes() { return f_.sizes_; }
  Parcels& out() { return f_.answers_; }
  Parcels& in() { return f_.rows_; }
  void lay_out() { f_.answers_.lay_out(f_.sizes_); }
  void send() { f_.ranks_.all_to_all(f_.answers_, f_.rows_); }

 private:
  FetchedRows& f_;
};

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

// A row is its gradient and its number, so a parcel's size tells how many there are.
HomeRows exchanged(Tape& tape, SendingHome home, const std::int32_t* rows, const Matrix& g, const OwnRows& part) {
  const RowHolders& holders = home.holders();
  const std::size_t each = g.cols * sizeof(float) + sizeof(std::int32_t);
  home.sizes().assign(static_cast<std::size_t>(holders.size), 0);
  for (std::size_t r = part.first; r < part.last; ++r) {
    if (rows[r] >= 0) home.sizes()[static_cast<std::size_t>(holders.holder(rows[r]))] += each;
  }
  home.lay_out();
  std::vector<std::size_t>& at = home.sizes();
  std::fill(at.begin(), at.end(), 0);
  for (std::size_t r = part.first; r < part.last; ++r) {
    if (rows[r] < 0) continue;
    const int to = holders.holder(rows[r]);
    const std::int32_t local = holders.local(rows[r]);
    std::byte* place = home.out().of(to).data() + at[static_cast<std::size_t>(to)];
    put(put(place, g.row(r), g.cols), &local, 1);
    at[static_cast<std::size_t>(to)] += each;
  }
  home.send();
  std::size_t count = 0;
  for (int r = 0; r < holders.size; ++r) count += home.in().size_of(r) / each;
  auto* numbers = tape.arena().take_array<std::int32_t>(count);
  const Matrix gradients{tape.arena().take_array<float>(count * g.cols), count, g.cols};
  std::size_t k = 0;
  for (int r = 0; r < holders.size; ++r) {
    const std::byte* from = home.in().of(r).data();
    for (const std::size_t last = k + home.in().size_of(r) / each; k < last; ++k) {
      from = get(get(from, gradients.row(k), g.cols), numbers + k, 1);
    }
  }
  return {{numbers, count}, gradients};
}

}  // namespace

HomeRows send_home(Tape& tape, TrainedArray& table, const std::int32_t* rows, const Matrix& gradients,
                   const OwnRows& part) {
  const RowHolders holders = table.holders();
  if (!part.whole) return exchanged(tape, SendingHome(*table.fetched()), rows, gradients, part);
  auto* numbers = tape.arena().take_array<std::int32_t>(part.all);
  for (std::size_t r = 0; r < part.all; ++r) {
    numbers[r] = rows[r] >= 0 && holders.has(rows[r]) ? holders.local(rows[r]) : -1;
  }
  return {{numbers, part.all}, gradients};
}

namespace {

// Of each bag that has any, the entries that a rank holds; a bag is its gradient, how many entries it has, and those.
struct BagParcel {
  const Bags& bags;
  const Matrix& g;
  const RowHolders& holders;
  int to;

  std::int32_t count(std::size_t bag) const {
    return static_cast<std::int32_t>(std::count_if(bags.codes + bags.begin[bag], bags.codes + bags.begin[bag + 1],
                                                   [&](std::int32_t code) { return holders.holder(code) == to; }));
  }
  std::size_t size(std::size_t bag) const {
    const auto entries = static_cast<std::size_t>(count(bag));
    return entries == 0 ? 0 : g.cols * sizeof(float) + sizeof(std::int32_t) * (1 + 2 * entries);
  }
  std::byte* put_bag(std::byte* place, std::size_t bag) const {
    const std::int32_t entries = count(bag);
    if (entries == 0) return place;
    place = put(put(place, g.row(bag), g.cols), &entries, 1);
    for (std::int32_t k = bags.begin[bag]; k < bags.begin[bag + 1]; ++k) {
      if (holders.holder(bags.codes[k]) != to) continue;
      const std::int32_t local = holders.local(bags.codes[k]);
      place = put(put(place, &local, 1), bags.shares + k, 1);
    }
    return place;
  }
};

}  // namespace

HomeBags send_home(Tape& tape, TrainedArray& table, const Bags& bags, const Matrix& gradients, const OwnRows& part) {
  SendingHome home(*table.fetched());
  const RowHolders& holders = home.holders();
  home.sizes().assign(static_cast<std::size_t>(holders.size), 0);
  for (int to = 0; to < holders.size; ++to) {
    if (part.whole && to != holders.rank) continue;  // the others have them all, too
    const BagParcel parcel{bags, gradients, holders, to};
    for (std::size_t b = part.first; b < part.last; ++b) home.sizes()[static_cast<std::size_t>(to)] += parcel.size(b);
  }
  home.lay_out();
  for (int to = 0; to < holders.size; ++to) {
    if (part.whole && to != holders.rank) continue;
    std::byte* place = home.out().of(to).data();
    const BagParcel parcel{bags, gradients, holders, to};
    for (std::size_t b = part.first; b < part.last; ++b) place = parcel.put_bag(place, b);
  }
  if (!part.whole) home.send();
  const Parcels& got = part.whole ? home.out() : home.in();
  // Every bag has an entry, and so room for what came is soon said.
  std::size_t most = 0, entries = 0, rows = 0;
  for (int r = 0; r < holders.size; ++r) most += got.size_of(r) / sizeof(std::int32_t);
  auto* begin = tape.arena().take_array<std::int32_t>(most + 1);
  auto* codes = tape.arena().take_array<std::int32_t>(most);
  auto* shares = tape.arena().take_array<float>(most);
  auto* g = tape.arena().take_array<float>(most);
  begin[0] = 0;
  for (int r = 0; r < holders.size; ++r) {
    const std::byte *from = got.of(r).data(), *end = from + got.size_of(r);
    while (from < end) {
      std::int32_t count = 0;
      from = get(get(from, g + rows * gradients.cols, gradients.cols), &count, 1);
      for (std::int32_t k = 0; k < count; ++k, ++entries)
        from = get(get(from, codes + entries, 1), shares + entries, 1);
      begin[++rows] = static_cast<std::int32_t>(entries);
    }
  }
  return {{rows, begin, codes, shares}, {g, rows, gradients.cols}};
}

}  // namespace equipoise
