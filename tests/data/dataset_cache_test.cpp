// Binary copies of data sets: found by content, and never believed when they are not exactly as written.
#include "data/dataset_cache.h"

#include <chrono>
#include <cmath>
#include <filesystem>

#include "core/file.h"
#include "core/listener.h"
#include "data/simulate/simulate.h"
#include "data/temp_folder.h"
#include "logs.h"

namespace equipoise {
namespace {

using test::TempFolder;

class DatasetCacheTest : public ::testing::Test {
 protected:
  DatasetCacheTest() {
    params.cache_folder = folder / "cache";
    params.cache_from_mb = 0;
    SimulateParams world;
    world.users = 50;
    data = simulate(world);
    equipoise::test::add_features(data);
    write(data);
  }

  /// Without the list of files, so that they may be changed.
  void write(const Dataset& made) {
    write_dataset(made, set);
    const std::string toml = join_path(set, "dataset.toml"), text = read_file(toml);
    write_file(toml, text.substr(0, text.find("[files]")));
    data = read_dataset(set);
  }

  std::vector<std::string> copies() const {
    std::vector<std::string> out;
    if (!std::filesystem::exists(params.cache_folder)) return out;
    for (const auto& entry : std::filesystem::directory_iterator(params.cache_folder)) out.push_back(entry.path());
    return out;
  }
  Dataset load(bool expect_read) {
    bool read = false;
    std::vector<std::string> files;
    for (const char* name : {"dataset.toml", "train.csv", "users.csv"}) files.push_back(join_path(set, name));
    Dataset out = load_cached(params, files, "settings", pool, [&] {
      read = true;
      return read_dataset(set);
    });
    EXPECT_EQ(read, expect_read);
    EXPECT_EQ(out.fingerprint(), data.fingerprint());
    EXPECT_EQ(out.name, data.name);
    EXPECT_EQ(out.protocol, data.protocol);
    EXPECT_EQ(out.provenance, data.provenance);
    return out;
  }

  TempFolder folder;
  std::string set = folder / "set";
  CacheParams params;
  Pool pool{2};
  Dataset data;
};

TEST_F(DatasetCacheTest, TheSecondTimeNothingIsRead) {
  load(true);
  ASSERT_EQ(copies().size(), 1u);
  const Dataset again = load(false);
  EXPECT_EQ(again.users.find(data.users.name(7)), 7);
  EXPECT_EQ(load_dataset(set, params, pool).fingerprint(), data.fingerprint());
  EXPECT_EQ(load_dataset(set, params, pool).fingerprint(), data.fingerprint());
  EXPECT_EQ(copies().size(), 2u) << "the whole folder is another input";
}

TEST_F(DatasetCacheTest, OtherBytesAreAnotherKey) {
  load(true);
  std::string text = read_file(join_path(set, "train.csv"));
  text.back() = '\n';
  const std::size_t label = text.size() - 2;
  text[label] = text[label] == '1' ? '0' : '1';  // the same size
  write_file(join_path(set, "train.csv"), text);
  data = read_dataset(set);
  load(true);
  EXPECT_EQ(copies().size(), 2u);
}

TEST_F(DatasetCacheTest, ADamagedCopyIsMadeAnew) {
  load(true);
  const std::string path = copies().front(), whole = read_file(path);
  for (std::size_t at = 0; at < whole.size(); at += std::max<std::size_t>(1, whole.size() / 23)) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    write_file(path, bytes);
    load(true);
    EXPECT_EQ(read_file(path), whole) << "written anew";
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, whole.size() / 2, whole.size() - 1}) {
    write_file(path, whole.substr(0, size));
    load(true);
  }
  write_file(path, whole + "x");
  load(true);
}

TEST_F(DatasetCacheTest, ACopyOfOtherDataIsNotBelieved) {
  load(true);
  const std::string path = copies().front();
  Dataset other = data;
  other.train.label[0] = 1 - other.train.label[0];
  CacheParams elsewhere = params;
  elsewhere.cache_folder = folder / "elsewhere";
  DatasetCache foreign(elsewhere, {join_path(set, "items.csv")}, "", pool);
  foreign.save(other);
  std::filesystem::copy_file(foreign.path(), path, std::filesystem::copy_options::overwrite_existing);
  load(true);
}

TEST_F(DatasetCacheTest, WhatDoesNotFitTogetherIsNotBelieved) {
  const DatasetCache cache("key", folder / "copy", pool);
  cache.save(data);
  ASSERT_TRUE(cache.load());
  EXPECT_FALSE(DatasetCache("another key", folder / "copy", pool).load());
  const auto spoil = [&](const char* what, auto change) {
    Dataset spoilt = data;
    change(spoilt);
    cache.save(spoilt);
    EXPECT_FALSE(cache.load()) << what;
  };
  spoil("user", [](Dataset& d) { d.train.user[0] = d.users.size(); });
  spoil("item", [](Dataset& d) { d.test.item[0] = -1; });
  spoil("label", [](Dataset& d) { d.valid.label[0] = 0.5f; });
  spoil("rows", [](Dataset& d) { d.train.label.pop_back(); });
  spoil("propensity", [](Dataset& d) { d.train.propensity.assign(d.train.size(), 0); });
  spoil("propensity", [](Dataset& d) { d.train.propensity.assign(d.train.size(), std::nanf("")); });
  spoil("weight", [](Dataset& d) { d.train.weight.assign(d.train.size(), -1); });
  spoil("timestamp", [](Dataset& d) { d.train.timestamp.assign(1, 7); });
  spoil("features' rows", [](Dataset& d) { d.user_features.rows = -1; });
  spoil("rows of no features", [](Dataset& d) { d.item_features = {-5, {}, {}}; });
  spoil("codes", [](Dataset& d) { d.user_features.categorical[0].codes[0] = 99; });
  spoil("offsets", [](Dataset& d) { d.user_features.categorical[0].offsets[1] = 99; });
  spoil("values", [](Dataset& d) { d.user_features.continuous[0].values.pop_back(); });
}

