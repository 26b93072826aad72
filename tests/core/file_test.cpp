// Files: read whole with clear errors; written whole or not at all, with nothing left behind.
#include "core/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <set>

#include "data/temp_folder.h"

namespace equipoise {
namespace {

using test::error_of;
using test::TempFolder;

std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

// A disk that is full after so many bytes of a file.
class FullAfter {
 public:
  explicit FullAfter(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  ~FullAfter() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

TEST(File, RoundTripsBytesOfEverySize) {
  const TempFolder folder;
  const std::string path = folder / "f";
  for (const std::size_t size : {0, 1, 4096, 1 << 20, (1 << 20) + 1}) {
    std::string bytes(size, '\0');
    for (std::size_t k = 0; k < size; ++k) bytes[k] = static_cast<char>(k * 7 + k / 251);
    write_file(path, bytes);
    EXPECT_EQ(read_file(path), bytes);
  }
  EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"f"});
}

TEST(File, ManySmallWritesAreOneFile) {
  const TempFolder folder;
  AtomicFile file(folder / "f");
  std::string expected;
  for (int k = 0; k < 300000; ++k) {
    const std::string line = std::to_string(k) + "\n";
    file.write(line);
    expected += line;
  }
  EXPECT_FALSE(file_exists(folder / "f"));  // not before commit
  file.commit();
  EXPECT_EQ(read_file(folder / "f"), expected);
}

TEST(File, WithoutCommitNothingChanges) {
  const TempFolder folder;
  const std::string path = folder.file("f", "old");
  {
    AtomicFile file(path);
    file.write("new");
    EXPECT_EQ(read_file(path), "old");
  }
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"f"});
}

TEST(File, AFullDiskLeavesTheOldFileAndNoTemporary) {
  const TempFolder folder;
  const std::string path = folder.file("f", "old");
  for (const std::size_t size : {std::size_t{20000}, std::size_t{5} << 20}) {  // fails at commit; fails while writing
    const FullAfter full(10000);
    EXPECT_EQ(error_of<Error>([&] { write_file(path, std::string(size, 'x')); }),
              path + ": cannot be written (File too large)");
    EXPECT_EQ(read_file(path), "old");
    EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"f"});
  }
  write_file(path, "new");
  EXPECT_EQ(read_file(path), "new");
}

TEST(File, WhatCannotBeWrittenSaysWhy) {
  const TempFolder folder;
  EXPECT_EQ(error_of<Error>([&] { write_file(folder / "no/such/f", "x"); }),
            folder / "no/such/f" + ": cannot be written (No such file or directory)");
  EXPECT_EQ(error_of<Error>([&] { write_file(folder.path(), "x"); }),
            folder.path() + ": is a folder, expected a file name to write");
  const std::string file = folder.file("f", "old");
  EXPECT_EQ(error_of<Error>([&] { write_file(file + "/g", "x"); }), file + "/g: cannot be written (Not a directory)");
  EXPECT_TRUE(
      error_of<Error>([] { write_file("/proc/equipoise", "x"); }).starts_with("/proc/equipoise: cannot be written ("));
  error_of<Error>([] { write_file("", "x"); });
  error_of<Error>([&] { write_file(folder / std::string(300, 'n'), "x"); });
  EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"f"});
}

TEST(File, DevicesAndPipesAreNeverReplaced) {
  const TempFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(error_of<Error>([&] { write_file(pipe, "x"); }),
            pipe + ": is a device or a pipe, expected a file name to write");
  struct stat status {};
  ASSERT_EQ(::stat(pipe.c_str(), &status), 0);
  EXPECT_TRUE(S_ISFIFO(status.st_mode));
  EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"pipe"});
}

TEST(File, WhatKilledProcessesLeftIsSweptAway) {
  const TempFolder folder;
  const std::string path = folder / "f";
  for (const char* left : {"f.tmp-1-0", "f.tmp-999999999-12", "f.tmp-1-00"}) folder.file(left, "half");
  const std::set<std::string> others = {"f.tmp-1",    "f.tmp-x-1", "f.tmp-1-",  "f.tmp--1",   "f.tmp-1-1x",
                                        "ff.tmp-1-1", "tmp-1-1",   "g.tmp-1-1", "f.tmp-1-1-1"};
  for (const std::string& other : others) folder.file(other, "not ours");
  write_file(path, "whole");
  EXPECT_EQ(read_file(path), "whole");
  std::set<std::string> expected = others;
  expected.insert("f");
  EXPECT_EQ(names_in(folder.path()), expected);
  folder.file("f.tmp-7-7", "half");
  remove_file(path);
  EXPECT_EQ(names_in(folder.path()), others);
  EXPECT_NO_THROW(remove_file(path));
}

