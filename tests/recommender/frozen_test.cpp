// A frozen recommender: the same as a loaded one, and the same answers to eight threads at once as to one.
#include "data/temp_folder.h"
#include "recommender/aligned.h"
#include "recommender/fixture.h"

namespace equipoise::test {
namespace {

struct Answers {
  std::vector<float> scores;
  std::vector<std::pair<std::int32_t, float>> lists;
  bool operator==(const Answers&) const = default;
};

// Scores and lists of some users, one by one and many at once.
Answers ask(const Recommender& r, Pool& pool) {
  Answers out;
  std::vector<std::int32_t> users, items;
  for (std::int32_t k = 0; k < 300; ++k) users.push_back(k * 7 % 41 - 1), items.push_back(k * 5 % 61 - 1);
  out.scores.resize(users.size());
  r.score(users, items, out.scores, pool);
  const auto keep = [&](std::size_t, std::span<const Recommended> list) {
    for (const Recommended& best : list) out.lists.emplace_back(best.item, best.score);
  };
  r.top_k(std::span(users).first(20), {7, false, {}}, pool, keep);
  for (const std::int32_t user : {0, 13, -1}) keep(0, r.top_k(user, {5, true, {}}, pool));
  return out;
}

class Frozen : public ::testing::TestWithParam<Case> {};

TEST_P(Frozen, IsAsLoadedAndSavesTheSameBytes) {
  const Dataset data = known_log(40, 60);
  const auto trained = some_recommender(GetParam(), data);
  const std::string bytes = trained->bytes();
  const auto frozen = some_frozen(GetParam(), data);
  const auto loaded = Recommender::from_bytes(bytes, "bytes", one_thread());
  EXPECT_TRUE(frozen->bytes() == bytes);
  EXPECT_TRUE(loaded->bytes() == bytes);
  EXPECT_EQ(ask(*frozen, one_thread()), ask(*loaded, one_thread()));
  const TempFolder folder;
  loaded->save(folder / "model");
  EXPECT_TRUE(read_file(folder / "model") == bytes);
}

TEST_P(Frozen, HoldsNothingThatOnlyTrainingNeeds) {
  const auto frozen = some_frozen(GetParam(), known_log(40, 60));
  for (const Network& network : frozen->networks().all()) {
    for (const TrainedArray& p : network.arrays()) {
      EXPECT_EQ(p.memory1.capacity() + p.memory2.capacity() + p.touched().capacity(), 0U) << p.name();
      EXPECT_FALSE(p.moves) << p.name();
    }
  }
}

// Mixed questions, some of them on pools of their own.
TEST_P(Frozen, EightThreadsGetTheAnswersOfOne) {
  const auto frozen = some_frozen(GetParam(), known_log(40, 60));
  const Answers expected = ask(*frozen, one_thread());
  Pool callers(8);
  std::vector<int> wrong(32, 0);
  callers.run(32, [&](std::size_t call) {
    if (call % 4 == 0) {
      Pool own(2);
      wrong[call] = ask(*frozen, own) == expected ? 0 : 1;
    } else {
      wrong[call] = ask(*frozen, one_thread()) == expected ? 0 : 1;
    }
  });
  EXPECT_EQ(std::count(wrong.begin(), wrong.end(), 1), 0);
}

INSTANTIATE_TEST_SUITE_P(Table, Frozen, ::testing::ValuesIn(cases()), case_name);

TEST(AlignedTest, CountsThePairsThatTheModelWasTrainedOn) {
  const Dataset data = known_log(40, 60);
  const auto r = some_frozen({"base", "gmf"}, data);
  const Aligned aligned(*r, data, one_thread());
  EXPECT_EQ(aligned.trained_on(data.train), static_cast<std::int64_t>(data.train.size()));
  Rows none;
  EXPECT_EQ(aligned.trained_on(none), 0);
}

}  // namespace
}  // namespace equipoise::test
