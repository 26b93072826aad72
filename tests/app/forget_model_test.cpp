// A user is taken out of a model's file whole or not at all, and what stays is said.
#include <gtest/gtest.h>

#include "app/forget.h"
#include "core/file.h"
#include "data/temp_folder.h"
#include "recommender/fixture.h"
#include "stopping.h"

namespace equipoise::test {
namespace {

TEST(ForgetInModel, WritesTheFileAnewAndSaysWhatStays) {
  const TempFolder folder;
  const std::string path = folder / "some.model";
  some_recommender({"base", "gmf"}, known_log(30, 8))->save(path);
  const Hearing hearing;
  const TakenOut out = forget_in_model(path, "u4", one_thread());
  EXPECT_GT(out.items, 0);
  EXPECT_EQ(out.arrays, 2) << "vector and bias";
  const auto left = Recommender::load(path, one_thread());
  EXPECT_EQ(left->users().find("u4"), -1);
  EXPECT_EQ(left->users().size(), 29);
  ASSERT_EQ(hearing.notes.size(), 2U);
  EXPECT_NE(hearing.notes[0].find("only training again without those rows"), std::string::npos);
  EXPECT_NE(hearing.notes[1].find("scores of others change a little"), std::string::npos);
}

TEST(ForgetInModel, WhoHadNoRowsLeftNoTrace) {
  const TempFolder folder;
  const std::string path = folder / "some.model";
  some_recommender({"base", "gmf"}, known_log(30, 8, 6, false))->save(path);
  const Hearing hearing;
  EXPECT_EQ(forget_in_model(path, "u29", one_thread()).items, 0);
  EXPECT_TRUE(hearing.notes.empty());
}

TEST(ForgetInModel, AnUnknownUserChangesNothing) {
  const TempFolder folder;
  const std::string path = folder / "some.model";
  some_recommender({"mean", ""}, known_log(30, 8))->save(path);
  const std::string before = read_file(path);
  const std::string text = error_of<UsageError>([&] { forget_in_model(path, "nobody", one_thread()); });
  EXPECT_NE(text.find("does not know user \"nobody\""), std::string::npos) << text;
  EXPECT_EQ(read_file(path), before);
  EXPECT_THROW(forget_in_model(folder.file("no.model", "nothing of the kind"), "u1", one_thread()), CheckError);
}

}  // namespace
}  // namespace equipoise::test
