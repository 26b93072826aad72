// A folder of a test's own, gone when the test is done, and small helpers for files and errors.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/file.h"

namespace equipoise::test {

class TempFolder {
 public:
  TempFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "equipoise-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw Error("no temporary folder");
    path_ = pattern;
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  std::string operator/(std::string_view name) const { return join_path(path_, name); }
  /// Writes the file and gives its path.
  std::string file(std::string_view name, std::string_view bytes) const {
    const std::string path = *this / name;
    std::ofstream(path, std::ios::binary) << bytes;  // without write_file's fsync, which is slow here
    return path;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// What the call throws; the test fails if it is not an E.
template <class E>
std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const E& error) {
    EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos) << "an error is one line";
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another kind of error: " << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

}  // namespace equipoise::test