TEST_F(DatasetCacheTest, ArraysAndInputsOfSeveralPieces) {
  SimulateParams world;
  world.users = 20000;
  world.width = 2;
  write(simulate(world));  // 100,000 rows: 400 KB a column
  load(true);
  load(false);
  const std::string path = copies().front(), whole = read_file(path);
  ASSERT_GT(whole.size(), std::size_t{1} << 20);
  for (std::size_t at = whole.size() / 8; at < whole.size(); at += whole.size() / 7) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    write_file(path, bytes);
    load(true);
    EXPECT_EQ(read_file(path), whole) << "written anew";
  }
  std::string text = read_file(join_path(set, "train.csv"));
  const std::size_t label = text.find('\n', text.size() / 2) - 1;  // in another piece than the first
  text[label] = text[label] == '1' ? '0' : '1';
  write_file(join_path(set, "train.csv"), text);
  data = read_dataset(set);
  load(true);
  EXPECT_EQ(copies().size(), 2u);
}

TEST_F(DatasetCacheTest, AnInputThatChangesWhileItIsReadLeavesNoCopy) {
  const std::string log = join_path(set, "train.csv"), before = read_file(log);
  const auto load_while = [&](auto change) {
    load_cached(params, {log}, "", pool, [&] {
      change();
      return data;
    });
  };
  load_while([&] { write_file(log, before + "u7,i7,1\n"); });
  EXPECT_TRUE(copies().empty()) << "replaced by a longer one";
  load_while([&] { write_file(log, before); });
  EXPECT_TRUE(copies().empty()) << "replaced by another";
  load_while([] {});
  EXPECT_EQ(copies().size(), 1u);
}

TEST_F(DatasetCacheTest, TheCopiesThatWereUsedLongestAgoGoFirst) {
  const auto copy = [&](char digit, double gb) {
    CacheParams limited = params;
    limited.cache_gb = gb;
    const DatasetCache cache(limited, {join_path(set, "train.csv")}, std::string(1, digit), pool);
    if (!cache.load()) cache.save(data);
    return cache.path();
  };
  const std::string first = copy('1', 1), second = copy('2', 1), third = copy('3', 1);
  folder.file("cache/mine.cache", "not ours");
  const auto hours_ago = [](const std::string& path, int hours) {
    const auto now = std::filesystem::file_time_type::clock::now();
    std::filesystem::last_write_time(path, now - std::chrono::hours(hours));
  };
  hours_ago(first, 3), hours_ago(second, 2), hours_ago(third, 1);
  copy('1', 1);  // used: now the newest
  const double one = static_cast<double>(std::filesystem::file_size(first));
  const std::string fourth = copy('4', 2.5 * one / 1e9);
  EXPECT_TRUE(file_exists(first) && file_exists(third) && file_exists(fourth));
  EXPECT_FALSE(file_exists(second));
  const std::string fifth = copy('5', 0);
  EXPECT_TRUE(file_exists(fifth)) << "the newest stays";
  EXPECT_EQ(copies().size(), 2u) << "it, and the file that is not ours";
}

TEST_F(DatasetCacheTest, WhatAKilledProcessLeftIsSweptAway) {
  load(true);
  const std::string left = folder.file("cache/" + std::string(32, 'a') + ".cache.tmp-7-0", "half");
  const std::string other = folder.file("cache/notes.cache.tmp-7-0", "of somebody else");
  params.cache_gb = 1;
  DatasetCache(params, {join_path(set, "train.csv")}, "", pool).save(data);
  EXPECT_FALSE(file_exists(left));
  EXPECT_TRUE(file_exists(other));
}

TEST_F(DatasetCacheTest, WhatAKilledProcessLeftGoesBeforeThereIsNoRoom) {
  load(true);
  const std::string left = folder.file("cache/" + std::string(32, 'a') + ".cache.tmp-7-0", "half");
  const DatasetCache cache(params, {join_path(set, "train.csv")}, "", pool);
  std::filesystem::create_directory(cache.path());  // cannot be written
  cache.save(data);
  EXPECT_FALSE(file_exists(left));
}

TEST_F(DatasetCacheTest, AMixtureIsRefusedWithACopyToo) {
  write_dataset(data, set);
  EXPECT_EQ(load_dataset(set, params, pool).fingerprint(), data.fingerprint());
  std::filesystem::remove(join_path(set, "test.csv"));
  EXPECT_THROW(load_dataset(set, params, pool), DataError);
}

TEST_F(DatasetCacheTest, OthersMayNotReadTheFolder) {
  load(true);
  EXPECT_EQ(std::filesystem::status(params.cache_folder).permissions(), std::filesystem::perms::owner_all);
}

TEST_F(DatasetCacheTest, CanBeOffAndDoesNothingForSmallInputs) {
  params.cache = false;
  load(true);
  load(true);
  params.cache = true;
  params.cache_from_mb = 100;
  load(true);
  load(true);
  EXPECT_TRUE(copies().empty());
  params.cache_from_mb = 0;
  EXPECT_EQ(DatasetCache(params, {"-"}, "", pool).path(), "") << "stdin";
}

TEST_F(DatasetCacheTest, AFolderThatCannotBeMadeIsNoError) {
  params.cache_folder = folder.file("a file", "x") + "/under";
  load(true);
  load(true);
}

}  // namespace
}  // namespace equipoise
