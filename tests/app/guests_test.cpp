// Guests as people describe them: what is given comes before what the model has, and what is of no use is said.
#include "app/guests.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "app/audience.h"
#include "app/recommend.h"
#include "app/score.h"
#include "core/error.h"
#include "data/temp_folder.h"
#include "recommender/fixture.h"
#include "stopping.h"

namespace equipoise::test {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

std::unique_ptr<const Recommender> model_with(const Settings& settings, const Dataset& data) {
  auto recipe = std::make_unique<Recipe>("base", "gmf");
  for (const auto& [name, value] : settings) recipe->params().set(name, value);
  auto out = std::make_unique<Recommender>(std::move(recipe), data, 1);
  Stream stream(1, "fixture");
  for (Network& network : out->networks().all()) {
    for (TrainedArray& p : network.arrays()) {
      for (float& v : p.values()) v += static_cast<float>(0.3 * stream.normal());
    }
  }
  return Recommender::frozen(std::move(out), one_thread());
}

float score_guest(const Recommender& r, const Guests& guests, std::int32_t item) {
  const std::int32_t guest = 0;
  float out = 0;
  r.score(std::span(&guest, 1), std::span(&item, 1), std::span(&out, 1), one_thread(), &guests);
  return out;
}

bool any_says(const std::vector<std::string>& lines, const std::string& words) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const auto& line) { return line.find(words) != std::string::npos; });
}

TEST(GuestBookTest, AUserOfTheModelBeginsWithWhatTheModelHas) {
  const Dataset data = known_log(30, 12);
  for (const char* parts : {"none", "both"}) {
    const auto r = model_with({{"history", parts}}, data);
    GuestBook book(*r);
    EXPECT_EQ(book.guest("u4"), 0);
    EXPECT_EQ(book.guest("u4"), 0) << "once";
    EXPECT_EQ(book.guest("u9"), 1);
    EXPECT_EQ(book.find("u8"), -1);
    const Guests guests = book.guests();
    for (std::int32_t item = 0; item < 12; ++item) EXPECT_EQ(score_guest(*r, guests, item), score_one(*r, 4, item));
    EXPECT_STREQ(known_of(*r, guests, 0), "trained");
  }
}

TEST(GuestBookTest, TheNewestIsFirstAndCountsOnce) {
  const auto r = model_with({{"history", "both"}}, known_log(30, 24, 12));
  const UserItems before = r->items_of(4);
  ASSERT_GE(before.items.size(), 2U);
  GuestBook book(*r);
  book.guest("u4");
  const std::string again = r->items().name(before.items.back());
  book.give(0, again, 0);
  book.give(0, again, 1);
  book.give(0, "i23", kUnknown);
  const UserItems now = book.guests().history;
  ASSERT_EQ(now.items.size(), before.items.size() + 1);
  EXPECT_EQ(now.items[0], 23);
  EXPECT_TRUE(std::isnan(now.labels[0]));
  EXPECT_EQ(now.items[1], before.items.back());
  EXPECT_EQ(now.labels[1], 1.0f) << "the newer label";
  EXPECT_EQ(now.items[2], before.items[0]);
}

TEST(GuestBookTest, SomebodyNewWithAUsersItemsHasThatUsersScores) {
  Dataset data = known_log(30, 24, 12);
  data.user_features = {};
  const auto r = model_with({{"history", "both"}, {"ids", "false"}, {"biases", "false"}}, data);
  const UserItems own = r->items_of(4);
  GuestBook book(*r);
  book.guest("");
  for (std::size_t k = own.items.size(); k-- > 0;) book.give(0, r->items().name(own.items[k]), own.labels[k]);
  const Guests guests = book.guests();
  for (std::int32_t item = 0; item < 24; ++item) {
    EXPECT_NEAR(score_guest(*r, guests, item), score_one(*r, 4, item), 1e-6);
  }
  EXPECT_STREQ(known_of(*r, guests, 0), "history");
}

