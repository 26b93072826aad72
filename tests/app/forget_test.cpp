// Forgetting a user in a folder: rows, files that came with the data set, the copy in the cache.
#include "app/forget.h"

#include <gtest/gtest.h>

#include "app/open_data.h"
#include "core/error.h"
#include "core/file.h"
#include "data/simulate/simulate.h"
#include "data/temp_folder.h"

namespace equipoise {
namespace {

TEST(Forget, LeavesNothingOfTheUserInTheFolder) {
  const test::TempFolder folder;
  const std::string set = folder / "set";
  SimulateParams params;
  params.users = 60;
  params.items = 12;
  params.truth = true;
  const Dataset before = simulate(params);
  save_data(before, set, truth_of(params));
  CacheParams cache;
  cache.cache_folder = folder / "cache";
  cache.cache_from_mb = 0;
  Pool pool(1);
  load_dataset(set, cache, pool);
  const std::string copy = cached_copy(set, cache, pool);
  ASSERT_FALSE(copy.empty());

  const Json gone = forget_in_folder(set, "u7", cache, pool);
  EXPECT_FALSE(file_exists(copy)) << "the copy holds the user's rows";
  EXPECT_EQ(gone.at("copy_removed"), Json(true));
  for (const char* name : {"train.csv", "valid.csv", "test.csv", "users.csv", "truth.csv"}) {
    const std::string text = read_file(join_path(set, name));
    EXPECT_EQ(text.find("\nu7,"), std::string::npos) << name;
  }
  for (const char* name : {"train.csv", "truth.csv"}) {
    EXPECT_NE(read_file(join_path(set, name)).find("\nu8,"), std::string::npos) << name;
  }
  const Dataset after = read_dataset(set);
  EXPECT_EQ(after.users.size(), before.users.size() - 1);
  EXPECT_EQ(static_cast<std::int64_t>(after.train.size()) + gone.at("train").as_int(),
            static_cast<std::int64_t>(before.train.size()));
  EXPECT_EQ(gone.at("fingerprint").as_string(), after.fingerprint());
  EXPECT_EQ(after.provenance.at("users_forgotten").as_int(), 1);
  EXPECT_EQ(test::error_of<DataError>([&] { forget_in_folder(set, "u7", cache, pool); }), set + ": has no user \"u7\"");
  EXPECT_NE(test::error_of<UsageError>([&] { forget_in_folder(join_path(set, "train.csv"), "u8", cache, pool); }), "");
}

}  // namespace
}  // namespace equipoise
