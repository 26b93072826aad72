// Folders in one step: the old one or the new one, what is carried over, and where names cannot be exchanged.
#include "core/whole_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "core/file.h"

namespace equipoise {
namespace {

namespace fs = std::filesystem;

class WholeFolderTest : public testing::Test {
 protected:
  WholeFolderTest() {
    std::string pattern = (fs::temp_directory_path() / "equipoise-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw Error("no temporary folder");
    root = pattern;
    target = root / "set";
    fs::create_directory(target);
    put(target / "index", "old");
    put(target / "gone", "old");
    put(target / "notes", "mine");
  }
  ~WholeFolderTest() override {
    fs::current_path(before);
    fs::remove_all(root);
  }

  static void put(const fs::path& path, const std::string& bytes) { std::ofstream(path) << bytes; }
  static void write(const std::string& folder, bool commit = true) {
    WholeFolder whole(folder, "index");
    put(fs::path(whole.path()) / "index", "new");
    put(fs::path(whole.path()) / "more", "new");
    if (commit) whole.commit({"index", "gone", "more"});
  }
  static std::string content(const fs::path& folder) {
    std::string out;
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      out += file.lexically_relative(folder).string();
      if (fs::is_regular_file(file)) out += "=" + read_file(file.string());
      out += ' ';
    }
    return out;
  }

  fs::path before = fs::current_path(), root, target;
};

TEST_F(WholeFolderTest, IsMade) {
  write(root / "a/b");
  EXPECT_EQ(content(root / "a"), "b b/index=new b/more=new ");
  write(root / "c/");
  EXPECT_EQ(content(root / "c"), "index=new more=new ");
}

TEST_F(WholeFolderTest, IsReplacedAndWhatIsNotItsOwnStays) {
  fs::create_directories(target / "mine/deep");
  put(target / "mine/deep/x", "x");
  fs::create_symlink("notes", target / "link");
  fs::permissions(target, fs::perms::owner_all);
  write(target);
  EXPECT_EQ(content(target), "index=new link=mine mine mine/deep mine/deep/x=x more=new notes=mine ");
  EXPECT_TRUE(fs::is_symlink(target / "link"));
  EXPECT_EQ(fs::status(target).permissions(), fs::perms::owner_all);
  EXPECT_EQ(std::distance(fs::directory_iterator(root), {}), 1) << "nothing is left beside it";
}

TEST_F(WholeFolderTest, WithoutCommitNothingChanges) {
  const std::string old = content(root);
  write(target, false);
  write(root / "new", false);
  EXPECT_EQ(content(root), old);
}

TEST_F(WholeFolderTest, ALinkStaysALink) {
  fs::create_directory(root / "elsewhere");
  fs::create_directory_symlink(target, root / "elsewhere/link");
  write(root / "elsewhere/link");
  EXPECT_TRUE(fs::is_symlink(root / "elsewhere/link"));
  EXPECT_EQ(content(target), "index=new more=new notes=mine ");
  fs::create_directory_symlink("nothing", root / "loose");
  EXPECT_THROW(write(root / "loose"), OutputError);
}

TEST_F(WholeFolderTest, WhoStandsInTheFolderStillDoes) {
  for (const char* where : {".", "notes.d"}) {
    fs::create_directory(target / "notes.d");
    fs::current_path(target / where);
    fs::remove(target / "more");
    put(target / "index", "old"), put(target / "gone", "old");
    write(target);
    EXPECT_TRUE(fs::equivalent(".", target / where));
    EXPECT_EQ(content(target), "index=new more=new notes=mine notes.d ");
  }
  fs::current_path(target);
  write(".");
  EXPECT_EQ(content(target), "index=new more=new notes=mine notes.d ");
}

TEST_F(WholeFolderTest, SweepsWhatTheDeadLeftAndNothingElse) {
  for (const char* name : {"set.tmp-1-2", "set.tmp-3-4", "set.tmp-x-4", "other.tmp-1-2"}) {
    fs::create_directories(root / name / "deep");
  }
  const int living = ::open((root / "set.tmp-3-4").c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(living, LOCK_EX), 0);
  fs::create_directories(target / "new.tmp-5-6");
  sweep_whole_folder(target);
  EXPECT_FALSE(fs::exists(target / "new.tmp-5-6"));
  write(target);
  ::close(living);
  EXPECT_FALSE(fs::exists(root / "set.tmp-1-2"));
  for (const char* name : {"set.tmp-3-4", "set.tmp-x-4", "other.tmp-1-2"}) EXPECT_TRUE(fs::exists(root / name)) << name;
}

}  // namespace
}  // namespace equipoise