TEST(GuestBookTest, FeaturesStandInThePlaceOfTheModelsOwn) {
  const Dataset data = known_log(30, 12);
  const auto r = model_with({{"ids", "false"}, {"biases", "false"}}, data);
  const auto told = [&](const std::string& who, std::initializer_list<std::pair<const char*, const char*>> features) {
    GuestBook book(*r);
    book.guest(who);
    for (const auto& [name, value] : features) book.tell(0, name, value);
    return book.guests();
  };
  const Guests same = told("u5", {{"colour", "green"}, {"likes", "c|a"}});  // what the log has of user 5
  EXPECT_FLOAT_EQ(score_guest(*r, same, 3), score_one(*r, 5, 3));
  EXPECT_NE(score_guest(*r, told("u5", {{"colour", "red"}}), 3), score_one(*r, 5, 3));
  EXPECT_NE(score_guest(*r, told("u5", {{"age", "77"}}), 3), score_one(*r, 5, 3));
  EXPECT_NE(score_guest(*r, told("u5", {{"colour", ""}}), 3), score_one(*r, 5, 3)) << "not known any more";
  EXPECT_STREQ(known_of(*r, told("", {{"colour", "red"}}), 0), "features_only");
  EXPECT_NE(error_of<UsageError>([&] { told("u5", {{"color", "red"}}); }).find("colour"), std::string::npos);
  EXPECT_NE(error_of<UsageError>([&] { told("u5", {{"colour", "gren"}}); }).find("green"), std::string::npos);
  EXPECT_NE(error_of<UsageError>([&] { told("u5", {{"age", "old"}}); }).find("is a number"), std::string::npos);
  const auto without = model_with({{"features", "false"}}, data);
  GuestBook book(*without);
  book.guest("u5");
  book.tell(0, "colour", "red");
  EXPECT_THROW(book.guests(), UsageError);
}

TEST(GuestBookTest, SaysWhatIsOfNoUse) {
  const Dataset data = known_log(30, 12);
  const auto r = model_with({{"history", "none"}}, data);
  const Hearing hearing;
  GuestBook book(*r);
  book.guest("u4");
  book.give(0, "nothing", 1);
  book.give(0, "i11", 1);
  const Guests guests = book.guests();
  EXPECT_TRUE(any_says(hearing.warnings, "1 of 2 items that users have are unknown to the model, first \"nothing\""));
  EXPECT_TRUE(any_says(hearing.notes, "trained without history"));
  EXPECT_EQ(score_guest(*r, guests, 3), score_one(*r, 4, 3));
  ListQuery query{12, false, Eligible(12), &guests};
  for (const Recommended& one : r->top_k(0, query, one_thread())) EXPECT_NE(one.item, 11) << "left out";
  EXPECT_THROW(book.give(0, "i1", 4), UsageError);
}

TEST(AudienceTest, IsReadFromTextsAndFiles) {
  Dataset data = known_log(30, 12);
  std::vector<std::string> ids = data.items.names();
  ids[3] = "a:1";
  data.items = IdMap(ids);
  const auto r = model_with({{"history", "both"}}, data);
  const TempFolder folder;
  const std::string rows = folder.file("more.csv", "user,item,label\nnew,i7,1\nu2,i8,\nothers,i1,0\n");
  EXPECT_FALSE(audience_of(*r, {"u2", "zz"}, {}).guests);
  EXPECT_EQ(audience_of(*r, {"u2", "zz"}, {}).numbers, (std::vector<std::int32_t>{2, -1}));
  const Audience two = audience_of(*r, {"u2", "new", "u2"}, {.more_rows = rows});
  EXPECT_EQ(two.numbers, (std::vector<std::int32_t>{0, 1, 0}));
  EXPECT_EQ(two.guests->user, (std::vector<std::int32_t>{2, -1}));
  EXPECT_EQ(two.guests->history.of(0)[0], 8);
  EXPECT_TRUE(std::isnan(two.guests->history.labels_of(0)[0]));
  EXPECT_EQ(two.guests->history.of(1).size(), 1U);
  EXPECT_STREQ(known_of(*r, two, 1), "history");
  const Audience one = audience_of(*r, {""}, {.history = "a:1, i2:0,i5", .features = "colour=red"});
  EXPECT_EQ(std::vector<std::int32_t>(one.guests->history.items), (std::vector<std::int32_t>{5, 2, 3}));
  EXPECT_TRUE(std::isnan(one.guests->history.labels[2])) << "a:1 is an item";
  EXPECT_EQ(one.guests->history.labels[1], 0.0f);
  EXPECT_EQ(one.guests->features.rows, 1);
  EXPECT_THROW(audience_of(*r, {"u1", "u2"}, {.history = "i2"}), UsageError);
  EXPECT_THROW(audience_of(*r, {"u1"}, {.history = "i2:often"}), UsageError);
  EXPECT_THROW(audience_of(*r, {"u1"}, {.features = "colour"}), UsageError);
  const std::string stars = folder.file("stars.csv", "user,item,label\nu2,i8,5\n");
  const std::string text = error_of<DataError>([&] { audience_of(*r, {"u2"}, {.more_rows = stars}); });
  EXPECT_NE(text.find("stars.csv:2:7: expected a label from 0 to 1"), std::string::npos) << text;
}

