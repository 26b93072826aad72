// Where tests look for real data sets, and how they skip where there are none.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace equipoise::test {

/// The folder of a real data set, or "" where it is not there. Without $EQUIPOISE_DATA it is looked for in shared/data
/// of the folders above the one the test runs in: __FILE__ would not do, because ccache may make it relative.
inline std::string real_data(const std::string& name) {
  namespace fs = std::filesystem;
  if (const char* given = std::getenv("EQUIPOISE_DATA"); given != nullptr) {
    return fs::is_directory(fs::path(given) / name) ? (fs::path(given) / name).string() : "";
  }
  for (fs::path above = fs::current_path(); above.has_relative_path(); above = above.parent_path()) {
    if (fs::is_directory(above / "shared" / "data" / name)) return (above / "shared" / "data" / name).string();
  }
  return "";
}

}  // namespace equipoise::test

#define NEEDS_REAL_DATA(variable, name)                            \
  const std::string variable = ::equipoise::test::real_data(name); \
  if (variable.empty()) GTEST_SKIP() << "needs the folder " name " in $EQUIPOISE_DATA or ../shared/data"
