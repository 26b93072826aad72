// The list of files in dataset.toml: a mixture of two data sets is refused, and files changed by hand may be taken.
#include "data/file_list.h"

#include <filesystem>

#include "data/dataset.h"
#include "data/temp_folder.h"

namespace equipoise {
namespace {

namespace fs = std::filesystem;
using test::error_of;

Dataset small(float label, float price) {
  Dataset data;
  data.users = IdMap({"a", "b"});
  data.items = IdMap({"x", "y"});
  data.item_features.rows = 2;
  data.item_features.continuous = {{"price", {price, 1}}};
  data.train = {{0, 1, 1}, {0, 1, 0}, {label, 0, 1}, {}, {}, {}};
  data.valid = {{0}, {1}, {1}, {}, {}, {}};
  data.test = {{0}, {1}, {0}, {}, {}, {}};
  return data;
}

class FileListTest : public testing::Test {
 protected:
  /// Without the folder's name.
  std::string error() const {
    const std::string text = error_of<DataError>([&] { read_dataset(set); });
    return text.starts_with(set + "/") ? text.substr(set.size() + 1) : text;
  }
  std::string error_with(const char* name) {
    write_dataset(small(1, 5), set);
    fs::copy_file(join_path(other, name), join_path(set, name), fs::copy_options::overwrite_existing);
    return error();
  }

  test::TempFolder folder;
  const std::string set = folder / "set", other = folder / "other", toml = join_path(set, "dataset.toml");
  const std::string more = "; to take the files as they are, remove [files] from dataset.toml";
};

TEST_F(FileListTest, RefusesAMixtureOfTwo) {
  write_dataset(small(0, 6), other);
  const std::string another =
      ": is another file than the one that dataset.toml was written with (a write is under way or was cut "
      "short, or somebody edited it): import again" +
      more;
  EXPECT_EQ(error_with("train.csv"), "train.csv" + another);
  EXPECT_EQ(error_with("items.csv"), "items.csv" + another);
  EXPECT_EQ(error_with("dataset.toml"), "items.csv" + another);
}

TEST_F(FileListTest, RefusesAFileTooFewOrTooMany) {
  write_dataset(small(1, 5), set);
  fs::copy(set, other);
  fs::remove(join_path(set, "valid.csv"));
  EXPECT_EQ(error(), "valid.csv: is missing, and dataset.toml was written with it" + more);
  Dataset less = small(1, 5);
  less.valid.clear();
  write_dataset(less, set);
  fs::copy_file(join_path(other, "valid.csv"), join_path(set, "valid.csv"));
  EXPECT_EQ(error(), "valid.csv: is a file that dataset.toml was written without" + more);
}

TEST_F(FileListTest, FilesChangedByHandAreTakenWithoutIt) {
  write_dataset(small(1, 5), set);
  const std::string text = read_file(toml);
  write_file(toml, text.substr(0, text.find("[files]")));
  fs::remove(join_path(set, "test.csv"));
  EXPECT_TRUE(read_dataset(set).test.empty());
}

TEST_F(FileListTest, IsATableOfTexts) {
  write_dataset(small(1, 5), set);
  write_file(toml, "files = 3\n");
  EXPECT_EQ(error(), "dataset.toml: [files] is not a table");
  write_file(toml, "[files]\nx = 3\n");
  EXPECT_EQ(error(), "dataset.toml: \"x\" in [files] is not a text");
}

}  // namespace
}  // namespace equipoise
