// Lists as people ask for them: ids from files, names and columns of items, figures of all lists, chances, factors.
#include <gtest/gtest.h>

#include <cstring>

#include "app/export.h"
#include "app/item_text.h"
#include "app/recommend.h"
#include "app/score.h"
#include "core/error.h"
#include "core/file.h"
#include "data/temp_folder.h"
#include "recommender/fixture.h"
#include "stopping.h"

namespace equipoise::test {
namespace {

Dataset odd_log() {
  Dataset data = known_log(30, 8);
  std::vector<std::string> ids = data.items.names();
  ids[2] = "two, or \"2\"";
  data.items = IdMap(ids);
  for (const std::string& id : ids) data.item_names.push_back("Film " + id);
  return data;
}

TEST(ItemChoice, TakesIdsFromFilesTooWhateverTheyHold) {
  const TempFolder folder;
  const auto r = some_frozen({"base", "gmf"}, odd_log());
  RecommendParams params;
  params.candidates = "i1,i3";
  params.candidates_file = folder.file("c.csv", "item,note\n\"two, or \"\"2\"\"\",x\ni5,y\n");
  params.exclude_file = folder.file("e.csv", "item\ni3\n");
  params.include_seen = true;
  const ListQuery query = query_of(*r, params.request());
  EXPECT_TRUE(query.include_seen);
  EXPECT_EQ(query.eligible.items(), (std::vector<std::int32_t>{1, 2, 5}));
  EXPECT_EQ(params.inputs(), (std::vector<std::string>{params.candidates_file, params.exclude_file}));
  params.exclude_file = folder.file("no.csv", "user\ni3\n");
  EXPECT_THROW(params.request(), DataError);
}

TEST(ItemChoice, QuotesHoldWhatWouldSeparate) {
  const auto r = some_frozen({"base", "gmf"}, odd_log());
  RecommendParams params;
  params.candidates = R"(i1, "two, or ""2""" ,i5)";
  EXPECT_EQ(query_of(*r, params.request()).eligible.items(), (std::vector<std::int32_t>{1, 2, 5}));
  params.filter = R"(genre="a;b, c",d;price=1)";
  const ListRequest request = params.request();
  ASSERT_EQ(request.filter.size(), 2U);
  EXPECT_EQ(request.filter[0].second, (std::vector<std::string>{"a;b, c", "d"}));
  EXPECT_EQ(request.filter[1].first, "price");
  params.filter = "genre=\"a";
  EXPECT_NE(error_of<UsageError>([&] { params.request(); }).find("filter: a quote is not closed"), std::string::npos);
}

TEST(ItemChoice, FilesOfIdsAreReadAsLogsAre) {
  const TempFolder folder;
  const auto r = some_frozen({"base", "gmf"}, odd_log());
  RecommendParams params;
  params.candidates_file = folder.file("c.csv", "note;Item\r\nx;i1\r\ny;i3\r\n");
  EXPECT_EQ(query_of(*r, params.request()).eligible.items(), (std::vector<std::int32_t>{1, 3}));
}

TEST(ItemTextTest, HasNamesColumnsAndWhatIsNew) {
  const Dataset data = odd_log();
  const auto r = some_frozen({"base", "gmf"}, data);
  const ItemText text(*r, {"price", "genre"});
  EXPECT_EQ(text.name(2), "Film two, or \"2\"");
  EXPECT_EQ(text.values(2).size(), 2U);
  EXPECT_EQ(text.values(2)[1], "c|a") << "two tags";
  EXPECT_EQ(text.values(4)[0], "") << "missing";
  EXPECT_EQ(text.values(0)[1], "") << "no tag";
  EXPECT_TRUE(text.is_new(7));
  EXPECT_EQ(text.known(7), "features_only");
  EXPECT_FALSE(text.is_new(1));
  EXPECT_TRUE(text.any_new(Eligible(8)));
  Eligible old(8);
  old.leave_out(std::vector<std::int32_t>{7});
  EXPECT_FALSE(text.any_new(old));
  EXPECT_NE(error_of<UsageError>([&] { ItemText(*r, {"gendre"}); }).find("genre"), std::string::npos);
  EXPECT_FALSE(ItemText(*some_frozen({"mean", ""}, data), {}).is_new(7)) << "its method uses no features";
}

TEST(SimilarTest, NeedsAnItemThatIsKnown) {
  const auto r = some_frozen({"base", "gmf"}, odd_log());
  ListRequest request;
  request.k = 3;
  request.filter = {{"genre", {"a"}}};
  const auto list = similar(*r, "i1", request, one_thread());
  ASSERT_FALSE(list.empty());
  for (const Recommended& one : list) {
    EXPECT_NE(ItemText(*r, {"genre"}).values(one.item)[0].find('a'), std::string::npos);
  }
  EXPECT_THROW(similar(*r, "i99", request, one_thread()), UsageError);
}

TEST(Variety, IsSaidAndWarnedOf) {
  const auto r = some_frozen({"base", "gmf"}, odd_log());
  Hearing hearing;
  say_how_lists_vary(*r, {10, 4, 0.25, 2, 9});
  ASSERT_EQ(hearing.notes.size(), 1U);
  EXPECT_NE(hearing.notes[0].find("10 users hold 4 different items; those of two users differ in 25%"),
            std::string::npos);
  ASSERT_EQ(hearing.warnings.size(), 1U);
  EXPECT_NE(hearing.warnings[0].find("(Film two, or \"2\") is in 9 of 10 lists"), std::string::npos);
  say_how_lists_vary(*r, {10, 4, 0.25, 2, 5});
  EXPECT_EQ(hearing.warnings.size(), 1U) << "half of the lists is not most of them";
  EXPECT_EQ(variety_json(*r, {10, 4, 0.25, 2, 9}).at("most_listed").as_string(), "two, or \"2\"");
}

class Chances : public ::testing::TestWithParam<Case> {};

TEST_P(Chances, AreGivenWhereScoresAreChances) {
  const auto r = some_frozen(GetParam(), known_log(30, 8));
  const NumberedPairs pairs{{1, 2}, {3, 4}};
  std::vector<float> out(2);
  if (!r->recipe().method().scores_are_chances()) {
    EXPECT_THROW(score(*r, pairs, {.probability = true}, out, one_thread()), UsageError);
    EXPECT_NO_THROW(score(*r, pairs, {}, out, one_thread()));
    return;
  }
  score(*r, pairs, {.probability = true}, out, one_thread());
  for (const float chance : out) EXPECT_TRUE(chance > 0 && chance < 1);
}

INSTANTIATE_TEST_SUITE_P(Table, Chances, ::testing::ValuesIn(cases()), case_name);

TEST(ExportFactors, WritesWholeFoldersAndReplacesItsOwnOnly) {
  const TempFolder folder;
  const auto r = some_frozen({"base", "gmf"}, odd_log());
  const std::string out = folder / "factors";
  const Json said = export_factors(*r, out, false, one_thread());
  EXPECT_TRUE(said.at("product_is_score").as_bool());
  EXPECT_EQ(said.at("users").at("rows").as_int(), 30);
  EXPECT_EQ(parse_json(read_file(out + "/items.json"), "items").as_array()[2].as_string(), "two, or \"2\"");
  EXPECT_EQ(parse_json(read_file(out + "/item_names.json"), "names").as_array()[0].as_string(), "Film i0");
  const std::string bytes = read_file(out + "/items.npy");
  ASSERT_EQ(bytes.size(), 128 + 8 * 66 * sizeof(float));
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_NE(bytes.find("'shape': (8, 66)"), std::string::npos);
  float one = 0;  // of the first item: [q, 1, b_i]
  std::memcpy(&one, bytes.data() + 128 + 64 * sizeof(float), sizeof one);
  EXPECT_EQ(one, 1.0f);
  write_file(out + "/notes.txt", "mine");
  const auto mlp = some_frozen({"base", "mlp"}, known_log(30, 8));
  EXPECT_FALSE(export_factors(*mlp, out, false, one_thread()).at("product_is_score").as_bool());
  EXPECT_EQ(read_file(out + "/notes.txt"), "mine");
  EXPECT_FALSE(file_exists(out + "/item_names.json")) << "of the model before";
}

TEST(ExportFactors, SaysWhereAHistoryMakesAScoreAnother) {
  const TempFolder folder;
  auto recipe = std::make_unique<Recipe>("base", "gmf");
  recipe->params().set("history", "shown");
  const auto r = Recommender::frozen(std::make_unique<Recommender>(std::move(recipe), odd_log(), 1), one_thread());
  const std::string said = export_factors(*r, folder / "factors", false, one_thread()).at("meaning").as_string();
  EXPECT_NE(said.find("leaves it out of the user's history"), std::string::npos) << said;
}

TEST(ExportFactors, LeavesForeignFoldersAlone) {
  const TempFolder folder;
  folder.file("something", "else");
  const auto r = some_frozen({"base", "gmf"}, odd_log());
  EXPECT_THROW(export_factors(*r, folder.path(), false, one_thread()), UsageError);
  EXPECT_FALSE(file_exists(folder / "users.npy"));
  EXPECT_NO_THROW(export_factors(*r, folder.path(), true, one_thread()));
  EXPECT_EQ(read_file(folder / "something"), "else");
  EXPECT_THROW(export_factors(*r, folder / "something", false, one_thread()), UsageError);
  const auto counts = some_frozen({"popularity", ""}, odd_log());
  EXPECT_THROW(export_factors(*counts, folder / "new", false, one_thread()), UsageError);
  EXPECT_FALSE(file_exists(folder / "new"));
}

}  // namespace
}  // namespace equipoise::test
