// One process as ranks, and what is made of the calls that every kind of ranks has.
#include "core/ranks.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/quote.h"

namespace equipoise {

namespace {

class SingleProcess final : public Ranks {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::string name_of(int) const override { return "rank 0"; }
  std::uint64_t bytes_sent() const override { return 0; }

  void barrier() override {}
  void broadcast(std::span<std::byte>, int) override {}
  void all_to_all(const Parcels& out, Parcels& in) override { copy(out.of(0), in); }
  void all_to_all_sized(const Parcels& out, Parcels& in) override { copy(out.of(0), in); }
  void all_gather(std::span<const std::byte> mine, Parcels& all) override { copy(mine, all); }
  bool any(bool mine) override { return mine; }

  void post(int, std::string) override { throw std::logic_error("a single process has nobody to write to"); }
  std::optional<Letter> next_letter() override { return {}; }

  bool peer_failed() override { return false; }
  Ending end(const Ending& mine) override { return mine; }

 private:
  static void copy(std::span<const std::byte> bytes, Parcels& in) {
    const std::size_t size = bytes.size();
    in.lay_out({&size, 1});
    std::copy(bytes.begin(), bytes.end(), in.of(0).begin());
  }
};

}  // namespace

Ranks& single_process() {
  static SingleProcess alone;  // has nothing that two callers could share
  return alone;
}

void Parcels::lay_out(std::span<const std::size_t> sizes) {
  sizes_.assign(sizes.begin(), sizes.end());
  starts_.resize(sizes.size());
  std::size_t lines = 0;
  for (std::size_t r = 0; r < sizes.size(); ++r) {
    starts_[r] = lines * sizeof(Line);
    lines += (sizes[r] + sizeof(Line) - 1) / sizeof(Line);
  }
  if (lines <= room_) return;
  lines_.reset();  // never both at once
  lines_ = std::make_unique_for_overwrite<Line[]>(lines);
  room_ = lines;
}

Share share_of(std::int64_t count, int rank, int size) { return {count * rank / size, count * (rank + 1) / size}; }

int owner_of(std::int64_t index, std::int64_t count, int size) {
  // The last rank whose share begins at the index or before: rank·count/size ≤ index, rounded down.
  return static_cast<int>(((index + 1) * size - 1) / count);
}

namespace {

constexpr std::size_t kNarrow = 256;  // sums of so few numbers go to everybody at once: one round instead of two

template <class T>
void add_pieces(std::span<const T> pieces, std::span<T> sum) {
  if (sum.empty()) return;
  for (std::size_t at = 0; at < pieces.size(); at += sum.size()) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += pieces[at + i];
  }
}

// Columns `part` of every piece go to the rank that adds them.
template <class T>
void pack_columns(std::span<const T> mine, std::size_t width, const Ranks& ranks, SumRoom& room) {
  const std::size_t pieces = mine.size() / width;
  room.sizes.clear();
  for (int r = 0; r < ranks.size(); ++r) {
    const Share columns = share_of(static_cast<std::int64_t>(width), r, ranks.size());
    room.sizes.push_back(pieces * static_cast<std::size_t>(columns.size()) * sizeof(T));
  }
  room.out.lay_out(room.sizes);
  for (int r = 0; r < ranks.size(); ++r) {
    const Share columns = share_of(static_cast<std::int64_t>(width), r, ranks.size());
    T* to = room.out.values<T>(r).data();
    for (std::size_t p = 0; p < pieces; ++p) to = std::copy_n(&mine[p * width] + columns.begin, columns.size(), to);
  }
}

}  // namespace

template <class T>
void ordered_sum(Ranks& ranks, std::span<const T> mine, std::span<T> sum, SumRoom& room) {
  if (ranks.alone()) return add_pieces(mine, sum);
  if (sum.size() <= kNarrow) {
    ranks.all_gather(std::as_bytes(mine), room.in);
    for (int r = 0; r < ranks.size(); ++r) add_pieces<T>(room.in.values<T>(r), sum);
    return;
  }
  pack_columns(mine, sum.size(), ranks, room);
  ranks.all_to_all(room.out, room.in);
  const auto part = [&](int rank) {
    const Share columns = share_of(static_cast<std::int64_t>(sum.size()), rank, ranks.size());
    return sum.subspan(static_cast<std::size_t>(columns.begin), static_cast<std::size_t>(columns.size()));
  };
  for (int r = 0; r < ranks.size(); ++r) add_pieces<T>(room.in.values<T>(r), part(ranks.rank()));
  ranks.all_gather(std::as_bytes(part(ranks.rank())), room.in);
  for (int r = 0; r < ranks.size(); ++r) {
    const std::span<const T> summed = room.in.values<T>(r);
    std::copy(summed.begin(), summed.end(), part(r).begin());
  }
}

template void ordered_sum(Ranks&, std::span<const float>, std::span<float>, SumRoom&);
template void ordered_sum(Ranks&, std::span<const double>, std::span<double>, SumRoom&);

std::string broadcast_text(Ranks& ranks, const std::string& text, int from) {
  std::string out = text;
  std::uint64_t size = text.size();
  ranks.broadcast(std::as_writable_bytes(std::span(&size, 1)), from);
  out.resize(size);
  ranks.broadcast(std::as_writable_bytes(std::span(out.data(), out.size())), from);
  return out;
}

std::vector<std::string> gather_texts(Ranks& ranks, std::string_view mine) {
  Parcels all;
  ranks.all_gather(std::as_bytes(std::span(mine.data(), mine.size())), all);
  std::vector<std::string> out;
  for (int r = 0; r < ranks.size(); ++r) {
    const std::span<const char> text = all.values<char>(r);
    out.emplace_back(text.begin(), text.end());
  }
  return out;
}

std::vector<std::string> gather_all_texts(Ranks& ranks, std::span<const std::string> mine) {
  std::vector<std::uint64_t> sizes;
  std::string letters;
  for (const std::string& text : mine) {
    sizes.push_back(text.size());
    letters += text;
  }
  sizes = gather_all<std::uint64_t>(ranks, sizes);
  const std::vector<char> all = gather_all<char>(ranks, std::span<const char>(letters));
  std::vector<std::string> out;
  out.reserve(sizes.size());
  auto at = all.begin();
  for (const std::uint64_t size : sizes) {
    out.emplace_back(at, at + static_cast<std::ptrdiff_t>(size));
    at += static_cast<std::ptrdiff_t>(size);
  }
  return out;
}

std::string disagreement(Ranks& ranks, const std::string& what, const std::string& value) {
  if (ranks.alone()) return "";
  const std::vector<std::string> values = gather_texts(ranks, value);
  const auto other = std::find_if(values.begin(), values.end(), [&](const auto& v) { return v != values[0]; });
  if (other == values.end()) return "";
  return fmt::format("{} has {} {} and {} has {}", ranks.name_of(static_cast<int>(other - values.begin())), what,
                     in_quotes(*other), ranks.name_of(0), in_quotes(values[0]));
}

}  // namespace equipoise
