// Lists as rows: without names and new items as ever, with them one column more each.
#include "list_output.h"

#include <gtest/gtest.h>

#include "recommender/fixture.h"

namespace equipoise::cli {
namespace {

using test::known_log;

Dataset plain_log() {
  Dataset data = known_log(30, 8, 6, false);
  return data;
}

Dataset rich_log() {
  Dataset data = known_log(30, 8);
  for (std::int32_t i = 0; i < data.items.size(); ++i) data.item_names.push_back("Film, " + std::to_string(i));
  data.item_features.continuous.front().name = "score";
  return data;
}

const std::vector<Recommended> kList = {{2, 1.5f}, {5, 0.25f}};
const std::string kWho = "u,1";

TEST(ListOutputTest, IsPlainForAPlainModel) {
  const auto r = test::some_frozen({"base", "gmf"}, plain_log());
  const ListOutput out(*r, {}, Eligible(), "score", true);
  EXPECT_EQ(out.csv_header("user"), "user,rank,item,score\n");
  std::string csv;
  out.append_csv(csv, &kWho, kList);
  EXPECT_EQ(csv, "\"u,1\",1,i2,1.5\n\"u,1\",2,i5,0.25\n");
  EXPECT_EQ(out.json(kList).dump().substr(0, 43), R"([{"item":"i2","score":1.5,"probability":0.8)");
  EXPECT_EQ(out.table({{"u1", kList}}), (ListOutput::Rows{{"rank", "item", "probability", "score"},
                                                          {"1", "i2", "0.8176", "1.5000"},
                                                          {"2", "i5", "0.5622", "0.2500"}}));
  const ListOutput::Rows two = out.table({{"u1", kList}, {"u2", {{3, 0.0f}}}});
  EXPECT_EQ(two.front().front(), "user");
  EXPECT_EQ(two.back(), (std::vector<std::string>{"u2", "1", "i3", "0.5000", "0.0000"}));
}

TEST(ListOutputTest, HasNamesColumnsAndNewItems) {
  const auto r = test::some_frozen({"base", "gmf"}, rich_log());
  const ListOutput out(*r, {"genre", "score"}, Eligible(), "score", true);
  EXPECT_EQ(out.csv_header("user"), "user,rank,item,score,name,known,genre,item.score\n");
  const std::vector<Recommended> list = {{2, 1.5f}, {7, 0.25f}};  // the last item has no training rows
  std::string csv;
  out.append_csv(csv, nullptr, list);
  EXPECT_TRUE(csv.starts_with("1,i2,1.5,\"Film, 2\",trained,c|a,")) << csv;
  EXPECT_NE(csv.find("2,i7,0.25,\"Film, 7\",features_only,"), std::string::npos) << csv;
  const Json items = out.json(list);
  EXPECT_EQ(items.as_array()[0].at("name").as_string(), "Film, 2");
  EXPECT_EQ(items.as_array()[0].find("known"), nullptr);
  EXPECT_EQ(items.as_array()[0].at("columns").at("genre").as_string(), "c|a");
  EXPECT_EQ(items.as_array()[1].at("known").as_string(), "features_only");
  EXPECT_EQ(out.table({{"u1", list}}).front(),
            (std::vector<std::string>{"rank", "item", "name", "genre", "score", "known", "probability", "score"}));
  EXPECT_EQ(out.table({{"u1", {{2, 1.5f}}}}).front().size(), 7U) << "no new item, no column";
  Eligible old(8);
  old.leave_out(std::vector<std::int32_t>{7});
  EXPECT_EQ(ListOutput(*r, {}, old, "score", true).csv_header("user"), "user,rank,item,score,name\n");
}

TEST(ListOutputTest, SaysNoChanceWhereThereIsNone) {
  const auto r = test::some_frozen({"base", "gmf"}, plain_log());
  const ListOutput out(*r, {}, Eligible(), "score", false);
  EXPECT_TRUE(out.json(kList).as_array()[0].at("probability").is_null());
  EXPECT_EQ(out.table({{"u1", kList}}).front(), (std::vector<std::string>{"rank", "item", "score"}));
  const ListOutput similar(*r, {}, Eligible(), "similarity", false);
  EXPECT_EQ(similar.csv_header(""), "rank,item,similarity\n");
  EXPECT_EQ(similar.json(kList).as_array()[0].find("probability"), nullptr);
}

TEST(ListOutputTest, FormatsHaveNames) {
  EXPECT_EQ(parse_format("jsonl"), Format::jsonl);
  EXPECT_THROW(parse_format("jsonnl"), UsageError);
}

}  // namespace
}  // namespace equipoise::cli
