// Splits by seed; every draw is named by its purpose and its user.
#include "data/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/random.h"
#include "core/text.h"
#include "data/by_user.h"
#include "data/cells.h"
#include "data/draw.h"
#include "data/held_out_rows.h"
#include "data/pairs.h"

namespace equipoise {

void UnbiasedSplit::describe(Params& p) {
  p("split_by", split_by, "an unbiased part is split into valid and test by whole users or by single rows",
    one_of({"users", "rows"}));
  p("valid_share", valid_share, "share of the unbiased part's users (or rows) that goes to valid", at_least(0),
    below(1));
}

void SplitParams::describe(Params& p) {
  unbiased.describe(p);
  p("split", split,
    "how a log without an unbiased part is split: rows of each user, rows of all (random), whole users, the newest "
    "rows (time), or the last rows of each user (leave-last: the newest is test, the one before it valid)",
    one_of({"per-user", "random", "users", "time", "leave-last"}));
  p("log_valid_share", log_valid_share,
    "share of each user's rows (or of all rows, or of the users: see split) that goes to valid, where the source has "
    "no unbiased part",
    between(0, 0.5));
  p("log_test_share", log_test_share, "share that goes to test, counted as for log_valid_share", between(0, 0.5));
  p("resample", resample,
    "where rows of each user are split, valid and test are drawn with odds of 1 / (rows of the item), to look uniform");
  p("keep_leaks", keep_leaks, "keep the train rows whose pair occurs in valid or test");
}

namespace {

std::size_t rounded(double value) { return static_cast<std::size_t>(std::floor(value + 0.5)); }

/// 1 for the units (users or rows) that go to valid.
std::vector<std::uint8_t> draw_valid(const std::vector<std::int32_t>& units, std::size_t size, double share,
                                     std::uint64_t seed) {
  std::vector<std::int32_t> shuffled = units;
  Stream(seed, "valid and test").shuffle(std::span(shuffled));
  std::size_t count = rounded(share * static_cast<double>(units.size()));
  if (share > 0 && units.size() >= 2) count = std::clamp<std::size_t>(count, 1, units.size() - 1);
  std::vector<std::uint8_t> valid(size, 0);
  for (std::size_t k = 0; k < count; ++k) valid[static_cast<std::size_t>(shuffled[k])] = 1;
  return valid;
}

/// The rows whose mark is `mark`.
Rows select_marked(const Rows& rows, const std::vector<std::uint8_t>& marks, std::uint8_t mark) {
  std::vector<std::size_t> numbers;
  for (std::size_t r = 0; r < marks.size(); ++r) {
    if (marks[r] == mark) numbers.push_back(r);
  }
  return rows.select(numbers);
}

/// Takes out all rows that have a mark. In place: the log may be most of what fits into memory.
void remove_marked(Rows& rows, const std::vector<std::uint8_t>& marks) {
  std::vector<RowNumber> numbers;
  for (std::size_t r = 0; r < marks.size(); ++r) {
    if (marks[r] != 0) numbers.push_back(static_cast<RowNumber>(r));
  }
  rows.remove(numbers);
}

}  // namespace

Parts split_unbiased(const Rows& unbiased, const UnbiasedSplit& params, std::uint64_t seed) {
  std::vector<std::uint8_t> in_valid(unbiased.size());
  if (params.split_by == "rows") {
    std::vector<std::int32_t> rows(unbiased.size());
    std::iota(rows.begin(), rows.end(), 0);
    in_valid = draw_valid(rows, rows.size(), params.valid_share, seed);
  } else {
    const auto users = draw_valid(sorted_unique(unbiased.user), static_cast<std::size_t>(size_over(unbiased.user)),
                                  params.valid_share, seed);
    for (std::size_t r = 0; r < unbiased.size(); ++r) in_valid[r] = users[static_cast<std::size_t>(unbiased.user[r])];
  }
  return {{},
          select_marked(unbiased, in_valid, 1),
          select_marked(unbiased, in_valid, 0),
          fmt::format("unbiased part by {}, {} valid", params.split_by, to_text(params.valid_share)),
          "unbiased"};
}

namespace {

/// Rows of each user, drawn.
HeldOut draw_per_user(const Rows& log, const SplitParams& params, std::uint64_t seed) {
  std::vector<double> odds_of_item(static_cast<std::size_t>(size_over(log.item)), 0);
  for (const std::int32_t i : log.item) odds_of_item[static_cast<std::size_t>(i)] += 1;
  for (double& odds : odds_of_item) odds = params.resample && odds > 0 ? 1 / odds : 1;

  std::vector<std::uint8_t> part(log.size(), kTrain);
  const ByUser users(log, size_over(log.user));
  std::vector<double> odds;
  for (std::size_t u = 0; u + 1 < users.begin.size(); ++u) {
    const RowNumber* rows = users.rows.data() + users.begin[u];
    const std::size_t n = users.begin[u + 1] - users.begin[u];
    if (n < 2) continue;
    const std::size_t test = std::min(rounded(params.log_test_share * static_cast<double>(n)), n - 1);
    const std::size_t valid = std::min(rounded(params.log_valid_share * static_cast<double>(n)), n - 1 - test);
    odds.resize(n);
    for (std::size_t k = 0; k < n; ++k) odds[k] = odds_of_item[static_cast<std::size_t>(log.item[rows[k]])];
    Stream stream(seed, "held out rows", u);
    const auto drawn = draw_without_replacement(odds, test + valid, stream);
    for (std::size_t k = 0; k < drawn.size(); ++k) part[rows[drawn[k]]] = k < test ? kTest : kValid;
  }
  return {std::move(part), fmt::format("per user, {} valid and {} test, drawn {}", to_text(params.log_valid_share),
                                       to_text(params.log_test_share),
                                       params.resample ? "with odds of 1 / (rows of the item)" : "uniformly")};
}

}  // namespace

Parts split_log(Rows log, const SplitParams& params, std::uint64_t seed) {
  const bool per_user = params.split == "per-user";
  const HeldOut held_out = per_user ? draw_per_user(log, params, seed)
                                    : hold_out(log, params.split, params.log_valid_share, params.log_test_share, seed);
  Rows valid = select_marked(log, held_out.part, kValid), test = select_marked(log, held_out.part, kTest);
  remove_marked(log, held_out.part);
  return {std::move(log), std::move(valid), std::move(test), held_out.rule,
          per_user && params.resample ? "resampled" : "biased"};
}

std::int64_t remove_leaks(Rows& train, const Rows& valid, const Rows& test, bool count_only) {
  const auto leaked = shared_pairs(train, {&valid, &test});
  const auto leaks = std::count(leaked.begin(), leaked.end(), std::uint8_t{1});
  if (leaks > 0 && !count_only) remove_marked(train, leaked);
  return leaks;
}

Parts make_parts(Rows log, const Rows& unbiased, const SplitParams& params, std::uint64_t seed) {
  if (unbiased.empty()) return split_log(std::move(log), params, seed);
  if (params.split != "per-user") {
    throw UsageError("split: is for a log without unbiased rows; here they are valid and test (see split_by)");
  }
  Parts parts = split_unbiased(unbiased, params.unbiased, seed);
  parts.train = std::move(log);
  return parts;
}

void set_parts(Dataset& data, Parts parts, bool keep_leaks) {
  const std::int64_t leaks = remove_leaks(parts.train, parts.valid, parts.test, keep_leaks);
  data.train = std::move(parts.train);
  data.valid = std::move(parts.valid);
  data.test = std::move(parts.test);
  data.provenance["split"] = parts.rule;
  data.provenance["test_part"] = parts.test_part;
  data.provenance["leaks_removed"] = keep_leaks ? std::int64_t{0} : leaks;
  if (keep_leaks) data.provenance["leaks_kept"] = leaks;
}

}  // namespace equipoise
