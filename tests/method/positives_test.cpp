// The losses for positives against plain loops over one log, with every item drawn against every row.
#include <set>

#include "core/error.h"
#include "data/temp_folder.h"
#include "method/drawn_items.h"
#include "method/posed.h"
#include "stopping.h"

namespace equipoise::test {
namespace {

using test::error_of;

class PositivesLoss : public ::testing::TestWithParam<bool> {
 protected:
  PositivesLoss() {
    for (std::uint64_t time = 1; !all_known(); ++time) {
      data_ = expose(world_, world_.p, time);
      if (GetParam()) data_ = positives_of(std::move(data_));
    }
    for (std::size_t t = 0; t < data_.train.size(); ++t)
      data_.train.weight[t] = 0.5f + 0.25f * static_cast<float>(t % 4);
    omega_ = static_cast<double>(data_.train.size()) / static_cast<double>(world_.pairs());
  }

  /// A user or item without rows has no vector of its own.
  bool all_known() const {
    const std::set<std::int32_t> users(data_.train.user.begin(), data_.train.user.end());
    const std::set<std::int32_t> items(data_.train.item.begin(), data_.train.item.end());
    return users.size() == 7 && items.size() == 6;
  }
  std::size_t pair(std::size_t row) const {
    return static_cast<std::size_t>(data_.train.user[row] * world_.items + data_.train.item[row]);
  }
  bool liked(std::size_t k) const {
    for (std::size_t t = 0; t < data_.train.size(); ++t) {
      if (pair(t) == k && data_.train.label[t] > 0) return true;
    }
    return false;
  }
  /// Calls h(row, its pair, pair of the same user, weight of the row) for every item drawn against every row.
  template <class H>
  void against(H h) const {
    for (std::size_t t = 0; t < data_.train.size(); ++t) {
      for (int j = 0; j < world_.items; ++j) {
        h(t, pair(t), static_cast<std::size_t>(data_.train.user[t] * world_.items + j));
      }
    }
  }
  double rows() const { return static_cast<double>(data_.train.size()); }
  double w(std::size_t row, bool weighted) const {
    return data_.train.weight[row] * (weighted ? omega_ / world_.p[pair(row)] : 1.0);
  }

  double pointwise(double negative_weight, bool weighted) const {
    double shown = 0, drawn = 0, count = 0;
    for (std::size_t t = 0; t < data_.train.size(); ++t) {
      shown += w(t, weighted) * delta(data_.train.label[t], world_.f[pair(t)]);
    }
    against([&](std::size_t, std::size_t, std::size_t j) {
      if (!liked(j)) drawn += delta(0, world_.f[j]), count += 1;
    });
    return shown / rows() + negative_weight * drawn / count;
  }
  double bpr(const Table& score, bool weighted) const {
    double total = 0, count = 0;
    against([&](std::size_t t, std::size_t i, std::size_t j) {
      if (data_.train.label[t] == 0 || liked(j)) return;
      total += w(t, weighted) * delta(1, score[i] - score[j]);
      count += 1;
    });
    return total / count;
  }
  double softmax(bool weighted) const {
    std::vector<double> sum(data_.train.size(), 0.0);
    against([&](std::size_t t, std::size_t, std::size_t j) { sum[t] += liked(j) ? 0 : std::exp(world_.f[j]); });
    double total = 0, count = 0;
    for (std::size_t t = 0; t < data_.train.size(); ++t) {
      if (data_.train.label[t] == 0) continue;
      const double own = world_.f[pair(t)];
      total += w(t, weighted) * (std::log(std::exp(own) + sum[t]) - own);
      count += 1;
    }
    return total / count;
  }
  Posed posed(const std::string& method, Settings settings) { return Posed(method, data_, settings, world_); }
  double loss(const std::string& method, const std::string& name, Settings settings = {}) {
    settings["loss"] = name;
    return posed(method, settings).loss("fit");
  }

