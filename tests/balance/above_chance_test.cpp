// The U-statistic of imbalance: against plain loops over pairs of rows, its gradient, and its mean under chance.
#include "balance/above_chance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "balance/all_pairs.h"
#include "core/random.h"

namespace equipoise {
namespace {

/// Rows of users with a vector each row.
struct Log {
  std::size_t width = 3;
  std::vector<std::int32_t> user, item;
  Floats psi;  // (rows × width)
  Groups groups;

  std::size_t rows() const { return user.size(); }
  void add(std::int32_t u, std::int32_t i, std::span<const float> vector) {
    user.push_back(u), item.push_back(i);
    psi.insert(psi.end(), vector.begin(), vector.end());
  }
  double product(std::size_t a, std::size_t b) const {
    double out = 0;
    for (std::size_t k = 0; k < width; ++k) out += static_cast<double>(psi[a * width + k]) * psi[b * width + k];
    return out;
  }
  bool has(std::size_t t, std::size_t group) const {
    const auto of = groups.of(item[t]);
    return std::find(of.begin(), of.end(), static_cast<std::int32_t>(group)) != of.end();
  }
};

AboveChance counted(const Log& log) {
  AboveChance out(log.groups.count, log.width);
  for (std::size_t t = 0; t < log.rows();) {  // rows of a user follow one another
    std::size_t last = t;
    while (last < log.rows() && log.user[last] == log.user[t]) ++last;
    out.add_user({const_cast<float*>(log.psi.data()) + t * log.width, last - t, log.width},
                 std::span(log.item).subspan(t, last - t), log.groups);
    t = last;
  }
  return out;
}

/// 2 (Σ_g p_g û_g − d̂), every mean by a loop over all pairs of rows of different users.
double literal(const Log& log) {
  const auto mean_product = [&](auto counts, bool& any) {
    double sum = 0, pairs = 0;
    for (std::size_t a = 0; a < log.rows(); ++a) {
      for (std::size_t b = 0; b < log.rows(); ++b) {
        if (log.user[a] == log.user[b] || !counts(a) || !counts(b)) continue;
        sum += log.product(a, b), pairs += 1;
      }
    }
    any = pairs > 0;
    return any ? sum / pairs : 0;
  };
  double within = 0, rows = 0;
  bool any = false;
  for (std::size_t g = 0; g < log.groups.count; ++g) {
    const double u = mean_product([&](std::size_t t) { return log.has(t, g); }, any);
    if (!any) continue;
    double size = 0;
    for (std::size_t t = 0; t < log.rows(); ++t) size += log.has(t, g) ? 1 : 0;
    within += size * u, rows += size;
  }
  return 2 * (within / rows - mean_product([](std::size_t) { return true; }, any));
}

/// Users of one to five rows, whose vectors depend on the item; with `alike` all rows of a user have one vector.
Log some_log(const Groups& groups, std::uint64_t seed, bool alike) {
  Log log;
  log.groups = groups;
  Stream stream(seed, "log");
  const auto items = static_cast<std::uint32_t>(groups.offsets.size() - 1);
  for (std::int32_t u = 0; u < 30; ++u) {
    std::vector<float> own(log.width);
    for (float& v : own) v = static_cast<float>(0.3 + stream.normal());
    for (int k = 0; k <= u % 5; ++k) {
      const auto item = static_cast<std::int32_t>(stream.below(items));
      std::vector<float> row = own;
      for (float& v : row) v += alike ? 0 : static_cast<float>(0.2 * item + 0.5 * stream.normal());
      log.add(u, item, row);
    }
  }
  return log;
}

Groups tags() {
  Features features{6, {}, {}};
  features.categorical.push_back({"genre", true, {"a", "b", "c"}, {0, 1, 3, 4, 6, 6, 7}, {0, 0, 1, 2, 1, 2, 2}});
  return groups_of_features(features, 6);
}

TEST(AboveChance, EqualsLoopsOverPairsOfRows) {
  for (const Groups& groups : {groups_of_items(6), tags()}) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      const Log log = some_log(groups, seed, false);
      EXPECT_NEAR(counted(log).value(), literal(log), 1e-6 * std::max(1.0, std::abs(literal(log))));
    }
  }
}

