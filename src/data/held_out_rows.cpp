// Rules that hold out rows of a log; every draw is named by its purpose.
#include "data/held_out_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/listener.h"
#include "core/random.h"
#include "core/text.h"
#include "data/by_user.h"
#include "data/text/fields.h"

namespace equipoise {
namespace {

std::size_t share_of(double share, std::size_t size) {
  return static_cast<std::size_t>(std::floor(share * static_cast<double>(size) + 0.5));
}

/// The part of each of `size` units, drawn uniformly.
std::vector<std::uint8_t> draw_parts(std::size_t size, double valid_share, double test_share, std::uint64_t seed,
                                     const char* purpose) {
  std::vector<std::int32_t> shuffled(size);
  std::iota(shuffled.begin(), shuffled.end(), 0);
  Stream(seed, purpose).shuffle(std::span(shuffled));
  const std::size_t test = share_of(test_share, size), valid = share_of(valid_share, size);
  std::vector<std::uint8_t> part(size, kTrain);
  for (std::size_t k = 0; k < std::min(size, test + valid); ++k) {
    part[static_cast<std::size_t>(shuffled[k])] = k < test ? kTest : kValid;
  }
  return part;
}

HeldOut by_users(const Rows& log, double valid_share, double test_share, std::uint64_t seed) {
  std::vector<std::int32_t> users = log.user;
  std::sort(users.begin(), users.end());
  users.erase(std::unique(users.begin(), users.end()), users.end());
  const auto drawn = draw_parts(users.size(), valid_share, test_share, seed, "held out users");
  std::vector<std::uint8_t> of_user(users.empty() ? 0 : static_cast<std::size_t>(users.back()) + 1);
  for (std::size_t k = 0; k < users.size(); ++k) of_user[static_cast<std::size_t>(users[k])] = drawn[k];
  HeldOut out{std::vector<std::uint8_t>(log.size()),
              fmt::format("whole users, {} valid and {} test", to_text(valid_share), to_text(test_share))};
  for (std::size_t r = 0; r < log.size(); ++r) out.part[r] = of_user[static_cast<std::size_t>(log.user[r])];
  return out;
}

HeldOut by_time(const Rows& log, double valid_share, double test_share) {
  std::vector<std::int64_t> times = log.timestamp;
  std::sort(times.begin(), times.end());
  const std::size_t test = share_of(test_share, times.size()), valid = share_of(valid_share, times.size());
  // The time of the oldest of the newest `count` rows.
  const auto cut = [&](std::size_t count) {
    return count == 0 ? 0 : times[times.size() - std::min(count, times.size())];
  };
  const std::int64_t test_from = cut(test), valid_from = cut(test + valid);
  HeldOut out{std::vector<std::uint8_t>(log.size()), "by time"};
  for (std::size_t r = 0; r < log.size(); ++r) {
    const std::int64_t time = log.timestamp[r];
    out.part[r] = test > 0 && time >= test_from ? kTest : valid > 0 && time >= valid_from ? kValid : kTrain;
  }
  if (valid > 0) out.rule += fmt::format(", {} valid from {} on", to_text(valid_share), time_text(valid_from));
  if (test > 0) out.rule += fmt::format(", {} test from {} on", to_text(test_share), time_text(test_from));
  note(fmt::format("split {}", out.rule));
  return out;
}

HeldOut leave_last(const Rows& log) {
  HeldOut out{std::vector<std::uint8_t>(log.size(), kTrain), "each user's newest row test, the one before it valid"};
  const ByUser by_user(log, size_over(log.user));
  std::vector<RowNumber> rows;
  for (std::size_t u = 0; u + 1 < by_user.begin.size(); ++u) {
    rows.assign(by_user.rows.begin() + static_cast<std::ptrdiff_t>(by_user.begin[u]),
                by_user.rows.begin() + static_cast<std::ptrdiff_t>(by_user.begin[u + 1]));
    std::sort(rows.begin(), rows.end(), [&](RowNumber a, RowNumber b) {
      return log.timestamp[a] != log.timestamp[b] ? log.timestamp[a] < log.timestamp[b] : a < b;
    });
    if (rows.size() >= 2) out.part[rows.back()] = kTest;
    if (rows.size() >= 3) out.part[rows[rows.size() - 2]] = kValid;
  }
  return out;
}

HeldOut held_out(const Rows& log, const std::string& split, double valid_share, double test_share, std::uint64_t seed) {
  if (split == "time") return by_time(log, valid_share, test_share);
  if (split == "leave-last") return leave_last(log);
  if (split == "users") return by_users(log, valid_share, test_share, seed);
  return {draw_parts(log.size(), valid_share, test_share, seed, "held out rows of all"),
          fmt::format("rows of all, {} valid and {} test, drawn uniformly", to_text(valid_share), to_text(test_share))};
}

}  // namespace

HeldOut hold_out(const Rows& log, const std::string& split, double valid_share, double test_share, std::uint64_t seed) {
  if ((split == "time" || split == "leave-last") && log.timestamp.empty()) {
    throw UsageError(fmt::format("split: {} needs times; timestamp_column names their column", split));
  }
  HeldOut out = held_out(log, split, valid_share, test_share, seed);
  if (std::find(out.part.begin(), out.part.end(), kTrain) == out.part.end()) {
    throw DataError(fmt::format("no row is left for train by split = {} with these shares", split));
  }
  return out;
}

}  // namespace equipoise
