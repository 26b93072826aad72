// A user is taken out of a model of every method: nothing of the user is left, and everything else is as it was.
#include "recommender/without_user.h"

#include <cstring>

#include "recommender/fixture.h"
#include "recommender/model_file.h"

namespace equipoise::test {
namespace {

constexpr std::int32_t kUser = 4;

// Users have categories and tags, but no numbers: the mean of those is taken over all users.
Dataset log_of_kinds() {
  Dataset data = known_log(30, 8);
  data.user_features.continuous.clear();
  CategoricalField town{"town", false, {"here", "only mine", "there"}, {0}, {}};
  for (std::int32_t u = 0; u < data.users.size(); ++u) {
    town.codes.push_back(u == kUser ? 1 : u % 2 == 0 ? 0 : 2);
    town.offsets.push_back(u + 1);
  }
  data.user_features.categorical.push_back(town);
  return data;
}

class WithoutUser : public ::testing::TestWithParam<Case> {};

TEST_P(WithoutUser, OthersScoreAsBefore) {
  const Dataset data = log_of_kinds();
  BlockFile file = ModelFile::pack(*some_recommender(GetParam(), data));
  const BlockFile before = file;
  const auto old = ModelFile::unpack(before, "before", one_thread());
  const TakenOut out = take_user_out(file, *old, kUser);
  const auto now = Recommender::from_bytes(file.serialise(), "after", one_thread());
  EXPECT_EQ(now->users().size(), 29);
  EXPECT_EQ(now->users().find(data.users.name(kUser)), -1);
  EXPECT_EQ(file.serialise().find("only mine"), std::string::npos) << "a value that nobody else has";
  EXPECT_EQ(out.values, 1);
  EXPECT_EQ(out.items, std::ssize(old->seen().of(kUser)));
  for (std::int32_t u = 0; u < data.users.size(); ++u) {
    if (u == kUser) continue;
    const std::int32_t number = now->users().find(data.users.name(u));
    ASSERT_EQ(number, u < kUser ? u : u - 1);
    const auto seen = old->seen().of(u), still = now->seen().of(number);
    EXPECT_TRUE(std::equal(seen.begin(), seen.end(), still.begin(), still.end()));
    for (const std::int32_t i : {0, 3, 7}) EXPECT_EQ(score_one(*now, number, i), score_one(*old, u, i)) << u;
  }
}

TEST_P(WithoutUser, ArraysWithoutUsersAreTheSameBytes) {
  const Dataset data = log_of_kinds();
  BlockFile file = ModelFile::pack(*some_recommender(GetParam(), data));
  const BlockFile before = file;
  const TakenOut out = take_user_out(file, *ModelFile::unpack(before, "before", one_thread()), kUser);
  std::int64_t changed = 0;
  for (const auto& [name, block] : before.blocks()) {
    const std::string after = file.block(name).bytes;
    const bool of_users = name.starts_with("user.") || name.starts_with("seen.") || name.starts_with("history.") ||
                          name.find("/user.") != std::string::npos;
    EXPECT_TRUE(of_users || after == block.bytes) << name;
    const bool row = name.find("/user.") != std::string::npos && name.find("/user.field.") == std::string::npos;
    changed += row && after != block.bytes ? 1 : 0;
  }
  EXPECT_EQ(changed, out.arrays);
}

INSTANTIATE_TEST_SUITE_P(Table, WithoutUser, ::testing::ValuesIn(cases()), case_name);

TEST(WithoutUser, TheRowsOfOthersMoveUp) {
  const Dataset data = known_log(30, 8);
  BlockFile file = ModelFile::pack(*some_recommender({"base", "gmf"}, data));
  const auto old = ModelFile::unpack(file, "before", one_thread());
  const std::vector<float> ages = file.values<float>("user.feature.2");
  take_user_out(file, *old, kUser);
  const std::vector<float> left = file.values<float>("user.feature.2");
  ASSERT_EQ(left.size(), 29U);
  EXPECT_EQ(std::memcmp(left.data(), ages.data(), kUser * sizeof(float)), 0);
  EXPECT_EQ(std::memcmp(left.data() + kUser, ages.data() + kUser + 1, 25 * sizeof(float)), 0);
}

TEST(WithoutUser, HistoriesGoToo) {
  const Dataset data = log_of_kinds();
  auto recipe = std::make_unique<Recipe>("base", "gmf");
  recipe->params().set("history", "both");
  BlockFile file = ModelFile::pack(Recommender(std::move(recipe), data, 1));
  const auto old = ModelFile::unpack(file, "before", one_thread());
  take_user_out(file, *old, kUser);
  const auto now = ModelFile::unpack(file, "after", one_thread());
  const std::size_t before = old->catalogue().history.items.size(), own = old->items_of(kUser).items.size();
  EXPECT_EQ(now->catalogue().history.items.size(), before - own);
  for (const std::int32_t u : {3, 5, 20}) {
    for (const std::int32_t i : {0, 3, 7}) EXPECT_EQ(score_one(*now, u < kUser ? u : u - 1, i), score_one(*old, u, i));
  }
}

TEST(WithoutUser, AHeldOutUserIsCountedNoMore) {
  Dataset data = known_log(30, 8);
  data.held_out_users = 2;
  BlockFile file = ModelFile::pack(*some_recommender({"base", "gmf"}, data));
  take_user_out(file, *ModelFile::unpack(file, "before", one_thread()), 29);
  EXPECT_EQ(ModelFile::unpack(file, "after", one_thread())->catalogue().users.held_out, 1);
  take_user_out(file, *ModelFile::unpack(file, "before", one_thread()), 3);
  EXPECT_EQ(ModelFile::unpack(file, "after", one_thread())->catalogue().users.held_out, 1);
}

}  // namespace
}  // namespace equipoise::test
