// Histories against the equation, and what must hold whatever was learned: a row is left out of its own history.
#include "model/history.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "logs.h"
#include "model/rating_model.h"

namespace equipoise::test {
namespace {

constexpr std::size_t kVector = 3;
constexpr double kNear = 1e-6;

HistoryParams params_of(const std::string& parts, int most = 100, const std::string& order = "any") {
  HistoryParams out;
  out.parts = parts, out.most = most, out.order = order;
  return out;
}

/// A history over a log at a random start.
struct World {
  World(const Dataset& log, const HistoryParams& params)
      : data(log),
        items(history_of(data, params, 1)),
        catalogue(catalogue_of(data)),
        history(network, items, catalogue.items, params, kVector, 0.5, Stream(1, "test")) {
    for (TrainedArray& p : network.arrays()) {
      Stream stream(2, p.name());
      p.fill_normal(stream, 0.5);
    }
  }
  std::vector<float> of(const Pairs& pairs, bool gradients = false) {
    Tape tape(pool, gradients);
    const Matrix m = history(tape, pairs).value();
    return {m.data, m.data + m.size()};
  }
  double value(const std::string& table, std::int32_t item, std::size_t c) {
    for (const TrainedArray& p : network.arrays()) {
      if (p.name() == "f/history." + table) return p.values()[static_cast<std::size_t>(item) * kVector + c];
    }
    throw std::logic_error(table);
  }