TEST(AudienceTest, EverybodyIncludesThoseWhomRowsBring) {
  const auto r = model_with({{"history", "shown"}}, known_log(30, 12));
  const TempFolder folder;
  const std::string rows = folder.file("more.csv", "User;Item\nnew;i7\nu2;i8\nnew;i1\nother;i2\n");
  std::vector<std::string> ids = r->users().names(), newcomers;
  const Audience all = audience_of(*r, ids, {.more_rows = rows}, &newcomers);
  EXPECT_EQ(newcomers, (std::vector<std::string>{"new", "other"}));
  ASSERT_EQ(all.numbers.size(), ids.size() + 2);
  EXPECT_STREQ(known_of(*r, all, ids.size()), "history");
  EXPECT_EQ(all.guests->history.of(all.numbers[ids.size()]).size(), 2U);
  EXPECT_EQ(audience_of(*r, ids, {.more_rows = rows}).numbers.size(), ids.size()) << "others are passed over";
}

TEST(AudienceTest, WhoIsColdIsSaid) {
  const auto r = model_with({{"history", "shown"}}, known_log(30, 12));
  const auto heard = [&](const std::vector<std::string>& ids, const BesideTheModel& beside) {
    const Hearing hearing;
    say_who_is_cold(*r, audience_of(*r, ids, beside), ids);
    return hearing.warnings.empty() ? "" : hearing.warnings.back();
  };
  EXPECT_EQ(heard({"u1"}, {}), "");
  EXPECT_NE(heard({"zz"}, {}).find("user \"zz\" has no training rows: recommended from what is common"),
            std::string::npos);
  EXPECT_NE(heard({""}, {.history = "i1"}).find("somebody new has no training rows: recommended from the items"),
            std::string::npos);
  const TempFolder folder;
  const std::string rows = folder.file("more.csv", "user,item\nzz,i7\n");
  EXPECT_NE(heard({"u1", "zz", "yy"}, {.more_rows = rows})
                .find("of 3 users 2 have no training rows: 1 are recommended "
                      "to from the items that were given"),
            std::string::npos);
}

class GuestsOf : public ::testing::TestWithParam<Case> {};

TEST_P(GuestsOf, WhoAreKnownUsersHaveTheirScores) {
  const auto r = some_frozen(GetParam(), known_log(30, 12));
  GuestBook book(*r);
  for (const char* user : {"u7", "u2", "u29"}) book.guest(user);
  const Guests guests = book.guests();
  const std::vector<std::int32_t> numbers = {0, 1, 2, 0}, users = {7, 2, 29, 7}, items = {3, 4, 5, 11};
  std::vector<float> got(4), expected(4);
  r->score(numbers, items, got, one_thread(), &guests);
  r->score(users, items, expected, one_thread());
  EXPECT_EQ(got, expected);
}

INSTANTIATE_TEST_SUITE_P(Table, GuestsOf, ::testing::ValuesIn(cases()), case_name);

}  // namespace
}  // namespace equipoise::test
