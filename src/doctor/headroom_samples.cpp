// Drawing the samples.
#include "doctor/headroom_samples.h"

#include <algorithm>
#include <span>

#include "core/random.h"
#include "data/by_user.h"

namespace equipoise {

std::vector<int> random_folds(const Rows& valid, std::int32_t users, int folds, std::uint64_t seed) {
  const ByUser by_user(valid, users);
  std::vector<int> out(valid.size());
  for (std::size_t u = 0; u < static_cast<std::size_t>(users); ++u) {
    std::vector<RowNumber> rows(by_user.rows.begin() + by_user.begin[u], by_user.rows.begin() + by_user.begin[u + 1]);
    Stream stream(seed, "folds of the random part", u);
    stream.shuffle(std::span(rows));
    const std::uint32_t first = stream.below(static_cast<std::uint32_t>(folds));
    for (std::size_t k = 0; k < rows.size(); ++k)
      out[rows[k]] = static_cast<int>((first + k) % static_cast<std::size_t>(folds));
  }
  return out;
}

HeadroomSamples headroom_samples(const Dataset& data, const std::vector<int>& fold_of, int folds, int fold,
                                 std::size_t most, std::uint64_t seed) {
  std::vector<std::size_t> random, stopping, judging;
  for (std::size_t r = 0; r < fold_of.size(); ++r) {
    (fold_of[r] == fold ? judging : fold_of[r] == (fold + 1) % folds ? stopping : random).push_back(r);
  }
  const auto number = static_cast<std::uint64_t>(fold);
  Stream(seed, "random rows to learn from", number).shuffle(std::span(random));
  random.resize(std::min(random.size(), most));
  std::sort(random.begin(), random.end());

  // A user who has too few rows in the log gives fewer of both kinds.
  const ByUser log(data.train, data.users.size());
  std::vector<std::size_t> taken(static_cast<std::size_t>(data.users.size()), 0);
  std::vector<std::size_t> kept;
  for (const std::size_t r : random) {
    const auto u = static_cast<std::size_t>(data.valid.user[r]);
    if (2 * (taken[u] + 1) > log.begin[u + 1] - log.begin[u]) continue;
    ++taken[u];
    kept.push_back(r);
  }
  std::array<std::vector<std::size_t>, 2> samples;
  for (std::size_t u = 0; u < taken.size(); ++u) {
    if (taken[u] == 0) continue;
    std::vector<RowNumber> rows(log.rows.begin() + log.begin[u], log.rows.begin() + log.begin[u + 1]);
    Stream(seed, "log rows to learn from", number, u).shuffle(std::span(rows));
    samples[0].insert(samples[0].end(), rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(taken[u]));
    samples[1].insert(samples[1].end(), rows.begin() + static_cast<std::ptrdiff_t>(taken[u]),
                      rows.begin() + static_cast<std::ptrdiff_t>(2 * taken[u]));
  }
  return {data.valid.select(kept),
          {data.train.select(samples[0]), data.train.select(samples[1])},
          data.valid.select(stopping),
          data.valid.select(judging)};
}

}  // namespace equipoise
