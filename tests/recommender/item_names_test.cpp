// Names of items travel with the model, and a model without names is the file that it was.
#include "data/temp_folder.h"
#include "recommender/fixture.h"
#include "recommender/model_file.h"

namespace equipoise::test {
namespace {

Dataset named_log() {
  Dataset data = known_log(30, 8);
  for (std::int32_t i = 0; i < data.items.size(); ++i) data.item_names.push_back("Film, \"" + data.items.name(i) + '"');
  return data;
}

TEST(ItemNames, GoThroughTheFile) {
  const Dataset data = named_log();
  const auto r = some_recommender({"base", "gmf"}, data);
  const auto again = Recommender::from_bytes(r->bytes(), "bytes", one_thread());
  EXPECT_EQ(again->item_names(), data.item_names);
  EXPECT_EQ(again->item_name(3), "Film, \"i3\"");
  EXPECT_EQ(again->bytes(), r->bytes());
}

TEST(ItemNames, ChangeNothingButTheirOwnArray) {
  Dataset data = named_log();
  const BlockFile with = ModelFile::pack(*some_recommender({"base", "gmf"}, data));
  data.item_names.clear();
  const auto nameless = some_recommender({"base", "gmf"}, data);
  const BlockFile without = ModelFile::pack(*nameless);
  EXPECT_FALSE(without.has("item.names"));
  EXPECT_EQ(with.blocks().size(), without.blocks().size() + 2) << "the names and their offsets";
  for (const auto& [name, block] : without.blocks()) EXPECT_EQ(with.block(name).bytes, block.bytes) << name;
  EXPECT_TRUE(Recommender::from_bytes(nameless->bytes(), "bytes", one_thread())->item_names().empty());
}

TEST(ItemNames, OfAnotherNumberThanItemsAreRefused) {
  BlockFile file = ModelFile::pack(*some_recommender({"base", "gmf"}, named_log()));
  file.replace_texts("item.names", {"one", "two"});
  const std::string text = error_of<CheckError>([&] { ModelFile::unpack(file, "some.model", one_thread()); });
  EXPECT_NE(text.find("the items and their names do not fit together"), std::string::npos) << text;
}

}  // namespace
}  // namespace equipoise::test
