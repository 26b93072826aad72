// What may be overwritten: nothing, our own files, and with force anything but what cannot be written.
#include "app/outputs.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "data/temp_folder.h"
#include "recommender/fixture.h"

namespace equipoise::test {
namespace {

bool refused(const std::string& path, const OutputKind& kind, const std::vector<std::string>& inputs = {},
             bool force = false) {
  try {
    check_output(path, kind, inputs, force);
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos);
    return true;
  }
  return false;
}

TEST(Outputs, NewAndEmptyFilesAreFree) {
  const TempFolder folder;
  EXPECT_FALSE(refused(folder / "new", kModelOutput));
  EXPECT_FALSE(refused(folder.file("empty", ""), kModelOutput));
  EXPECT_FALSE(file_exists(folder / "new")) << "looking leaves nothing behind";
  EXPECT_THROW(check_output(folder / "no/such/folder", kModelOutput, {}, true), OutputError);
  EXPECT_THROW(check_output(folder.path(), kModelOutput, {}, true), OutputError);
}

TEST(Outputs, OurOwnAreReplacedAndOthersAreNot) {
  const TempFolder folder;
  const std::string model = folder / "some.model";
  some_recommender({"base", "gmf"}, known_log(30, 8))->save(model);
  const std::string scores = folder.file("scores.csv", "user,item,score\nu,i,1\n");
  const std::string log = folder.file("log.csv", "user,item,label\nu,i,1\n");
  EXPECT_FALSE(refused(model, kModelOutput));
  EXPECT_TRUE(refused(model, kCsvOutput));
  EXPECT_FALSE(refused(scores, kCsvOutput));
  EXPECT_TRUE(refused(scores, kModelOutput));
  for (const OutputKind* kind : {&kModelOutput, &kCsvOutput, &kPageOutput}) {
    EXPECT_TRUE(refused(log, *kind)) << kind->what;
    EXPECT_FALSE(refused(log, *kind, {}, true)) << "forced";
  }
  folder.file("cut.model", read_file(model).substr(0, 5000));
  EXPECT_FALSE(refused(folder / "cut.model", kModelOutput)) << "a damaged model is ours";
}

TEST(Outputs, AnInputIsNotOneByAnyName) {
  const TempFolder folder;
  const std::string scores = folder.file("scores.csv", "user,item,score\nu,i,1\n");
  ASSERT_EQ(::link(scores.c_str(), (folder / "hard").c_str()), 0);
  ASSERT_EQ(::symlink(scores.c_str(), (folder / "soft").c_str()), 0);
  for (const std::string& name : {scores, folder / "hard", folder / "soft", folder / "./scores.csv"}) {
    EXPECT_TRUE(refused(name, kCsvOutput, {scores})) << name;
    EXPECT_FALSE(refused(name, kCsvOutput, {folder / "another"})) << name;
  }
}

}  // namespace
}  // namespace equipoise::test
