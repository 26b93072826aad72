// Ids that only valid or test have: numbered last, by importers and by folders alike, and known ones left as they are.
#include "data/held_out_ids.h"

#include "data/dataset_cache.h"
#include "data/import_helpers.h"
#include "data/temp_folder.h"

namespace equipoise {
namespace {

using Names = std::vector<std::string>;
using test::import_from;
using test::TempFolder;

Dataset five() {
  Dataset data;
  data.users = IdMap({"a", "late", "b", "idle", "early", "listed"});
  data.items = IdMap({"x", "y"});
  data.user_features.rows = 6;
  data.user_features.categorical = {{"town", true, {"P", "Q"}, {0, 1, 1, 3, 4, 4, 5}, {0, 0, 1, 1, 0}}};
  data.user_features.continuous = {{"age", {1, 2, 3, 4, 5, 6}}};
  data.train = {{0, 2, 0}, {0, 0, 1}, {1, 0, 1}, {}, {}, {}};
  data.valid = {{4, 5}, {0, 1}, {1, 1}, {}, {}, {}};
  data.test = {{1, 4}, {1, 1}, {0, 1}, {}, {}, {}};
  return data;
}

TEST(HeldOutIds, ComeLastInTheOrderOfTheirRows) {
  Dataset data = five();
  put_held_out_last(data, {false, false, false, false, false, true}, {});
  EXPECT_EQ(data.users.names(), (Names{"a", "b", "idle", "listed", "early", "late"}));
  EXPECT_EQ(data.held_out_users, 2);
  EXPECT_EQ(data.known_users(), 4);
  EXPECT_EQ(data.held_out_items, 0);
  EXPECT_EQ(data.train.user, (std::vector<std::int32_t>{0, 1, 0}));
  EXPECT_EQ(data.valid.user, (std::vector<std::int32_t>{4, 3}));
  EXPECT_EQ(data.test.user, (std::vector<std::int32_t>{5, 4}));
  EXPECT_EQ(data.user_features.continuous[0].values, (std::vector<float>{1, 3, 4, 6, 5, 2}));
  EXPECT_EQ(data.user_features.categorical[0].offsets, (std::vector<std::int32_t>{0, 1, 3, 4, 5, 5, 5}));
  EXPECT_EQ(data.user_features.categorical[0].codes, (std::vector<std::int32_t>{0, 0, 1, 1, 0}));
  EXPECT_EQ(data.users.find("late"), 5);
}

void expect_same(const Dataset& a, const Dataset& b) {
  EXPECT_EQ(a.users.names(), b.users.names());
  EXPECT_EQ(a.items.names(), b.items.names());
  EXPECT_EQ(a.held_out_users, b.held_out_users);
  EXPECT_EQ(a.held_out_items, b.held_out_items);
  EXPECT_EQ(a.fingerprint(), b.fingerprint());
}

TEST(HeldOutIds, AreTheSameByImportByFolderAndByCopy) {
  const TempFolder folder;
  const std::string head = "user,item,label\n";
  const std::string log = folder.file("log.csv", head + "b,y,1\na,x,0\nb,x,1\n"),
                    test = folder.file("test.csv", head + "new,x,1\nlisted,y,0\na,fresh,1\nb,x,0\n"),
                    valid = folder.file("valid.csv", head + "newer,y,1\nnew,y,1\n"),
                    users = folder.file("users.csv", "user,age\nother,3\nlisted,4\na,5\n");
  const Dataset data = import_from("csv", {log}, {{"test", test}, {"valid", valid}, {"users", users}});
  EXPECT_EQ(data.users.names(), (Names{"b", "a", "other", "listed", "newer", "new"}));
  EXPECT_EQ(data.items.names(), (Names{"y", "x", "fresh"}));
  EXPECT_EQ(data.held_out_users, 2);
  EXPECT_EQ(data.held_out_items, 1);
  write_dataset(data, folder / "set");
  expect_same(read_dataset(folder / "set"), data);
  EXPECT_EQ(read_file(folder / "set/users.csv"), "user,age\nb,\na,5\nother,3\nlisted,4\n");
  EXPECT_FALSE(file_exists(folder / "set/items.csv"));
  CacheParams params;
  params.cache_folder = folder / "cache";
  params.cache_from_mb = 0;
  Pool pool(1);
  for (int k = 0; k < 2; ++k) expect_same(load_dataset(folder / "set", params, pool), data);
}

TEST(HeldOutIds, ATableThatIsThereForTheOrderMakesNoneKnown) {
  const TempFolder folder;
  Dataset data = five();
  data.user_features = {};
  put_held_out_last(data, {false, false, false, false, false, true}, {});
  write_dataset(data, folder / "set");
  EXPECT_EQ(read_file(folder / "set/users.csv"), "user\na\nb\nidle\nlisted\n");
  expect_same(read_dataset(folder / "set"), data);
}

TEST(HeldOutIds, FeaturesOfTheirOwnAreNotLostInAFolder) {
  const TempFolder folder;
  Dataset data = five();
  put_held_out_last(data, {}, {});
  write_dataset(data, folder / "set");
  const Dataset again = read_dataset(folder / "set");
  EXPECT_EQ(again.fingerprint(), data.fingerprint());
  EXPECT_EQ(again.held_out_users, 0) << "whoever is in the table is known";
}

TEST(HeldOutIds, ASplitLogPutsItemsThatLeftTrainLast) {
  const TempFolder folder;
  std::string text = "user,item,label\n";
  for (int u = 0; u < 40; ++u) {
    for (int i = 0; i < 5; ++i) {
      text += "u" + std::to_string(u) + ",i" + std::to_string(i == 0 ? 100 + u : (u + i) % 7) + ",1\n";
    }
  }
  const Dataset data = import_from("csv", {folder.file("log.csv", text)});
  EXPECT_GT(data.held_out_items, 0);
  for (const std::int32_t item : data.train.item) EXPECT_LT(item, data.known_items());
  write_dataset(data, folder / "set");
  expect_same(read_dataset(folder / "set"), data);
}

TEST(HeldOutIds, ARowOfTestChangesNoNumberOfTheOthers) {
  const TempFolder folder;
  const std::string head = "user,item,label\n", log = folder.file("log.csv", head + "a,x,1\nb,y,0\na,y,1\nb,x,1\n");
  const auto names = [&](const std::string& test) {
    const std::string valid = folder.file("valid.csv", head + "a,x,1\n");
    return import_from("csv", {log},
                       {{"test", folder.file("t.csv", head + test)}, {"valid", valid}, {"keep_leaks", "true"}})
        .users.names();
  };
  EXPECT_EQ(names("b,x,1\n"), (Names{"a", "b"}));
  EXPECT_EQ(names("new,x,1\nb,x,1\n"), (Names{"a", "b", "new"}));
}

}  // namespace
}  // namespace equipoise
