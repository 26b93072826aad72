// Data set folders of every released format are read as they were then.
#include <gtest/gtest.h>

#include "core/file.h"
#include "data/dataset.h"

namespace equipoise {
namespace {

std::string golden(const char* name) { return join_path(EQUIPOISE_GOLDEN, name); }

TEST(GoldenData, Format1) {
  const Dataset data = read_dataset(golden("data-format1"));
  EXPECT_EQ(data.fingerprint(), "a5420a0c79274ad4");
  EXPECT_EQ(data.name, "market");
  EXPECT_EQ(data.users.names(), (std::vector<std::string>{"ann", "bob", "cid", "dan \"d\"", "flo", "eve", "gus"}));
  EXPECT_EQ(data.items.names(), (std::vector<std::string>{"tea, green", "milk", "bread", "figs"}));
  EXPECT_EQ(data.provenance.at("users_without_rows").as_int(), 1);
}

// With the list of files; ids that only valid or test have come last.
TEST(GoldenData, Format2) {
  const Dataset data = read_dataset(golden("data-format2"));
  EXPECT_EQ(data.fingerprint(), "943a70c71a4bb726");
  EXPECT_EQ(data.name, "market");
  EXPECT_EQ(data.users.names(), (std::vector<std::string>{"ann", "bob", "cid", "dan \"d\"", "gus", "eve", "flo"}));
  EXPECT_EQ(data.held_out_users, 2);
  EXPECT_EQ(data.held_out_items, 1);
}

}  // namespace
}  // namespace equipoise