TEST(File, NeitherFoldersNorLinksAreSwept) {
  const TempFolder folder;
  const std::string precious = folder.file("precious", "kept");
  std::filesystem::create_directory(folder / "f.tmp-1-1");
  std::filesystem::create_symlink(precious, folder / "f.tmp-1-2");
  ASSERT_EQ(::mkfifo((folder / "f.tmp-1-3").c_str(), 0600), 0);
  write_file(folder / "f", "whole");
  EXPECT_EQ(names_in(folder.path()), (std::set<std::string>{"f", "f.tmp-1-1", "f.tmp-1-2", "f.tmp-1-3", "precious"}));
  EXPECT_EQ(read_file(precious), "kept");
}

TEST(File, AnotherProcessThatStillWritesIsLeftAlone) {
  const TempFolder folder;
  const std::string path = folder / "f";
  int ready[2], go[2];
  ASSERT_EQ(::pipe(ready), 0);
  ASSERT_EQ(::pipe(go), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    char byte = 0;
    AtomicFile file(path);
    file.write("child");
    const bool told = ::write(ready[1], &byte, 1) == 1 && ::read(go[0], &byte, 1) == 1;
    file.commit();
    ::_exit(told ? 0 : 1);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  write_file(path, "parent");
  EXPECT_EQ(names_in(folder.path()).size(), 2U) << "the child's file is under way";
  ASSERT_EQ(::write(go[1], &byte, 1), 1);
  int status = 1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read_file(path), "child");
  EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"f"});
  for (const int file : {ready[0], ready[1], go[0], go[1]}) ::close(file);
}

TEST(File, TwoFilesOfOneNameUnderWay) {
  const TempFolder folder;
  const std::string path = folder / "f";
  AtomicFile one(path), two(path);
  one.write("one");
  two.write("two");
  two.commit();
  EXPECT_EQ(read_file(path), "two");
  one.commit();
  EXPECT_EQ(read_file(path), "one");
}

TEST(File, ReadingSaysWhatIsWrong) {
  const TempFolder folder;
  EXPECT_EQ(error_of<DataError>([&] { read_file(folder / "none"); }), folder / "none" + ": no such file");
  EXPECT_EQ(error_of<DataError>([&] { read_file(folder.path()); }), folder.path() + ": is a folder, expected a file");
  EXPECT_EQ(error_of<DataError>([&] { read_file(folder.file("f", "") + "/x"); }),
            folder / "f/x" + ": cannot open: Not a directory");
  EXPECT_EQ(read_file(folder / "f"), "");
  EXPECT_GT(read_file("/proc/self/status").size(), 100U);  // a file that says it has 0 bytes
  EXPECT_THROW(read_file("/proc/self/mem"), DataError);    // opens, and fails while it is read
}

TEST(File, Folders) {
  const TempFolder folder;
  make_folder(folder / "a/b/c");
  make_folder(folder / "a/b/c");
  EXPECT_TRUE(is_folder(folder / "a/b/c"));
  folder.file("f", "x");
  EXPECT_TRUE(
      error_of<Error>([&] { make_folder(folder / "f"); }).starts_with(folder / "f" + ": the folder cannot be made ("));
  EXPECT_TRUE(error_of<Error>([&] {
                make_folder(folder / "f/g");
              }).starts_with(folder / "f/g" + ": the folder cannot be made ("));
  EXPECT_THROW(make_folder("/proc/equipoise"), Error);
  EXPECT_TRUE(file_exists(folder / "f"));
  EXPECT_FALSE(is_folder(folder / "f"));
  EXPECT_FALSE(file_exists(folder / "g"));
  EXPECT_EQ(join_path("a", "b"), "a/b");
  EXPECT_EQ(join_path("a/", "b"), "a/b");
  EXPECT_EQ(join_path("", "b"), "b");  // not "/b"
  EXPECT_EQ(join_path("/", "b"), "/b");
}

}  // namespace
}  // namespace equipoise
