// The common calls over MPI against plain loops that know what every rank gives.
#include "core/ranks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numeric>

#include "allocation/counter.h"
#include "cluster/job.h"
#include "core/random.h"

namespace equipoise {
namespace {

using test::job;

// What rank `from` has for rank `to` in some round: any length, also none.
std::vector<float> made(int from, int to, int round) {
  Stream stream(7, "made", static_cast<std::uint64_t>(from * 100 + to), static_cast<std::uint64_t>(round));
  std::vector<float> out(stream.below(3) == 0 ? 0 : stream.below(5000));
  for (float& value : out) value = stream.uniform_float() - 0.5f;
  return out;
}

void fill(Parcels& out, int round) {
  std::vector<std::size_t> sizes;
  for (int r = 0; r < job().size(); ++r) sizes.push_back(made(job().rank(), r, round).size() * sizeof(float));
  out.lay_out(sizes);
  for (int r = 0; r < job().size(); ++r) {
    const std::vector<float> values = made(job().rank(), r, round);
    std::copy(values.begin(), values.end(), out.values<float>(r).begin());
  }
}

void expect_from_all(const Parcels& in, int round) {
  ASSERT_EQ(in.count(), static_cast<std::size_t>(job().size()));
  for (int r = 0; r < job().size(); ++r) {
    const std::span<const float> got = in.values<float>(r);
    EXPECT_EQ(std::vector<float>(got.begin(), got.end()), made(r, job().rank(), round)) << "from rank " << r;
  }
}

TEST(ranks, parcels_reach_whom_they_are_for) {
  Parcels out, in;
  for (int round = 0; round < 20; ++round) {
    fill(out, round);
    job().all_to_all(out, in);
    expect_from_all(in, round);
  }
}

TEST(ranks, what_parcels_hold_is_all_that_is_sent) {
  Parcels out, in;
  fill(out, 3);
  std::vector<std::size_t> sizes;
  std::uint64_t bytes = 0;
  for (int r = 0; r < job().size(); ++r) {
    sizes.push_back(made(r, job().rank(), 3).size() * sizeof(float));
    if (r != job().rank()) bytes += out.size_of(r);
  }
  in.lay_out(sizes);
  const std::uint64_t before = job().bytes_sent();
  job().all_to_all_sized(out, in);
  expect_from_all(in, 3);
  EXPECT_EQ(job().bytes_sent() - before, bytes);
  job().all_to_all(out, in);
  EXPECT_EQ(job().bytes_sent() - before, 2 * bytes);
}

TEST(ranks, everybody_has_what_everybody_gave) {
  Parcels all;
  for (int round = 0; round < 5; ++round) {
    const std::vector<float> mine = made(job().rank(), job().rank(), round);
    job().all_gather(std::as_bytes(std::span(mine)), all);
    for (int r = 0; r < job().size(); ++r) {
      const std::span<const float> got = all.values<float>(r);
      EXPECT_EQ(std::vector<float>(got.begin(), got.end()), made(r, r, round));
    }
  }
}

TEST(ranks, a_broadcast_comes_from_any_rank) {
  for (int from = 0; from < job().size(); ++from) {
    std::vector<int> values(1000, job().rank());
    if (job().rank() == from) std::iota(values.begin(), values.end(), 17 * from);
    job().broadcast(std::as_writable_bytes(std::span(values)), from);
    for (int k = 0; k < 1000; ++k) ASSERT_EQ(values[static_cast<std::size_t>(k)], 17 * from + k);
    const std::string text(static_cast<std::size_t>(from) * 3, 'x');
    EXPECT_EQ(broadcast_text(job(), job().rank() == from ? text : "of another length", from), text);
  }
}

TEST(ranks, one_who_says_yes_is_enough) {
  EXPECT_FALSE(job().any(false));
  for (int who = 0; who < job().size(); ++who) EXPECT_TRUE(job().any(job().rank() == who));
  job().barrier();
}

// Numbers of very different size, so that any other order of the sum gives other bits.
template <class T>
std::vector<T> pieces_of(std::int64_t begin, std::int64_t end, std::size_t width) {
  std::vector<T> out;
  for (std::int64_t piece = begin; piece < end; ++piece) {
    Stream stream(3, "piece", static_cast<std::uint64_t>(piece));
    for (std::size_t i = 0; i < width; ++i) {
      out.push_back(static_cast<T>(stream.normal() * std::exp(12 * stream.uniform())));
    }
  }
  return out;
}

template <class T>
void expect_ordered(std::int64_t pieces, std::size_t width, SumRoom& room) {
  const std::vector<T> all = pieces_of<T>(0, pieces, width);
  std::vector<T> expected(width, T{0.25}), sum = expected, backwards = expected;
  for (std::int64_t p = 0; p < pieces; ++p) {
    for (std::size_t i = 0; i < width; ++i) {
      expected[i] += all[static_cast<std::size_t>(p) * width + i];
      backwards[i] += all[static_cast<std::size_t>(pieces - 1 - p) * width + i];
    }
  }
  const Share own = share_of(pieces, job());
  const std::vector<T> mine = pieces_of<T>(own.begin, own.end, width);
  ordered_sum<T>(job(), mine, sum, room);
  EXPECT_EQ(sum, expected) << pieces << " pieces of " << width;
  EXPECT_TRUE(pieces <= 2 || width <= 2 || sum != backwards) << "these numbers would not show a wrong order";
}

TEST(ranks, sums_have_the_bits_of_one_process) {
  SumRoom room;
  for (const std::int64_t pieces : {0, 1, 2, 3, 7, 32}) {
    for (const std::size_t width : {1, 3, 256, 257, 1000, 4099}) {
      expect_ordered<float>(pieces, width, room);
      expect_ordered<double>(pieces, width, room);
    }
  }
}

TEST(ranks, warm_calls_allocate_nothing) {
  Parcels out, in, all;
  SumRoom room;
  const Share own = share_of(9, job());
  const std::vector<float> mine = pieces_of<float>(own.begin, own.end, 1000);
  std::vector<float> sum(1000);
  std::size_t before = 0;
  for (int round = 0; round < 3; ++round) {
    if (round == 1) before = test::allocations();
    std::size_t sizes[] = {40, 8000, 0, 64};
    out.lay_out({sizes, static_cast<std::size_t>(job().size())});
    job().all_to_all(out, in);
    job().all_gather(std::as_bytes(std::span(mine)), all);
    job().broadcast(std::as_writable_bytes(std::span(sum)), 0);
    ordered_sum<float>(job(), mine, sum, room);
    job().any(false);
  }
  EXPECT_EQ(test::allocations() - before, 0U);
}

// Takes 5 GB of memory: asked for by EQUIPOISE_LARGE=1.
TEST(ranks, parcels_may_have_more_than_two_gigabytes) {
  if (std::getenv("EQUIPOISE_LARGE") == nullptr) GTEST_SKIP() << "EQUIPOISE_LARGE is not set";
  constexpr std::size_t kCount = (std::size_t{9} << 28) / 8 + 5;  // 2.25 GiB of 8 bytes each
  const int last = job().size() - 1;
  std::vector<std::size_t> sizes(static_cast<std::size_t>(job().size()));
  if (job().first()) sizes.back() = kCount * 8;
  Parcels out, in;
  out.lay_out(sizes);
  std::uint64_t number = 0;
  for (std::uint64_t& value : out.values<std::uint64_t>(last)) value = number++ * 0x9E3779B97F4A7C15;
  job().all_to_all(out, in);
  const bool receives = job().rank() == last;
  ASSERT_EQ(in.size_of(0), receives ? kCount * 8 : 0);
  std::size_t wrong = 0;
  const std::span<const std::uint64_t> got = std::as_const(in).values<std::uint64_t>(0);
  for (std::size_t k = 0; k < got.size(); ++k) wrong += got[k] != k * 0x9E3779B97F4A7C15 ? 1 : 0;
  EXPECT_EQ(wrong, 0U);
}

TEST(ranks, letters_arrive_in_order) {
  if (job().alone()) GTEST_SKIP() << "there is nobody to write to";
  const int next = (job().rank() + 1) % job().size(), before = (job().rank() + job().size() - 1) % job().size();
  for (int n = 0; n < 50; ++n)
    job().post(next, std::string(static_cast<std::size_t>(n) * 997, 'a') + std::to_string(n));
  for (int n = 0; n < 50; ++n) {
    std::optional<Letter> letter;
    while (!letter) letter = job().next_letter();
    EXPECT_EQ(letter->from, before);
    EXPECT_EQ(letter->text, std::string(static_cast<std::size_t>(n) * 997, 'a') + std::to_string(n));
  }
  job().barrier();
  EXPECT_FALSE(job().next_letter());
}

TEST(ranks, who_differs_is_named) {
  EXPECT_EQ(disagreement(job(), "seed", "1"), "");
  if (job().alone()) return;
  const int last = job().size() - 1;
  const std::string said = disagreement(job(), "seed", job().rank() == last ? "2" : "1");
  EXPECT_EQ(said, job().name_of(last) + " has seed \"2\" and " + job().name_of(0) + " has \"1\"");
}

TEST(ranks, shares_cover_all_and_owners_are_right) {
  for (const std::int64_t count : {0L, 1L, 5L, 64L, 1000L, 10'000'000'007L}) {
    for (const int size : {1, 2, 3, 7, 64}) {
      std::int64_t at = 0;
      for (int r = 0; r < size; ++r) {
        const Share share = share_of(count, r, size);
        EXPECT_EQ(share.begin, at);
        at = share.end;
        for (const std::int64_t index : {share.begin, (share.begin + share.end) / 2, share.end - 1}) {
          EXPECT_TRUE(!share.has(index) || owner_of(index, count, size) == r) << index << " of " << count;
        }
      }
      EXPECT_EQ(at, count);
    }
  }
}

}  // namespace
}  // namespace equipoise
