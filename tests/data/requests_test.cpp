// The columns of lists that were drawn: read, written, kept, checked; and pairs that occur in several lists.
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/file.h"
#include "data/dataset_cache.h"
#include "data/forget.h"
#include "data/pairs.h"
#include "data/sources/csv.h"
#include "data/temp_folder.h"

namespace equipoise {
namespace {

using test::TempFolder;

const char* const kHeader =
    "user,item,label,propensity,timestamp,request,position,propensity_at_position,propensity_given_above,eligible\n";

// The pair (u1, a) occurs in two lists.
std::string served() {
  return std::string(kHeader) +
         "u1,a,1,0.5,10,r-1,1,0.25,0.125,9\n"
         "u1,b,0,0.125,10,r-1,2,0.0123456789012345,1e-60,9\n"
         "u2,a,0,1,11,\"r,2\",1,1,1,8\n"
         "u1,a,0,0.5,12,r-3,1,0.25,0.125,9\n";
}

std::string data_folder(const TempFolder& temp, const std::string& train) {
  const std::string folder = temp / "data";
  make_folder(folder);
  write_file(join_path(folder, "dataset.toml"), "name = \"served\"\n");
  write_file(join_path(folder, "train.csv"), train);
  return folder;
}

std::string refusal(const std::string& train) {
  const TempFolder temp;
  try {
    read_dataset(data_folder(temp, train));
  } catch (const DataError& e) {
    const std::string what = e.what();
    return what.substr(what.find("train.csv") == std::string::npos ? 0 : what.find("train.csv"));
  }
  return "accepted";
}

TEST(Requests, AreReadWrittenAndReadAgain) {
  const TempFolder temp;
  const Dataset data = read_dataset(data_folder(temp, served()));
  EXPECT_EQ(data.requests.names(), (std::vector<std::string>{"r-1", "r,2", "r-3"}));
  EXPECT_EQ(data.train.request, (std::vector<std::int32_t>{0, 0, 1, 2}));
  EXPECT_EQ(data.train.position, (std::vector<std::int32_t>{1, 2, 1, 1}));
  EXPECT_EQ(data.train.at_position, (std::vector<double>{0.25, 0.0123456789012345, 1, 0.25}));
  EXPECT_EQ(data.train.given_above, (std::vector<double>{0.125, 1e-60, 1, 0.125}));
  EXPECT_EQ(data.train.eligible, (std::vector<std::int32_t>{9, 9, 8, 9}));
  write_dataset(data, temp / "again");
  const Dataset again = read_dataset(temp / "again");
  EXPECT_EQ(again.fingerprint(), data.fingerprint());
  EXPECT_EQ(again.requests.names(), data.requests.names());
}

TEST(Requests, ComeBackFromTheBinaryCopy) {
  const TempFolder temp;
  const std::string folder = data_folder(temp, served());
  Pool pool(2);
  CacheParams params;
  params.cache_folder = temp / "copies";
  params.cache_from_mb = 0;
  const Dataset first = load_dataset(folder, params, pool);
  ASSERT_NE(cached_copy(folder, params, pool), "");
  const Dataset second = load_dataset(folder, params, pool);
  EXPECT_EQ(second.fingerprint(), first.fingerprint());
  EXPECT_EQ(second.requests.names(), first.requests.names());
  EXPECT_EQ(second.train.given_above, first.train.given_above);
}

TEST(Requests, AreCheckedWithTheirPlace) {
  const std::string head = kHeader;
  EXPECT_EQ(refusal(served() + "u1,a,1,0.5,13,r-3,2,0.25,0.125,9\n"),
            "train.csv:6: user \"u1\" and item \"a\" occur on line 5 already; a pair may occur once in a request "
            "(duplicates = first or last keeps one row)");
  EXPECT_EQ(refusal(served() + "u2,b,1,0.5,13,r-3,2,0.25,0.125,9\n"),
            "request \"r-3\" has rows of users \"u1\" and \"u2\"; a request is of one user");
  EXPECT_EQ(refusal(head + "u1,a,1,0.5,10,r-1,0,0.25,0.125,9\n"), "train.csv:2:19: 0 is not a number from 1");
  EXPECT_EQ(refusal(head + "u1,a,1,0.5,10,r-1,1,0,0.125,9\n"), "train.csv:2:21: chance 0 is not above 0 and up to 1");
  EXPECT_EQ(refusal(head + "u1,a,1,0.5,10,,1,0.5,0.125,9\n"), "train.csv:2:15: empty request id");
}

TEST(Requests, CountInTheFingerprintOnlyWhereTheyAre) {
  const TempFolder temp;
  Dataset data = read_dataset(data_folder(temp, served()));
  const std::string with = data.fingerprint();
  data.train.eligible[0] = 10;
  EXPECT_NE(data.fingerprint(), with);
}

// Under another request it is another event, not a leak.
TEST(Requests, MakeTheSamePairTwoEvents) {
  Rows train, test;
  train.user = {0, 0}, train.item = {1, 2}, train.request = {5, 5};
  test.user = {0, 0}, test.item = {1, 2}, test.request = {6, 5};
  EXPECT_EQ(shared_pairs(train, {&test}), (std::vector<std::uint8_t>{0, 1}));
  test.request.clear();
  EXPECT_EQ(shared_pairs(train, {&test}), (std::vector<std::uint8_t>{1, 1}));
}

TEST(Requests, GoWithAForgottenUser) {
  const TempFolder temp;
  Dataset data = read_dataset(data_folder(temp, served()));
  forget_user(data, "u1");
  EXPECT_EQ(data.requests.names(), (std::vector<std::string>{"r,2"}));
  EXPECT_EQ(data.train.request, (std::vector<std::int32_t>{0}));
}

TEST(Requests, AreImportedFromCsvOnAnyNumberOfThreads) {
  const TempFolder temp;
  std::string text = "who,what,y,list,place,p,c,n\n";
  for (int n = 0; n < 40000; ++n) {
    text += "u" + std::to_string(n / 5 % 700) + ",i" + std::to_string(n % 5) + "," + std::to_string(n % 3 == 0) + ",q" +
            std::to_string(n / 5) + "," + std::to_string(n % 5 + 1) + ",0.25,0.5,30\n";
  }
  write_file(temp / "log.csv", text);
  std::vector<std::string> prints;
  for (const int threads : {1, 2, 4}) {
    Pool pool(threads);
    CsvImporter importer;
    Params params;
    importer.describe(params);
    for (const auto& [name, value] :
         std::initializer_list<std::pair<const char*, const char*>>{{"user_column", "who"},
                                                                    {"item_column", "what"},
                                                                    {"label_column", "y"},
                                                                    {"request_column", "list"},
                                                                    {"position_column", "place"},
                                                                    {"propensity_at_position_column", "p"},
                                                                    {"propensity_given_above_column", "c"},
                                                                    {"eligible_column", "n"},
                                                                    {"split", "users"}}) {
      params.set(name, value);
    }
    importer.use(pool);
    const Dataset data = importer.read(std::vector<std::string>{temp / "log.csv"});
    prints.push_back(data.fingerprint());
    EXPECT_EQ(data.requests.size(), 8000);
    EXPECT_EQ(data.provenance.at("leaks_removed").as_int(), 0);
    for (std::size_t r = 0; r < data.train.size(); ++r) {
      ASSERT_EQ(data.items.name(data.train.item[r]), "i" + std::to_string(data.train.position[r] - 1));
    }
  }
  EXPECT_EQ(prints[0], prints[1]);
  EXPECT_EQ(prints[0], prints[2]);
}

}  // namespace
}  // namespace equipoise
