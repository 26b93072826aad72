// Blocks of rows and texts on their way to the first rank, so that nothing is held twice.
#include "core/row_holders.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace equipoise {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;  // bytes of a rank's rows that travel at once
constexpr std::int64_t kTexts = 1 << 16;              // texts that do

std::vector<std::size_t> nothing_from(const Ranks& ranks) {
  return std::vector<std::size_t>(static_cast<std::size_t>(ranks.size()), 0);
}

}  // namespace

void pass_rows(Ranks& ranks, std::size_t rows, std::size_t cols, std::span<const float> mine,
               FunctionRef<void(std::span<const float>)> take) {
  const auto size = static_cast<std::size_t>(ranks.size()), own = mine.size() / cols;
  const std::size_t most = RowHolders{0, ranks.size()}.held(rows),
                    at_once = std::max(kBlock / cols / 4, std::size_t{1});
  std::vector<std::size_t> sizes = nothing_from(ranks);
  Parcels out, in;
  std::vector<float> block;
  for (std::size_t first = 0; first < most; first += at_once) {
    const auto sent =
        mine.subspan(std::min(first, own) * cols).first((std::min(first + at_once, own) - std::min(first, own)) * cols);
    sizes[0] = sent.size_bytes();
    out.lay_out(sizes);
    std::copy(sent.begin(), sent.end(), out.values<float>(0).begin());
    ranks.all_to_all(out, in);
    if (!ranks.first()) continue;
    block.resize((std::min(rows, (first + at_once) * size) - first * size) * cols);
    for (std::size_t r = 0; r < size; ++r) {
      const std::span<const float> theirs = std::as_const(in).values<float>(static_cast<int>(r));
      for (std::size_t k = 0; k < theirs.size() / cols; ++k) {
        std::copy_n(theirs.data() + k * cols, cols, block.data() + (k * size + r) * cols);
      }
    }
    take(block);
  }
}

void pass_texts(Ranks& ranks, std::int64_t count, std::span<const std::string> mine,
                FunctionRef<void(std::span<const std::uint32_t> lengths, std::string_view letters)> take) {
  std::vector<std::size_t> sizes = nothing_from(ranks);
  Parcels out, in;
  for (int r = 0; r < ranks.size(); ++r) {
    const std::int64_t theirs = share_of(count, r, ranks.size()).size();
    for (std::int64_t first = 0; first < theirs; first += kTexts) {
      const auto some = static_cast<std::size_t>(std::min(theirs - first, kTexts));
      const auto sent = r == ranks.rank() ? mine.subspan(static_cast<std::size_t>(first), some) : mine.first(0);
      sizes[0] = sent.size() * sizeof(std::uint32_t);
      for (const std::string& text : sent) sizes[0] += text.size();
      out.lay_out(sizes);
      auto* length = out.values<std::uint32_t>(0).data();
      auto* letters = reinterpret_cast<char*>(out.of(0).data()) + sent.size() * sizeof(std::uint32_t);
      for (const std::string& text : sent) {
        *length++ = static_cast<std::uint32_t>(text.size());
        letters = std::copy(text.begin(), text.end(), letters);
      }
      ranks.all_to_all(out, in);
      if (!ranks.first()) continue;
      const std::string_view all(reinterpret_cast<const char*>(in.of(r).data()), in.size_of(r));
      take(std::as_const(in).values<std::uint32_t>(r).first(some), all.substr(some * sizeof(std::uint32_t)));
    }
  }
}

}  // namespace equipoise