TEST(AboveChance, IsTheFormulaOfSumsAndSquaresWhereNoPairComesTwice) {
  Log log;
  log.groups = groups_of_items(4);
  Stream stream(3, "log");
  for (std::int32_t u = 0; u < 20; ++u) {
    for (std::int32_t i = u % 2; i < 4; i += 2) {
      std::vector<float> row = {static_cast<float>(stream.normal()), static_cast<float>(stream.normal()), 1.0f};
      log.add(u, i, row);
    }
  }
  // û_i = (‖S_i‖² − Q_i) ÷ (T_i (T_i − 1)), and d̂ by users
  double expected = 0;
  for (std::int32_t i = 0; i < 4; ++i) {
    double sum[3] = {}, squares = 0, rows = 0;
    for (std::size_t t = 0; t < log.rows(); ++t) {
      if (log.item[t] != i) continue;
      for (std::size_t k = 0; k < 3; ++k) sum[k] += log.psi[t * 3 + k];
      squares += log.product(t, t), rows += 1;
    }
    const double norm = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2];
    expected += rows / static_cast<double>(log.rows()) * (norm - squares) / (rows * (rows - 1));
  }
  double between = 0, pairs = 0;
  for (std::size_t a = 0; a < log.rows(); ++a) {
    for (std::size_t b = 0; b < log.rows(); ++b) {
      if (log.user[a] != log.user[b]) between += log.product(a, b), pairs += 1;
    }
  }
  EXPECT_NEAR(counted(log).value(), 2 * (expected - between / pairs), 1e-6);
}

// The gradient is that of moving all rows of a user at once, who has one vector.
TEST(AboveChance, GradientIsThatOfCentralDifferences) {
  for (const Groups& groups : {groups_of_items(6), tags()}) {
    Log log = some_log(groups, 4, true);
    Floats memory((groups.count + 1) * (log.width + 1));
    const Matrix g{memory.data(), groups.count + 1, log.width + 1};
    counted(log).gradient(g);
    for (std::int32_t u = 0; u < 30; ++u) {
      std::vector<std::size_t> own;
      for (std::size_t t = 0; t < log.rows(); ++t) {
        if (log.user[t] == u) own.push_back(t);
      }
      for (std::size_t k = 0; k < log.width; ++k) {
        double found = 0;
        const auto rows = static_cast<double>(own.size());
        for (const std::size_t t : own) {
          const double x = log.psi[t * log.width + k];
          found -= g.row(groups.count)[k] - rows * g.row(groups.count)[log.width] * x;
          for (const std::int32_t group : groups.of(log.item[t])) {
            double cell = 0;
            for (const std::size_t s : own) cell += log.has(s, static_cast<std::size_t>(group)) ? 1 : 0;
            const float* row = g.row(static_cast<std::size_t>(group));
            found += row[k] - cell * row[log.width] * x;
          }
        }
        const auto moved = [&](float by) {
          for (const std::size_t t : own) log.psi[t * log.width + k] += by;
          const double value = literal(log);
          for (const std::size_t t : own) log.psi[t * log.width + k] -= by;
          return value;
        };
        EXPECT_NEAR(found, moved(0.5f) - moved(-0.5f), 2e-5);  // it is quadratic: differences are exact
      }
    }
  }
}