  World world_{7, 6, 0.3};
  Dataset data_;
  double omega_ = 0;
};

TEST_P(PositivesLoss, PointwiseIsItsEquation) {
  EXPECT_NEAR(loss("base", "pointwise"), pointwise(1, false), 1e-5);
  EXPECT_NEAR(loss("base", "pointwise", {{"negative_weight", "0.3"}}), pointwise(0.3, false), 1e-5);
  Settings given = kGiven;
  EXPECT_NEAR(loss("ips", "pointwise", given), pointwise(1, true), 1e-5);
}

TEST_P(PositivesLoss, PointwiseWithoutDrawnItemsIsTheLossOfLabels) {
  Dataset labelled = data_;
  labelled.positives_only = false;
  const double plain = Posed("base", labelled, {{"loss", "labels"}}, world_).loss("fit");
  EXPECT_EQ(loss("base", "pointwise", {{"negative_weight", "0"}}), plain);
}

TEST_P(PositivesLoss, BprIsItsEquation) {
  EXPECT_NEAR(loss("base", "bpr"), bpr(world_.f, false), 1e-5);
  EXPECT_NEAR(loss("ips", "bpr", kGiven), bpr(world_.f, true), 1e-5);
}

TEST_P(PositivesLoss, SoftmaxIsItsEquation) {
  EXPECT_NEAR(loss("base", "softmax"), softmax(false), 1e-5);
  EXPECT_NEAR(loss("ips", "softmax", kGiven), softmax(true), 1e-5);
}

TEST_P(PositivesLoss, SnipsDividesTheWeightsByTheirMean) {
  double mean = 0;
  for (std::size_t t = 0; t < data_.train.size(); ++t) mean += w(t, true) / rows();
  EXPECT_NEAR(loss("snips", "bpr", kGiven), bpr(world_.f, true) / mean, 1e-5);
  EXPECT_NEAR(loss("snips", "softmax", kGiven), softmax(true) / mean, 1e-5);
}

TEST_P(PositivesLoss, CbrWithItsPartsOffIsBase) {
  for (const char* name : {"pointwise", "bpr", "softmax"}) {
    const double cbr = loss("cbr", name, {{"projection", "false"}, {"confounder", "false"}, {"balance", "none"}});
    EXPECT_NEAR(cbr, loss("base", name), 1e-6) << name;
  }
}

TEST_P(PositivesLoss, PdaIsBprOnItsScores) {
  Table score = world_.f;
  for (double& x : score) x = x > 0 ? x + 1 : std::exp(x);
  Posed plain = posed("pda", {{"popularity_effect", "0"}, {"popularity_wanted", "0.7"}});
  EXPECT_NEAR(plain.loss("fit"), bpr(score, false), 1e-5) << "γ = 0 is bpr on ELU(f) + 1";
  std::vector<double> rows(static_cast<std::size_t>(world_.items), 1.0);
  for (const std::int32_t item : data_.train.item) rows[static_cast<std::size_t>(item)] += 1;
  const double most = *std::max_element(rows.begin(), rows.end());
  Table popular = score, wanted = score;
  for (std::size_t k = 0; k < score.size(); ++k) {
    const double m = rows[k % static_cast<std::size_t>(world_.items)] / most;
    popular[k] *= std::pow(m, 0.4), wanted[k] *= std::pow(m, 0.7);
  }
  EXPECT_NEAR(posed("pda", {{"popularity_effect", "0.4"}}).loss("fit"), bpr(popular, false), 1e-5);
  const Table scores = plain.scores();
  for (std::size_t k = 0; k < scores.size(); ++k) EXPECT_NEAR(scores[k], wanted[k], 1e-5);
}

TEST_P(PositivesLoss, MacrIsItsEquation) {
  Settings settings = {{"alpha", "0.3"}, {"beta", "0.2"}, {"negative_weight", "0.5"}};
  Posed macr = posed("macr", settings);
  settings["reference"] = "1.5";
  Posed referred = posed("macr", settings);
  for (Posed* one : {&macr, &referred}) {
    Stream stream(3, "heads");
    for (TrainedArray& p : one->network("m").arrays()) p.fill_normal(stream, 0.5);
  }
  const auto& heads = macr.network("m").arrays();
  // The vector of an item is a unit vector, that of a user the user's row of the table.
  const auto n = static_cast<std::size_t>(world_.items);
  const auto m_i = [&](std::size_t k) { return heads[2].values()[k % n] + heads[3].values()[0]; };
  const auto m_u = [&](std::size_t k) {
    double out = heads[1].values()[0];
    for (std::size_t i = 0; i < n; ++i) out += world_.f[k / n * n + i] * heads[0].values()[i];
    return out;
  };
  const auto score = [&](std::size_t k, double c) { return (world_.f[k] - c) * sigma(m_u(k)) * sigma(m_i(k)); };
  const auto error = [&](std::size_t k, double y) {
    return delta(y, score(k, 0)) + 0.3 * delta(y, m_i(k)) + 0.2 * delta(y, m_u(k));
  };
  double shown = 0, drawn = 0, count = 0;
  for (std::size_t t = 0; t < data_.train.size(); ++t) shown += w(t, false) * error(pair(t), data_.train.label[t]);
  against([&](std::size_t, std::size_t, std::size_t j) {
    if (!liked(j)) drawn += error(j, 0), count += 1;
  });
  EXPECT_NEAR(macr.loss("fit"), shown / rows() + 0.5 * drawn / count, 1e-5);
  const Table plain = macr.scores(), shifted = referred.scores();
  for (std::size_t k = 0; k < plain.size(); ++k) {
    EXPECT_NEAR(plain[k], score(k, 0), 1e-5) << "c = 0 is what was fitted";
    EXPECT_NEAR(shifted[k], score(k, 1.5), 1e-5);
  }
}

TEST_P(PositivesLoss, RelMfIsItsEquation) {
  double all = 0, yes = 0, no = 0;
  for (const double x : world_.f) all += delta(0, x) / static_cast<double>(world_.pairs());
  for (std::size_t t = 0; t < data_.train.size(); ++t) {
    const double weight = w(t, false) * data_.train.label[t] / world_.p[pair(t)] / static_cast<double>(world_.pairs());
    yes += weight * delta(1, world_.f[pair(t)]), no += weight * delta(0, world_.f[pair(t)]);
  }
  const Settings given = {{"theta", "given"}, {"theta_clip", "0.001"}};
  EXPECT_NEAR(posed("rel-mf", given).loss("fit"), all + yes - no, 1e-5);
  Settings non_negative = given;
  non_negative["non_negative"] = "true";
  EXPECT_NEAR(posed("rel-mf", non_negative).loss("fit"), yes + std::max(0.0, all - no), 1e-5);
  Dataset heavy = data_;
  for (float& weight : heavy.train.weight) weight *= 100;
  EXPECT_LT(Posed("rel-mf", heavy, given, world_).loss("fit"), 100 * yes) << "negatives are below 0";
  EXPECT_NEAR(Posed("rel-mf", heavy, non_negative, world_).loss("fit"), 100 * yes, 2e-3);
}

TEST_P(PositivesLoss, UbprIsItsEquation) {
  const auto expected = [&](bool non_negative) {
    double total = 0;
    against([&](std::size_t t, std::size_t i, std::size_t j) {
      if (i == j) return;
      const double negative = 1 - (liked(j) ? 1 / world_.p[j] : 0);
      total += w(t, false) * data_.train.label[t] / world_.p[i] * (non_negative ? std::max(0.0, negative) : negative) *
               delta(1, world_.f[i] - world_.f[j]);
    });
    return total / rows() / world_.items;
  };
  const Settings given = {{"theta", "given"}, {"theta_clip", "0.001"}};
  EXPECT_NEAR(posed("ubpr", given).loss("fit"), expected(false), 2e-5);
  Settings non_negative = given;
  non_negative["non_negative"] = "true";
  EXPECT_NEAR(posed("ubpr", non_negative).loss("fit"), expected(true), 2e-5);
}

std::string log_name(const ::testing::TestParamInfo<bool>& log) { return log.param ? "Positives" : "Labels"; }

INSTANTIATE_TEST_SUITE_P(Logs, PositivesLoss, ::testing::Bool(), log_name);

TEST(Theta, IsThePopularityOfTheItemToAPower) {
  Dataset data = positives_of(known_log(40, 10));
  const Built built({"rel-mf", "gmf"}, data, {}, 1, {{"theta_power", "0.5"}, {"theta_clip", "0.2"}});
  std::vector<double> rows(10, 0.0);
  for (const std::int32_t item : data.train.item) rows[static_cast<std::size_t>(item)] += 1;
  const double most = *std::max_element(rows.begin(), rows.end());
  double lowest = 1, clipped = 0;
  for (const std::int32_t item : data.train.item) {
    const double theta = std::sqrt(rows[static_cast<std::size_t>(item)] / most);
    lowest = std::min(lowest, theta), clipped += theta < 0.2;
  }
  Pool pool(1);
  const Json findings = built.method->findings(data, pool);
  EXPECT_NEAR(findings.at("theta_lowest").as_double(), lowest, 1e-9);
  EXPECT_NEAR(findings.at("theta_clipped_share").as_double(), clipped / static_cast<double>(data.train.size()), 1e-9);
  EXPECT_NE(error_of<DataError>([&] {
              Built({"ubpr", "gmf"}, data, {}, 1, {{"theta", "given"}});
            }).find("theta = given needs a propensity column"),
            std::string::npos);
}

TEST(DrawnItems, LeaveOutTheDrawnItemWhereTheUserHasItAndTheRowsOwnOtherwise) {
  const Dataset data = known_log(30, 9, 5);
  DrawnItems items;
  items.read(data);
  Batches batches(data.train, data.known_users(), data.known_items(), 40, 1, 0, {5, 0.5});
  const UserItems history = user_items(data.train, data.users.size(), 1);
  batches.use(history);
  batches.begin_epoch(1);
  const Batch& b = batches.make(0);
  Pool pool(1);
  Tape tape(pool);
  const Pairs against = b.against;
  const Var counts = items.count(tape, against);
  ASSERT_EQ(against.left_out.size(), 200U);
  int had = 0, liked = 0;
  for (std::size_t k = 0; k < against.size(); ++k) {
    bool has = false, likes = false;
    for (std::size_t t = 0; t < data.train.size(); ++t) {
      if (data.train.user[t] != against.user[k] || data.train.item[t] != against.item[k]) continue;
      has = true, likes = data.train.label[t] > 0;
    }
    EXPECT_EQ(against.left_out[k], has ? against.item[k] : b.shown.item[k / 5]);
    EXPECT_EQ(counts.value().data[k], likes ? 0.0f : 1.0f);
    had += has, liked += likes;
  }
  EXPECT_GT(liked, 0);
  EXPECT_GT(had, liked) << "a row of label 0 is a negative like any other";
}

TEST(Positives, TheLogDecidesTheLossAndItIsSaid) {
  const Dataset labelled = known_log(30, 9, 5), data = positives_of(labelled);
  Pool pool(1);
  const auto built = [&](const Dataset& log, const Settings& settings) {
    const Built out({"base", "gmf"}, log, {}, 1, settings);
    return std::pair(out.method->findings(log, pool), out.method->scores_are_chances());
  };
  EXPECT_TRUE(built(labelled, {}).first.as_object().empty());
  const Hearing hearing;
  const Json chosen = built(data, {}).first;
  EXPECT_EQ(chosen.at("loss").as_string(), "pointwise");
  EXPECT_TRUE(chosen.at("loss_chosen_by_log").as_bool());
  ASSERT_EQ(hearing.notes.size(), 1U);
  EXPECT_EQ(hearing.notes[0].find("the log has positives only: loss = pointwise"), 0U) << hearing.notes[0];
  EXPECT_FALSE(built(data, {{"loss", "bpr"}}).first.at("loss_chosen_by_log").as_bool());
  EXPECT_TRUE(built(data, {{"loss", "pointwise"}}).second);
  EXPECT_FALSE(built(data, {{"loss", "softmax"}}).second);
  EXPECT_EQ(error_of<UsageError>([&] {
              built(data, {{"loss", "labels"}});
            }).find("loss = labels needs rows of both"),
            0U);
}

TEST(Positives, MethodsThatNeedBothLabelsRefuseAndNameThoseThatDoNot) {
  const Dataset data = positives_of(known_log(30, 9, 5));
  EXPECT_EQ(methods_for_positives(),
            (std::vector<std::string>{"popularity", "base", "cbr", "ips", "snips", "kd-label", "cause", "recalibration",
                                      "rel-mf", "ubpr", "macr", "pda"}));
  for (const MethodEntry& entry : methods()) {
    const auto method = entry.make();
    if (!method->needs().labels) {
      EXPECT_NO_THROW(check_labels(entry.name, *method, data));
      continue;
    }
    const std::string said = error_of<UsageError>([&] { check_labels(entry.name, *method, data); });
    EXPECT_EQ(said.find(std::string("the method ") + entry.name + " needs rows of both labels"), 0U) << said;
    EXPECT_NE(said.find("popularity, base, cbr"), std::string::npos);
    EXPECT_NE(said.find("kd-label"), std::string::npos) << "valid has both labels";
    Dataset clicks = data;
    std::fill(clicks.valid.label.begin(), clicks.valid.label.end(), 1.0f);
    EXPECT_EQ(error_of<UsageError>([&] { check_labels(entry.name, *method, clicks); }).find("kd-label"),
              std::string::npos);
    EXPECT_NO_THROW(check_labels(entry.name, *method, known_log(30, 9, 5)));
  }
  EXPECT_NE(error_of<DataError>([&] {
              Built({"ips", "gmf"}, data, {}, 1, {{"propensity", "naive-bayes"}});
            }).find("propensity = naive-bayes goes by the label"),
            std::string::npos);
}

TEST(Positives, ScoresAreChancesWhereALossGivesThem) {
  for (const MethodEntry& entry : methods()) {
    const std::string name = entry.name;
    EXPECT_EQ(entry.make()->scores_are_chances(), name != "ubpr" && name != "macr" && name != "pda") << name;
  }
}

}  // namespace
}  // namespace equipoise::test
