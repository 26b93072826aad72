// Importers on small files in each source's format, and on files that are not as they should be.
#include "data/sources/importers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "core/error.h"
#include "data/import_helpers.h"
#include "data/temp_folder.h"

namespace equipoise {
namespace {

using test::error_of;
using test::import_from;
using test::number;
using test::Settings;
using test::TempFolder;
using test::word;

std::string refusal(const std::string& source, const std::string& path, const Settings& settings = {}) {
  return error_of<DataError>([&] { import_from(source, {path}, settings); });
}

/// "user item label" of every row, of all parts, sorted.
std::vector<std::string> all_rows(const Dataset& data) {
  std::vector<std::string> rows;
  for (const Rows* part : {&data.train, &data.valid, &data.test}) {
    for (std::size_t r = 0; r < part->size(); ++r) {
      rows.push_back(data.users.name(part->user[r]) + " " + data.items.name(part->item[r]) + " " +
                     (part->label[r] == 1 ? "1" : "0"));
    }
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

const CategoricalField& field(const Features& features, const std::string& name) {
  for (const CategoricalField& one : features.categorical) {
    if (one.name == name) return one;
  }
  throw std::runtime_error("no field " + name);
}

/// The values of a row, "a|b".
std::string values(const CategoricalField& one, std::size_t row) {
  std::string text;
  for (auto k = one.offsets[row]; k < one.offsets[row + 1]; ++k) {
    text += (text.empty() ? "" : "|") + one.values[static_cast<std::size_t>(one.codes[static_cast<std::size_t>(k)])];
  }
  return text;
}

TEST(Importers, AreFoundByName) {
  EXPECT_EQ(sources().size(), 12u);
  for (const Source& source : sources()) {
    EXPECT_EQ(&find_source(source.name), &source);
    EXPECT_FALSE(source.sentence.empty());
    EXPECT_FALSE(source.files.empty());
    Params params;
    const auto importer = source.make();
    importer->describe(params);
    const bool drawn = source.name == "open-bandit" || source.name == "served";  // there pairs occur again
    EXPECT_EQ(params.find("duplicates") == nullptr, drawn) << source.name;
    EXPECT_NE(params.find("seed"), nullptr) << source.name;
    EXPECT_NE(params.find("keep_leaks"), nullptr) << source.name;
    EXPECT_THROW(importer->read({}), UsageError) << source.name;
    EXPECT_THROW(importer->read({"no/such/path"}), DataError) << source.name;
  }
  EXPECT_NE(error_of<UsageError>([] { find_source("movielen"); }).find("movielens"), std::string::npos);
}

class CoatFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder.file("train.ascii", "1 0 5\n0 3 0\n2 0 4\n0 4 0\n");
    folder.file("test.ascii", "0 4 5\n2 0 0\n0 1 0\n0 0 3\n");
  }
  TempFolder folder;
};

TEST_F(CoatFiles, RatingsBecomeLabels) {
  const Dataset data = import_from("coat", {folder.path()}, {{"keep_leaks", "true"}});
  EXPECT_EQ(data.users.size(), 4);
  EXPECT_EQ(data.items.size(), 3);
  EXPECT_EQ(data.train.size(), 6u);
  EXPECT_EQ(data.valid.size() + data.test.size(), 5u);
  EXPECT_EQ(data.train.label, (std::vector<float>{0, 1, 1, 0, 1, 1}));
  EXPECT_TRUE(data.train.propensity.empty());
  EXPECT_EQ(number(data, "rows_read"), 11);
  EXPECT_EQ(number(data, "leaks_kept"), 1);
  EXPECT_EQ(word(data, "test_part"), "unbiased");
  EXPECT_EQ(word(data, "source"), "coat");
  EXPECT_NE(word(data, "label_rule").find("3"), std::string::npos);
}

TEST_F(CoatFiles, LeaksGoUnlessTheyAreToBeKept) {
  const Dataset data = import_from("coat", {folder.path()});
  EXPECT_EQ(data.train.size(), 5u);
  EXPECT_EQ(number(data, "leaks_removed"), 1);
}

TEST_F(CoatFiles, PositiveFromAnotherRating) {
  const Dataset data = import_from("coat", {folder.path()}, {{"positive_at_least", "5"}, {"keep_leaks", "true"}});
  EXPECT_EQ(data.train.label, (std::vector<float>{0, 1, 0, 0, 0, 0}));
}

TEST_F(CoatFiles, PropensitiesAndFeatures) {
  folder.file("propensities.ascii", "0.1 0.2 0.3\n0.4 5e-1 0.6\n0.7 0.8 0.9\n1 0.25 0.5\n");
  folder.file("user_features.ascii", "1 0 0 1\n0 1 0 0\n0 1 1 1\n1 0 1 0\n");
  folder.file("user_features_map.txt", "gender:men\ngender:women\nlikes:a:b\nlikes:over 60\n");
  const Dataset data = import_from("coat", {folder.path()}, {{"keep_leaks", "true"}});
  EXPECT_EQ(data.train.propensity, (std::vector<float>{0.1f, 0.3f, 0.5f, 0.7f, 0.9f, 0.25f}));
  EXPECT_TRUE(data.test.propensity.empty());
  const CategoricalField& gender = field(data.user_features, "gender");
  EXPECT_FALSE(gender.tags);
  EXPECT_EQ(values(gender, 0), "men");
  EXPECT_EQ(values(gender, 2), "women");
  const CategoricalField& likes = field(data.user_features, "likes");
  EXPECT_TRUE(likes.tags);
  EXPECT_EQ(values(likes, 0), "over 60");
  EXPECT_EQ(values(likes, 1), "");
  EXPECT_EQ(values(likes, 2), "a:b|over 60");
  EXPECT_EQ(data.user_features.rows, 4);
  EXPECT_TRUE(data.item_features.empty());
}

TEST_F(CoatFiles, RefusesWhatIsNotAsItShouldBe) {
  folder.file("test.ascii", "0 4 5\n2 0\n0 1 0\n0 0 3\n");
  EXPECT_NE(refusal("coat", folder.path()).find("test.ascii:2"), std::string::npos);
  folder.file("test.ascii", "0 4\n2 0\n0 1\n0 0\n");
  EXPECT_NE(refusal("coat", folder.path()).find("expected 3 numbers in the line, found 2"), std::string::npos);
  folder.file("test.ascii", "0 4 5\n2 0 0\n0 1 0\n");
  EXPECT_NE(refusal("coat", folder.path()).find("expected 4 lines, found 3"), std::string::npos);
  folder.file("test.ascii", "0 4 5\n2 0 0\n0 1 6\n0 0 3\n");
  EXPECT_NE(refusal("coat", folder.path()).find("test.ascii:3:5: expected a whole rating from 1 to 5"),
            std::string::npos);
  folder.file("test.ascii", "0 4 5\n2 0 0\n0 1 x\n0 0 3\n");
  EXPECT_NE(refusal("coat", folder.path()).find("test.ascii:3:5"), std::string::npos);
  folder.file("test.ascii", "0 4 5\n2 0 0\n0 1 0\n0 0 3\n");
  folder.file("propensities.ascii", "0.1 0.2 0.3\n0.4 0 0.6\n0.7 0.8 0.9\n1 0.25 0.5\n");
  EXPECT_NE(refusal("coat", folder.path()).find("propensities.ascii:2:5"), std::string::npos);
  std::string too_long;
  for (int line = 0; line < 1000; ++line) too_long += "0.1 0.2 0.3\n";
  folder.file("propensities.ascii", too_long);
  EXPECT_NE(refusal("coat", folder.path()).find("propensities.ascii:5: expected 4 lines, found more"),
            std::string::npos);
  std::filesystem::remove(folder / "propensities.ascii");
  folder.file("user_features.ascii", "1 0\n0 1\n0 1\n1 0\n");
  EXPECT_NE(refusal("coat", folder.path()).find("user_features_map.txt"), std::string::npos);
  folder.file("user_features_map.txt", "gender:men\nwomen\n");
  EXPECT_NE(refusal("coat", folder.path()).find("user_features_map.txt:2:1: expected field:value"), std::string::npos);
  folder.file("user_features_map.txt", "gender:men\n");
  EXPECT_NE(refusal("coat", folder.path()).find("user_features.ascii:1"), std::string::npos);
  std::filesystem::remove(folder / "test.ascii");
  EXPECT_NE(refusal("coat", folder.path()).find("test.ascii"), std::string::npos);
}

TEST(YahooR3, ReadsBothFilesAndRemovesLeaks) {
  const TempFolder folder;
  const std::string train = folder.file("ydata-ymusic-rating-study-v1_0-train.txt", "1\t14\t5\n1\t35\t1\n2\t46\t3\n");
  const std::string test = folder.file("ydata-ymusic-rating-study-v1_0-test.txt", "1\t35\t1\n3\t49\t4\n2\t7\t2\n");
  const Dataset data = import_from("yahoo-r3", {folder.path()});
  EXPECT_EQ(data.train.size(), 2u);
  EXPECT_EQ(data.train.label, (std::vector<float>{1, 1}));
  EXPECT_EQ(data.valid.size() + data.test.size(), 3u);
  EXPECT_EQ(number(data, "leaks_removed"), 1);
  EXPECT_EQ(all_rows(data), (std::vector<std::string>{"1 14 1", "1 35 0", "2 46 1", "2 7 0", "3 49 1"}));
  EXPECT_EQ(import_from("yahoo-r3", {train, test}).fingerprint(), data.fingerprint());
  EXPECT_EQ(import_from("yahoo-r3", {folder.path()}, {{"keep_leaks", "true"}}).train.size(), 3u);
  folder.file("ydata-ymusic-rating-study-v1_0-test.txt", "1\t35\t1\n3\t49\t6\n");
  EXPECT_NE(refusal("yahoo-r3", folder.path()).find("test.txt:2:6: expected a whole rating from 1 to 5, found 6"),
            std::string::npos);
  folder.file("ydata-ymusic-rating-study-v1_0-test.txt", "1\t35\t1\t9\n");
  EXPECT_NE(refusal("yahoo-r3", folder.path()).find("expected 3 columns, found 4"), std::string::npos);
  folder.file("ydata-ymusic-rating-study-v1_0-test.txt", "1\t35\t1\n1\t35\t2\n");
  EXPECT_NE(refusal("yahoo-r3", folder.path()).find("-test.txt:2"), std::string::npos);
}

TEST(Pcic, ReadsFloatsAndKeepsTheCatalogue) {
  const TempFolder folder;
  folder.file("train.csv", "0.0,0.0,0.0,1.0\n0.0,2.0,1.0,1.0\n1.0,5.0,1.0,1.0\n1.0,3.0,0.0,0.0\n");
  folder.file("test.csv", "1.0,2.0,1.0,1.0\n0.0,2.0,1.0,1.0\n");
  const Dataset data = import_from("pcic", {folder.path()});
  EXPECT_EQ(data.users.size(), 2);
  EXPECT_EQ(data.items.size(), 6);  // 0 … 5, though 1, 3 and 4 have no row
  EXPECT_EQ(number(data, "items_without_rows"), 3);
  EXPECT_EQ(all_rows(data), (std::vector<std::string>{"0 0 0", "0 2 1", "1 2 1", "1 5 1"}));
  EXPECT_EQ(number(data, "leaks_removed"), 1);
  EXPECT_EQ(number(data, "rows_dropped"), 1);
  EXPECT_EQ(number(data, "rows_read"), 6);
  folder.file("test.csv", "1.0,2.0,0.5,1.0\n");
  EXPECT_NE(refusal("pcic", folder.path()).find("test.csv:1:9"), std::string::npos);
  folder.file("test.csv", "1.5,2.0,1.0,1.0\n");
  EXPECT_NE(refusal("pcic", folder.path()).find("test.csv:1:1"), std::string::npos);
  folder.file("test.csv", "1.0,2.0,1.0\n");
  EXPECT_NE(refusal("pcic", folder.path()).find("expected 4 columns"), std::string::npos);
}

TEST(Movielens, ReadsAllThreeFormatsAlike) {
  const TempFolder folder;
  const std::string tabs = folder.file("u.data", "1\t7\t3\t881250949\n1\t8\t1\t881250950\n2\t7\t5\t881250951\n");
  const std::string colons = folder.file("ratings.dat", "1::7::3::881250949\n1::8::1::881250950\n2::7::5::881250951\n");
  const std::string csv = folder.file(
      "ratings.csv", "userId,movieId,rating,timestamp\n1,7,3.0,881250949\n1,8,1.0,881250950\n2,7,5.0,881250951\n");
  const Dataset data = import_from("movielens", {tabs});
  EXPECT_EQ(all_rows(data), (std::vector<std::string>{"1 7 1", "1 8 0", "2 7 1"}));
  EXPECT_EQ(data.train.timestamp.size(), data.train.size());
  EXPECT_EQ(word(data, "test_part"), "resampled");
  EXPECT_EQ(import_from("movielens", {colons}).fingerprint(), data.fingerprint());
  EXPECT_EQ(import_from("movielens", {csv}).fingerprint(), data.fingerprint());
  EXPECT_EQ(import_from("movielens", {folder.path()}).fingerprint(), data.fingerprint());
  const TempFolder empty;
  EXPECT_NE(refusal("movielens", empty.path()).find("expected a file u.data or ratings.dat or ratings.csv"),
            std::string::npos);
}

TEST(Amazon, KeepsTheLastOfTwoOpinions) {
  const TempFolder folder;
  const std::string path =
      folder.file("ratings_Music.csv",
                  "A1YS9MDZP93857,0006428320,3.0,1394496000\nA3TS466QBAWB9D,0014072149,5.0,1370476800\n"
                  "A1YS9MDZP93857,0006428320,2.0,1394496001\n");
  const Dataset data = import_from("amazon", {path});
  EXPECT_EQ(all_rows(data), (std::vector<std::string>{"A1YS9MDZP93857 0006428320 0", "A3TS466QBAWB9D 0014072149 1"}));
  EXPECT_EQ(number(data, "duplicates_removed"), 1);
  EXPECT_NE(error_of<DataError>([&] {
              import_from("amazon", {path}, {{"duplicates", "error"}});
            }).find(":3"),
            std::string::npos);
  EXPECT_NE(refusal("amazon", folder.file("zero.csv", "A,B,0.0,1394496000\n")).find("zero.csv:1:5"), std::string::npos);
}

TEST(Anime, DropsWhatWasNotRated) {
  const TempFolder folder;
  folder.file("rating.csv", "user_id,anime_id,rating\n1,20,-1\n1,24,10\n2,24,5\n2,20,6\n");
  const Dataset data = import_from("anime", {folder.path()});
  EXPECT_EQ(all_rows(data), (std::vector<std::string>{"1 24 1", "2 20 1", "2 24 0"}));
  EXPECT_EQ(number(data, "rows_dropped"), 1);
  EXPECT_EQ(number(data, "rows_read"), 4);
  folder.file("rating.csv", "user_id,anime_id,rating\n1,20,-1\n1,24,11\n");
  EXPECT_NE(refusal("anime", folder.path()).find("rating.csv:3:6: expected a whole rating from 1 to 10 (or -1)"),
            std::string::npos);
  folder.file("rating.csv", "user,anime_id,rating\n1,20,5\n");
  EXPECT_NE(refusal("anime", folder.path()).find("user_id"), std::string::npos);
}

TEST(CsvImport, ReadsRolesPartsAndFeatures) {
  const TempFolder folder;
  const std::string log = folder.file("log.csv", "who,what,stars,p\na,x,1,0.5\na,y,4,0.25\nb,x,5,0.5\nb,z,2,1\n");
  const std::string test = folder.file("random.csv", "who,what,stars,p\na,z,4,1\nb,y,1,1\nc,x,5,1\nb,x,5,1\n");
  const std::string users = folder.file("people.csv", "id,age,town\nb,30,Ulm\na,,Bonn\nd,41,\n");
  const std::string items = folder.file("things.csv", "id,year,kinds\nx,1999,red|big\ny,2001,\nz,1999,big\n");
  const Settings settings{
      {"user_column", "who"},     {"item_column", "what"}, {"label_column", "stars"}, {"positive_at_least", "4"},
      {"propensity_column", "p"}, {"test", test},          {"users", users},          {"items", items},
      {"categorical", "year"},    {"tags", "kinds"},       {"name", "mine"}};
  const Dataset data = import_from("csv", {log}, settings);
  EXPECT_EQ(data.name, "mine");
  EXPECT_EQ(data.users.names(), (std::vector<std::string>{"a", "b", "d", "c"}));
  EXPECT_EQ(all_rows(data), (std::vector<std::string>{"a x 0", "a y 1", "a z 1", "b x 1", "b y 0", "b z 0", "c x 1"}));
  EXPECT_EQ(number(data, "leaks_removed"), 1);
  EXPECT_EQ(number(data, "users_without_rows"), 1);
  EXPECT_EQ(data.train.propensity, (std::vector<float>{0.5f, 0.25f, 1}));
  ASSERT_EQ(data.user_features.continuous.size(), 1u);
  const std::vector<float>& age = data.user_features.continuous[0].values;
  EXPECT_TRUE(std::isnan(age[0]));
  EXPECT_EQ(age[1], 30);
  EXPECT_TRUE(std::isnan(age[3]));
  EXPECT_EQ(age[2], 41);
  EXPECT_EQ(values(field(data.user_features, "town"), 0), "Bonn");
  EXPECT_EQ(values(field(data.user_features, "town"), 3), "");
  EXPECT_EQ(values(field(data.item_features, "year"), 2), "1999");
  EXPECT_EQ(values(field(data.item_features, "kinds"), 0), "red|big");
  EXPECT_EQ(values(field(data.item_features, "kinds"), 1), "");
  check_trainable(data);

  Settings wrong = settings;
  wrong[8] = {"categorical", "yaer"};
  EXPECT_NE(error_of<UsageError>([&] { import_from("csv", {log}, wrong); }).find("year"), std::string::npos);
  folder.file("people.csv", "id,age\nb,30\nb,31\n");
  EXPECT_NE(error_of<DataError>([&] { import_from("csv", {log}, settings); }).find("people.csv:3:1"),
            std::string::npos);
}

TEST(CsvImport, TakesAllThreePartsAsGiven) {
  const TempFolder folder;
  const std::string log = folder.file("log.tsv", "user\titem\tlabel\na\tx\t1\na\ty\t0\nb\tx\t0\n");
  const std::string valid = folder.file("valid.tsv", "user\titem\tlabel\nb\ty\t0\n");
  const std::string test = folder.file("test.tsv", "user\titem\tlabel\na\tx\t1\n");
  const Dataset data = import_from("csv", {log}, {{"valid", valid}, {"test", test}});
  EXPECT_EQ(data.train.size(), 2u);
  EXPECT_EQ(data.valid.size(), 1u);
  EXPECT_EQ(data.test.size(), 1u);
  EXPECT_EQ(word(data, "split"), "as given");
  EXPECT_THROW(import_from("csv", {log}, {{"valid", valid}}), UsageError);
}

TEST(Recbole, ReadsAtomicFiles) {
  const TempFolder folder;
  const std::string inter =
      folder.file("toy.inter",
                  "user_id:token\titem_id:token\trating:float\ttimestamp:float\nu1\ti1\t4\t10\nu1\ti2\t1\t11\n"
                  "u2\ti1\t3\t12\n");
  folder.file("toy.user", "user_id:token\tage:float\tjob:token\nu2\t33\t\"boss\nu1\t\tclerk\n");
  folder.file("toy.item",
              "item_id:token\tgenre:token_seq\tplace:float_seq\ni1\tfun sad\t0.5 -1\ni3\tsad\t1 2\ni2\t\t\n");
  const Dataset data = import_from("recbole", {folder.path()});
  EXPECT_EQ(data.name, "toy");
  EXPECT_EQ(all_rows(data), (std::vector<std::string>{"u1 i1 1", "u1 i2 0", "u2 i1 1"}));
  EXPECT_EQ(data.items.names(), (std::vector<std::string>{"i1", "i2", "i3"}));
  EXPECT_EQ(values(field(data.user_features, "job"), 1), "\"boss");
  EXPECT_EQ(data.user_features.continuous[0].values[1], 33);
  EXPECT_EQ(values(field(data.item_features, "genre"), 0), "fun|sad");
  ASSERT_EQ(data.item_features.continuous.size(), 2u);
  EXPECT_EQ(data.item_features.continuous[1].name, "place_2");
  EXPECT_EQ(data.item_features.continuous[1].values[0], -1);
  EXPECT_TRUE(std::isnan(data.item_features.continuous[1].values[1]));
  EXPECT_EQ(data.train.timestamp.size(), data.train.size());

  EXPECT_NE(refusal("recbole", inter, {{"label_field", "label"}}).find("no field \"label\""), std::string::npos);
  folder.file("toy.item", "item_id:token\tplace:float_seq\ni1\t0.5 -1\ni3\t1\n");
  EXPECT_NE(refusal("recbole", inter).find("toy.item:3: place: expected 2 numbers"), std::string::npos);
  folder.file("toy.item", "item_id:token\tplace\ni1\t0.5 -1\n");
  EXPECT_NE(refusal("recbole", inter).find("toy.item:1:15: expected name:token"), std::string::npos);
  folder.file("more.inter", "user_id:token\n");
  EXPECT_NE(refusal("recbole", folder.path()).find("found 2"), std::string::npos);
}

}  // namespace
}  // namespace equipoise