  Dataset data;
  UserItems items;
  Network network{"f"};
  Pool pool{2};
  Catalogue catalogue;
  History history;
};

Pairs pairs_of(const std::vector<std::int32_t>& users, const std::vector<std::int32_t>& items) {
  return {users, items, {}, {}, {}};
}

Dataset timed_log() {
  Dataset data = known_log(40, 15, 8);
  for (std::size_t t = 0; t < data.train.size(); ++t)
    data.train.timestamp.push_back(static_cast<std::int64_t>(t * 37 % 101));
  return data;
}

/// The first user with at least four items.
std::int32_t busy_user(const UserItems& items) {
  std::int32_t user = 0;
  while (items.of(user).size() < 4) ++user;
  return user;
}

class EveryPart : public ::testing::TestWithParam<const char*> {};

// h_u = |R_u|^(−½) · Σ ( v_j + (y_uj − ȳ)·v'_j ) over R_u without i, by plain loops over the log
TEST_P(EveryPart, IsItsEquation) {
  const std::string parts = GetParam();
  World world(known_log(40, 15, 8), params_of(parts));
  const Rows& log = world.data.train;
  double mean = 0;
  for (const float y : log.label) mean += y / static_cast<double>(log.size());
  std::vector<std::int32_t> users, items;
  for (std::int32_t u = 0; u < 40; ++u) {
    for (std::int32_t i = 0; i < 15; ++i) users.push_back(u), items.push_back(i);
  }
  const std::vector<float> scoring = world.of(pairs_of(users, items)),
                           training = world.of(pairs_of(users, items), true);
  EXPECT_EQ(scoring, training) << "shared sums are the same sums";
  for (std::size_t k = 0; k < users.size(); ++k) {
    for (std::size_t c = 0; c < kVector; ++c) {
      double sum = 0, size = 0;
      for (std::size_t t = 0; t < log.size(); ++t) {
        if (log.user[t] != users[k] || log.item[t] == items[k]) continue;
        size += 1;
        if (parts != "signed") sum += world.value("shown", log.item[t], c);
        if (parts != "shown") sum += (log.label[t] - mean) * world.value("signed", log.item[t], c);
      }
      EXPECT_NEAR(scoring[k * kVector + c], size > 0 ? sum / std::sqrt(size) : 0, 1e-5);
    }
  }
}

TEST_P(EveryPart, ARowsOwnLabelSaysNothingAboutIt) {
  Dataset data = known_log(40, 15, 8);
  World before(data, params_of(GetParam()));
  for (const std::size_t flipped : {std::size_t{0}, std::size_t{17}, data.train.size() - 1}) {
    data.train.label[flipped] = 1 - data.train.label[flipped];
    World after(data, params_of(GetParam()));
    after.items.mean_label = before.items.mean_label;  // at a fixed mean
    const std::vector<std::int32_t> user = {data.train.user[flipped]}, item = {data.train.item[flipped]};
    EXPECT_EQ(before.of(pairs_of(user, item)), after.of(pairs_of(user, item)));
    const std::vector<std::int32_t> other = {(item[0] + 1) % 15};
    if (std::string(GetParam()) != "shown") {
      EXPECT_NE(before.of(pairs_of(user, other)), after.of(pairs_of(user, other))) << "others of the user hear of it";
    }
    data.train.label[flipped] = 1 - data.train.label[flipped];
  }
}

// Folded in, somebody new with the items of a user is that user.
TEST_P(EveryPart, FoldedInIsTrainedWithoutTheRowAndScoredWithAll) {
  for (const char* order : {"any", "last"}) {
    World world(timed_log(), params_of(GetParam(), 5, order));
    const Rows& log = world.data.train;
    const std::vector<std::int32_t> one = {0};
    for (std::size_t t = 0; t < log.size(); t += 7) {
      const std::int32_t user = log.user[t], item = log.item[t];
      std::vector<std::int32_t> items;
      std::vector<float> labels;
      bool older = false;
      for (std::size_t k = 0; k < world.items.of(user).size(); ++k) {
        const std::int32_t own = world.items.of(user)[k];
        if (own != item && (std::string(order) == "any" || older)) {
          items.push_back(own), labels.push_back(world.items.labels_of(user)[k]);
        }
        older = older || own == item;
      }
      Guests guests{{-1}, {}, {}};
      guests.history.add(items, labels);
      const std::vector<std::int32_t> users = {user}, own = {item}, unseen = {world.data.items.size() - 1};
      Pairs folded = pairs_of(one, unseen);
      folded.guests = &guests;
      const std::vector<float> trained = world.of(pairs_of(users, own), true), got = world.of(folded);
      for (std::size_t c = 0; c < kVector; ++c) EXPECT_NEAR(got[c], trained[c], kNear) << order;
      Guests whole{{-1}, {}, {}};
      whole.history.add(world.items.of(user), world.items.labels_of(user));
      folded.guests = &whole;
      const std::vector<float> scored = world.of(pairs_of(users, unseen)), all = world.of(folded);
      for (std::size_t c = 0; c < kVector; ++c) EXPECT_NEAR(all[c], scored[c], kNear) << order;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Parts, EveryPart, ::testing::Values("shown", "signed", "both"));

TEST(History, OfTheNewestItemsOnlyEarlierOnesCount) {
  World world(timed_log(), params_of("shown", 4, "last"));
  const std::int32_t user = busy_user(world.items);
  const auto own = world.items.of(user);
  const std::vector<std::int32_t> users = {user};
  const std::vector<float> oldest = world.of(pairs_of(users, {own.back()}));
  EXPECT_EQ(oldest, std::vector<float>(kVector, 0.0f)) << "nothing was there before the oldest";
  const std::vector<float> last_but_one = world.of(pairs_of(users, {own[own.size() - 2]}));
  for (std::size_t c = 0; c < kVector; ++c) EXPECT_NEAR(last_but_one[c], world.value("shown", own.back(), c), 1e-6);
}

TEST(History, TheCapIsAppliedAfterLeavingOut) {
  World world(timed_log(), params_of("shown", 2));
  const std::int32_t user = busy_user(world.items);
  const auto own = world.items.of(user);
  const auto expect = [&](std::int32_t item, std::int32_t a, std::int32_t b) {
    const std::vector<std::int32_t> users = {user}, items = {item};
    const std::vector<float> got = world.of(pairs_of(users, items));
    for (std::size_t c = 0; c < kVector; ++c) {
      EXPECT_NEAR(got[c], (world.value("shown", a, c) + world.value("shown", b, c)) / std::sqrt(2.0), 1e-6);
    }
  };
  expect(own[0], own[1], own[2]);
  expect(own[3], own[0], own[1]);
  expect(14, own[0], own[1]);  // not the user's
}

TEST(History, AnItemWithoutALabelCountsAsShownOnly) {
  World world(known_log(40, 15, 8), params_of("both"));
  Guests guests{{-1}, {}, {}};
  const std::vector<std::int32_t> item = {4}, one = {0};
  const std::vector<float> unknown = {std::nanf("")};
  guests.history.add(item, unknown);
  const std::vector<std::int32_t> other = {14};
  Pairs pairs = pairs_of(one, other);
  pairs.guests = &guests;
  const std::vector<float> got = world.of(pairs);
  for (std::size_t c = 0; c < kVector; ++c) EXPECT_NEAR(got[c], world.value("shown", 4, c), 1e-6);
}

TEST(History, WhatTheLogLacksIsRefused) {
  Dataset data = known_log(40, 15, 8);
  EXPECT_THROW(history_of(data, params_of("shown", 9, "last"), 1), UsageError) << "no timestamps";
  EXPECT_THROW(history_of(timed_log(), params_of("none", 9, "last"), 1), UsageError) << "nothing to order";
  data.positives_only = true;
  EXPECT_THROW(history_of(data, params_of("both"), 1), UsageError) << "one label only";
  EXPECT_NO_THROW(history_of(data, params_of("shown"), 1));
  EXPECT_TRUE(history_of(data, params_of("none"), 1).empty());
}

// mean over layers of D^(−½) A D^(−½) e, by dense matrices
TEST(Graph, IsThePropagationOfDenseMatrices) {
  const Dataset data = known_log(20, 8, 4);
  HistoryParams params;
  params.graph_layers = 2;
  const UserItems edges = history_of(data, params, 1);
  const auto users = static_cast<std::size_t>(data.users.size()), items = static_cast<std::size_t>(data.items.size());
  TrainedArray u("u", TrainedArray::Kind::table, users, 2), q("q", TrainedArray::Kind::table, items, 2);
  Stream stream(1, "graph");
  u.fill_normal(stream, 1), q.fill_normal(stream, 1);
  Network network("f.graph");
  Graph graph(network, edges, u, q, 2);
  Pool pool(2);
  graph.refresh(pool);
  std::vector<std::vector<double>> a(users, std::vector<double>(items, 0));
  std::vector<double> du(users, 0), dq(items, 0);
  for (std::size_t t = 0; t < data.train.size(); ++t) {
    a[static_cast<std::size_t>(data.train.user[t])][static_cast<std::size_t>(data.train.item[t])] = 1;
  }
  for (std::size_t r = 0; r < users; ++r)
    for (std::size_t i = 0; i < items; ++i) du[r] += a[r][i], dq[i] += a[r][i];
  for (std::size_t c = 0; c < 2; ++c) {
    std::vector<double> eu(users), eq(items), mean_u(users, 0), mean_q(items, 0);
    for (std::size_t r = 0; r < users; ++r) eu[r] = u.values()[r * 2 + c];
    for (std::size_t i = 0; i < items; ++i) eq[i] = q.values()[i * 2 + c];
    for (int layer = 0; layer < 2; ++layer) {
      std::vector<double> nu(users, 0), nq(items, 0);
      for (std::size_t r = 0; r < users; ++r) {
        for (std::size_t i = 0; i < items; ++i) {
          if (a[r][i] == 0) continue;
          nu[r] += eq[i] / std::sqrt(du[r] * dq[i]), nq[i] += eu[r] / std::sqrt(du[r] * dq[i]);
        }
      }
      eu = nu, eq = nq;
      for (std::size_t r = 0; r < users; ++r) mean_u[r] += eu[r] / 2;
      for (std::size_t i = 0; i < items; ++i) mean_q[i] += eq[i] / 2;
    }
    for (std::size_t i = 0; i < items; ++i) EXPECT_NEAR(graph.of_items().values()[i * 2 + c], mean_q[i], 1e-5);
    for (std::size_t r = 0; r < users; ++r) {
      double sum = 0;
      for (std::size_t i = 0; i < items; ++i) sum += a[r][i] * graph.to_users().values()[i * 2 + c];
      EXPECT_NEAR(du[r] > 0 ? sum / std::sqrt(du[r]) : 0, mean_u[r], 1e-5) << "users sum up what items hand on";
    }
  }
}

}  // namespace
}  // namespace equipoise::test