/// A log of users who come again and again, with items drawn whoever they are; no user has an item twice.
Log random_exposure(std::uint64_t seed) {
  constexpr std::uint32_t kUsers = 40, kItems = 30;
  Log log;
  log.groups = groups_of_items(kItems);
  Stream stream(seed, "random exposure");
  for (std::uint32_t u = 0; u < kUsers; ++u) {
    std::vector<float> vector(log.width);
    for (float& v : vector) v = static_cast<float>(1 + stream.normal());
    std::vector<std::int32_t> items(kItems);
    for (std::uint32_t i = 0; i < kItems; ++i) items[i] = static_cast<std::int32_t>(i);
    stream.shuffle(std::span(items));
    for (std::uint32_t k = 0; k < 4 + u % 3 * 4; ++k) log.add(static_cast<std::int32_t>(u), items[k], vector);
  }
  return log;
}

struct Mean {
  double sum = 0, squares = 0, times = 0;
  void add(double x) { sum += x, squares += x * x, times += 1; }
  double value() const { return sum / times; }
  double error() const { return std::sqrt((squares / times - value() * value()) / times); }
};

TEST(AboveChance, IsZeroOnAverageOverRandomExposureAndRepeatedUsersWhereTheSumOverPairsIsNot) {
  Mean above, grouped, pairs, without_users;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Log log = random_exposure(seed);
    above.add(counted(log).value());
    AllPairs all(log.groups.count, log.width);
    all.add({log.psi.data(), log.rows(), log.width}, log.item);
    pairs.add(all.value());
    // The same with every row as a user of its own: repeated users then count as company.
    Log rows = log;
    for (std::size_t t = 0; t < rows.rows(); ++t) rows.user[t] = static_cast<std::int32_t>(t);
    without_users.add(counted(rows).value());
    std::vector<std::int32_t> numbers(30);
    for (std::size_t i = 0; i < 30; ++i) numbers[i] = static_cast<std::int32_t>(i % 4);
    log.groups = groups_by_number(numbers, 4);
    grouped.add(counted(log).value());
  }
  for (const auto& [name, mean] :
       {std::pair<const char*, Mean&>{"items", above}, {"groups", grouped}, {"pairs", pairs}}) {
    RecordProperty(name, std::to_string(mean.value()) + " ± " + std::to_string(mean.error()));
  }
  EXPECT_LT(std::abs(above.value()), 3 * above.error()) << above.value() << " ± " << above.error();
  EXPECT_LT(std::abs(grouped.value()), 3 * grouped.error()) << grouped.value() << " ± " << grouped.error();
  EXPECT_LT(above.error(), 0.01);
  EXPECT_GT(pairs.value(), 30 * pairs.error());
  EXPECT_LT(without_users.value(), -5 * without_users.error());
}

TEST(AboveChance, IsTheDistanceOfItemsWhereEveryItemHasManyUsers) {
  Log log;
  log.groups = groups_of_items(4);
  Stream stream(9, "many users");
  for (std::int32_t u = 0; u < 8000; ++u) {
    std::vector<float> row(3);
    for (float& v : row) v = static_cast<float>(0.5 * (u % 4) + stream.normal());
    log.add(u, u % 4, row);
  }
  AllPairs all(4, 3);
  all.add({log.psi.data(), log.rows(), 3}, log.item);
  // All items are shown alike: all-pairs is 2 N ÷ (N − 1) times the variance between items, J twice.
  EXPECT_NEAR(counted(log).value(), all.value() * 3 / 4, 0.02 * all.value());
}

TEST(AboveChance, GroupsOfOneUserDoNotTakePart) {
  Log log;
  log.groups = groups_of_items(3);
  const std::vector<float> one = {1, 2, 3}, other = {3, 0, 1};
  log.add(0, 0, one), log.add(0, 1, one), log.add(1, 1, other);
  EXPECT_NEAR(counted(log).value(), literal(log), 1e-9);
  Log alone;
  alone.groups = log.groups;
  alone.add(0, 0, one), alone.add(0, 1, other);
  EXPECT_EQ(counted(alone).value(), 0);
}

}  // namespace
}  // namespace equipoise
