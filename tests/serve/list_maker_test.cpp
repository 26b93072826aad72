// Lists made together are those that `recommend` gives one by one, whoever else waits.
#include "serve/list_maker.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/audience.h"
#include "core/error.h"
#include "recommender/fixture.h"

namespace equipoise::test {
namespace {

struct Made {
  explicit Made(const Case& c, double cache_seconds = 0, const char* explore = "none")
      : policy(Policy::parse(explore), 1), cache(cache_seconds, 100) {
    auto fresh = std::make_shared<ServedModel>();
    fresh->name = "m";
    fresh->recommender = some_frozen(c, known_log(40, 24), 1, {{"history", "both"}});
    model = fresh;
  }
  ListJob job(const std::string& user, std::size_t k = 5) const {
    ListJob out;
    out.model = model.get();
    out.user = user;
    out.asked.request.k = k;
    out.id = "id" + user + std::to_string(k);
    return out;
  }
  void make(std::vector<ListJob>& jobs) {
    std::vector<ListJob*> all;
    for (ListJob& one : jobs) all.push_back(&one);
    maker.make(all);
  }
  const Recommender& recommender() const { return *model->recommender; }

  std::shared_ptr<const ServedModel> model;
  ListPolicy policy, greedy{Policy{}, 1};
  FeedbackMemory memory{100};
  ListCache cache;
  ListMaker maker{policy, greedy, memory, cache};
};

// What the command line would say.
std::vector<Recommended> plainly(const Made& made, const ListJob& job, const std::string& history = "") {
  const Audience audience = audience_of(made.recommender(), {job.user}, {history, "", ""});
  ListQuery query = query_of(made.recommender(), job.asked.request);
  query.guests = audience.given();
  return made.recommender().top_k(audience.numbers[0], query, one_thread());
}

void expect_same(const std::vector<Recommended>& list, const std::vector<Recommended>& expected) {
  ASSERT_EQ(list.size(), expected.size());
  for (std::size_t n = 0; n < list.size(); ++n) {
    EXPECT_EQ(list[n].item, expected[n].item) << n;
    EXPECT_EQ(list[n].score, expected[n].score) << n;
  }
}

TEST(ListMakerTest, ManyTogetherAreAsOneByOne) {
  for (const Case& c : {Case{"base", "gmf"}, Case{"base", "mlp"}}) {
    Made made(c);
    std::vector<ListJob> jobs;
    for (int u = 0; u < 30; ++u) {
      jobs.push_back(made.job("u" + std::to_string(u), static_cast<std::size_t>(3 + u % 3)));
      jobs.back().asked.request.include_seen = u % 4 == 0;
      if (u % 5 == 1) jobs.back().asked.request.exclude = {"i1", "i2", "i3"};
      if (u % 5 == 2) jobs.back().asked.request.candidates = {"i4", "i5", "i6", "i7", "nobody"};
      if (u % 5 == 3) jobs.back().asked.request.filter = {{"genre", {"a"}}};
    }
    jobs.push_back(made.job("stranger"));
    made.make(jobs);
    for (const ListJob& job : jobs) {
      expect_same(job.list, plainly(made, job));
      for (const Chances& one : job.chances) EXPECT_EQ(one.in_list, 1);
      EXPECT_GE(job.eligible, static_cast<std::int64_t>(job.list.size()));
    }
    EXPECT_STREQ(jobs.back().known, "nothing");
  }
}

TEST(ListMakerTest, FeedbackCountsAsHistory) {
  Made made({"base", "gmf"});
  const ServedFeedback told[] = {{"r", "u1", "i3", 1, 7}, {"r", "u1", "i9", 0, 9}};
  made.memory.remember(told);
  std::vector<ListJob> jobs = {made.job("u1"), made.job("u2"), made.job("u1", 4), made.job("")};
  jobs[3].asked.history = {{"i3", 1}, {"i9", std::nanf("")}};
  made.make(jobs);
  expect_same(jobs[0].list, plainly(made, jobs[0], "i3:1,i9:0"));
  expect_same(jobs[1].list, plainly(made, jobs[1]));
  expect_same(jobs[2].list, plainly(made, jobs[2], "i3:1,i9:0"));
  expect_same(jobs[3].list, plainly(made, jobs[3], "i3:1,i9"));
  EXPECT_STREQ(jobs[3].known, "history");
  EXPECT_EQ(jobs[0].told.items.size(), 2U) << "for the log";
  EXPECT_EQ(jobs[2].told.until, 9);
  EXPECT_TRUE(jobs[1].told.items.empty());
  for (const Recommended& one : jobs[0].list) EXPECT_NE(made.recommender().items().name(one.item), "i3");
}

TEST(ListMakerTest, TheCacheGivesTheSameListsAndTheirAge) {
  Made made({"base", "gmf"}, 100, "epsilon=0.5");
  std::vector<ListJob> first = {made.job("u1"), made.job("u2"), made.job("stranger")};
  std::vector<ListJob> second = first;
  made.make(first);
  made.make(second);
  EXPECT_FALSE(first[0].age);
  EXPECT_TRUE(second[0].age && *second[0].age >= 0);
  EXPECT_FALSE(second[2].age) << "strangers are not kept: there may be any number of them";
  for (std::size_t n = 0; n < first.size(); ++n) {
    expect_same(second[n].list, first[n].list);
    EXPECT_EQ(second[n].chances[0].in_list, first[n].chances[0].in_list);
  }
  EXPECT_EQ(made.maker.cache_hits(), 2U);
  const ServedFeedback told[] = {{"r", "u1", made.recommender().items().name(first[0].list[0].item), 1, 0}};
  made.memory.remember(told);
  std::vector<ListJob> third = {made.job("u1")};
  made.make(third);
  EXPECT_FALSE(third[0].age) << "the user has told something since";
}

// The chances that are logged are those of draws over all that may be shown, with the scores that `score` gives.
TEST(ListMakerTest, DrawnListsHaveTrueFrequenciesAndScores) {
  Made made({"base", "gmf"}, 0, "epsilon=0.6");
  std::vector<double> shown(24), expected(24);
  constexpr int kLists = 20000;
  for (int n = 0; n < kLists; ++n) {
    std::vector<ListJob> jobs = {made.job("u1", 3)};
    jobs[0].id = "draw" + std::to_string(n);
    jobs[0].asked.request.exclude = {"i2"};
    made.make(jobs);
    for (std::size_t place = 0; place < jobs[0].list.size(); ++place) {
      const Recommended& one = jobs[0].list[place];
      ++shown[static_cast<std::size_t>(one.item)];
      expected[static_cast<std::size_t>(one.item)] = jobs[0].chances[place].in_list;
      if (n < 50) {
        EXPECT_EQ(one.score, score_one(made.recommender(), made.recommender().users().find("u1"), one.item));
      }
    }
  }
  EXPECT_EQ(shown[static_cast<std::size_t>(made.recommender().items().find("i2"))], 0);
  for (std::size_t item = 0; item < shown.size(); ++item) {
    const double p = expected[item], spread = std::sqrt(kLists * p * (1 - p));
    EXPECT_NEAR(shown[item], kLists * p, 5 * spread + 1e-9) << item;
  }
}

TEST(ListMakerTest, WithoutExplorationTheBestAreShown) {
  Made made({"base", "gmf"}, 0, "epsilon=1");
  std::vector<ListJob> jobs = {made.job("u1")};
  jobs[0].explore = false;
  made.make(jobs);
  expect_same(jobs[0].list, plainly(made, jobs[0]));
}

TEST(ListMakerTest, RefusesWhatTheModelHasNot) {
  Made made({"base", "gmf"});
  std::vector<ListJob> jobs = {made.job("u1")};
  jobs[0].asked.request.filter = {{"gendre", {"a"}}};
  EXPECT_THROW(made.make(jobs), UsageError);
}

}  // namespace
}  // namespace equipoise::test
