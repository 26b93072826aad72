// The model file: everything comes back; what is missing, misshapen, foreign, newer or damaged is refused by name.
#include "recommender/model_file.h"

#include <limits>

#include "core/hash.h"
#include "data/temp_folder.h"
#include "recommender/fixture.h"

namespace equipoise::test {
namespace {

using test::error_of;
using test::TempFolder;

/// The file again, with blocks and entries changed on the way.
struct Copy {
  std::map<std::string, std::string> meta;
  std::map<std::string, BlockFile::Block> blocks;

  explicit Copy(const BlockFile& file) : blocks(file.blocks()) {
    for (const char* key : {"format", "format_version", "needs_reader", "program", "recipe", "training", "data",
                            "user.features", "item.features"}) {
      meta[key] = file.meta(key);
    }
  }

  BlockFile file() const {
    BlockFile out;
    for (const auto& [key, value] : meta) out.set_meta(key, value);
    for (const auto& [name, block] : blocks) add(out, name, block);
    return out;
  }

 private:
  template <class T>
  static void add_as(BlockFile& out, const std::string& name, const BlockFile::Block& block) {
    std::vector<T> values(block.bytes.size() / sizeof(T));
    std::copy(block.bytes.begin(), block.bytes.end(), reinterpret_cast<char*>(values.data()));
    out.add<T>(name, block.shape, values);
  }
  static void add(BlockFile& out, const std::string& name, const BlockFile::Block& block) {
    switch (block.type) {
      case Type::f32:
        return add_as<float>(out, name, block);
      case Type::f64:
        return add_as<double>(out, name, block);
      case Type::i32:
        return add_as<std::int32_t>(out, name, block);
      case Type::i64:
        return add_as<std::int64_t>(out, name, block);
      case Type::u8:
        return add_as<char>(out, name, block);
    }
  }
};

class ModelFileTest : public ::testing::Test {
 protected:
  ModelFileTest() : data_(known_log(30, 8, 5)), copy_(ModelFile::pack(*some_recommender({"base", "gmf"}, data_))) {}

  /// Through bytes, as a file would go; the message of its refusal.
  std::string refusal() {
    const std::string bytes = copy_.file().serialise();
    return error_of<CheckError>(
        [&] { ModelFile::unpack(BlockFile::parse(bytes, "some.model", "model"), "some.model", pool_); });
  }
  static bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

  Pool pool_{1};
  Dataset data_;
  Copy copy_;
};

TEST_F(ModelFileTest, AnUnchangedCopyIsRead) {
  const auto r = ModelFile::unpack(copy_.file(), "some.model", pool_);
  EXPECT_EQ(r->users().names(), data_.users.names());
  EXPECT_EQ(r->items().names(), data_.items.names());
  EXPECT_EQ(r->data().at("fingerprint").as_string(), data_.fingerprint());
  EXPECT_EQ(r->data().at("name").as_string(), data_.name);
  EXPECT_EQ(r->catalogue().users.features.categorical, data_.user_features.categorical);
  EXPECT_EQ(r->recipe().to_json(), parse_json(copy_.meta.at("recipe"), "recipe"));
}

TEST_F(ModelFileTest, EveryArrayIsNeeded) {
  const auto blocks = copy_.blocks;
  for (const auto& [name, block] : blocks) {
    copy_.blocks.erase(name);
    const std::string text = refusal();
    EXPECT_TRUE(says(text, "some.model")) << text;
    EXPECT_TRUE(says(text, name)) << text;
    copy_.blocks = blocks;
  }
  const auto meta = copy_.meta;
  for (const char* key : {"format", "needs_reader", "recipe", "training", "data", "user.features", "item.features"}) {
    copy_.meta.erase(key);
    refusal();
    copy_.meta = meta;
  }
}

TEST_F(ModelFileTest, WhatItSaysOfItsDataAndTrainingIsWhole) {
  const auto meta = copy_.meta;
  for (const auto& [key, value] :
       std::vector<std::pair<std::string, std::string>>{{"data", "null"},
                                                        {"data", "[]"},
                                                        {"data", "{}"},
                                                        {"data", R"({"name":"a"})"},
                                                        {"data", R"({"name":"a","fingerprint":1})"},
                                                        {"data", R"({"name":[],"fingerprint":"0"})"},
                                                        {"training", ""},
                                                        {"training", "null"},
                                                        {"training", "[1]"},
                                                        {"training", R"({"findings":null})"},
                                                        {"training", R"({"findings":[]})"},
                                                        {"user.features", "{}"},
                                                        {"recipe", "7"}}) {
    copy_.meta[key] = value;
    const std::string text = refusal();
    EXPECT_TRUE(says(text, "some.model: cannot be used as a model")) << key << " " << value << ": " << text;
    copy_.meta = meta;
  }
  copy_.meta["training"] = "{}";
  EXPECT_TRUE(ModelFile::unpack(copy_.file(), "some.model", pool_)->training.at("findings").as_object().empty());
}

TEST_F(ModelFileTest, AnArrayOfAnotherShapeIsRefused) {
  const std::string name = "f/user.id";
  std::swap(copy_.blocks.at(name).shape[0], copy_.blocks.at(name).shape[1]);
  EXPECT_TRUE(says(refusal(), "'f/user.id' has another shape"));
}

TEST_F(ModelFileTest, AnArrayOfAnotherTypeIsRefused) {
  copy_.blocks.at("user.rows").type = Type::f32;
  EXPECT_TRUE(says(refusal(), "user.rows"));
}

TEST_F(ModelFileTest, AnotherFormatIsRefused) {
  copy_.meta["format"] = "equipoise checkpoint";
  EXPECT_TRUE(says(refusal(), "a file of another kind"));
}

TEST_F(ModelFileTest, ANewerFormatIsRefusedWithBothVersions) {
  copy_.meta["needs_reader"] = "7";
  const std::string text = refusal();
  EXPECT_TRUE(says(text, "format 7")) << text;
  EXPECT_TRUE(says(text, "up to format 1")) << text;
  EXPECT_TRUE(says(text, kVersion)) << text;
}

TEST_F(ModelFileTest, ANewerFileThatThisReaderStillReadsIsRead) {
  copy_.meta["format_version"] = "7";
  EXPECT_NE(ModelFile::unpack(copy_.file(), "some.model", pool_), nullptr);
}

TEST_F(ModelFileTest, ARecipeOfAnUnknownMethodOrParameterIsRefused) {
  const std::string recipe = copy_.meta["recipe"];
  copy_.meta["recipe"] = R"({"method":"bass","base":"gmf","parameters":{}})";
  EXPECT_TRUE(says(refusal(), "bass"));
  copy_.meta["recipe"] = R"({"method":"base","base":"gmf","parameters":{"embeding":4}})";
  EXPECT_TRUE(says(refusal(), "embeding"));
  copy_.meta["recipe"] = "{";
  refusal();
  copy_.meta["recipe"] = R"({"method":"base","base":"gmf","parameters":{"embedding":4}})";
  EXPECT_TRUE(says(refusal(), "another shape"));
}

TEST_F(ModelFileTest, ARecipeThatAsksForMoreMemoryThanTheFileHoldsIsRefused) {
  copy_.meta["recipe"] = R"({"method":"base","base":"gmf","parameters":{"embedding":4096}})";
  EXPECT_TRUE(says(refusal(), "another shape")) << "155,648 numbers for users and items: not yet too many to look";
  copy_.meta["recipe"] =
      R"({"method":"base","base":"mlp","parameters":{"embedding":1,"layers":"4096,4096,4096,4096,4096"}})";
  EXPECT_TRUE(says(refusal(), "larger than what it holds"));
}

/// Sets one number of an array of whole numbers.
template <class T>
void poke(BlockFile::Block& block, std::size_t place, T value) {
  block.bytes.replace(place * sizeof(T), sizeof(T), reinterpret_cast<const char*>(&value), sizeof(T));
}

TEST_F(ModelFileTest, NumbersThatAreNotFiniteAreNeitherReadNorWritten) {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const auto r = some_recommender({"base", "gmf"}, data_);
  const TempFolder folder;
  const std::string path = folder / "some.model";
  r->save(path);
  const std::string good = read_file(path);
  const auto blocks = copy_.blocks;
  for (const float wrong : {infinity, -infinity, nan}) {
    poke(copy_.blocks.at("f/user.id"), 3, wrong);
    EXPECT_TRUE(says(refusal(), "array 'f/user.id' holds a number that is not finite"));
    copy_.blocks = blocks;
    r->networks().all().front().arrays().front().values()[5] = wrong;
    EXPECT_TRUE(says(error_of<CheckError>([&] { r->save(path); }), path + ": not written, because array"));
    EXPECT_TRUE(read_file(path) == good) << "the good model is still there";
  }
}

TEST_F(ModelFileTest, NumbersThatLeadNowhereAreRefused) {
  const auto blocks = copy_.blocks;
  for (const std::int32_t wrong : {-1, 1000000}) {
    for (const char* name : {"seen.items", "user.feature.0.codes", "user.feature.0.offsets", "item.feature.0.codes"}) {
      poke(copy_.blocks.at(name), 1, wrong);
      EXPECT_TRUE(says(refusal(), "do not fit together")) << name;
      copy_.blocks = blocks;
    }
  }
  poke(copy_.blocks.at("seen.offsets"), 3, std::int64_t{1} << 40);
  EXPECT_TRUE(says(refusal(), "do not fit together"));
}

TEST_F(ModelFileTest, OneByteChangedOrCutShortIsRefused) {
  const TempFolder folder;
  const std::string bytes = copy_.file().serialise();
  ASSERT_NO_THROW(BlockFile::parse(bytes, "whole", "model"));
  Stream stream(1, "places");
  for (int n = 0; n < 300; ++n) {
    std::string damaged = bytes;
    const std::size_t place =
        n < 16 ? static_cast<std::size_t>(n) : stream.below(static_cast<std::uint32_t>(bytes.size()));
    damaged[place] = static_cast<char>(damaged[place] ^ static_cast<char>(1 + stream.below(255)));
    EXPECT_THROW(BlockFile::parse(damaged, "damaged", "model"), CheckError) << "byte " << place;
    const std::string cut = bytes.substr(0, place);
    EXPECT_THROW(BlockFile::parse(cut, "cut", "model"), CheckError) << "cut at " << place;
  }
  EXPECT_THROW(BlockFile::parse(bytes + '\0', "longer", "model"), CheckError);
  std::string damaged = bytes;
  damaged[bytes.size() / 2] ^= 1;
  const std::string path = folder.file("damaged.model", damaged);
  EXPECT_TRUE(says(error_of<CheckError>([&] { Recommender::load(path, pool_); }), path));
  EXPECT_THROW(Recommender::load(folder / "none.model", pool_), DataError);
}

TEST(Features, MayBeCalledAnything) {
  Dataset data = known_log(30, 8, 5, false);
  data.user_features = {data.users.size(),
                        {some_categories("id", data.users.size()), some_tags("bias", data.users.size())},
                        {some_numbers("continuous", data.users.size()), some_numbers("rows", data.users.size())}};
  data.user_features.categorical.push_back(some_categories("continuous2", data.users.size()));
  data.user_features.categorical.back().name = "feature.0";
  Pool pool(1);
  const auto r = some_recommender({"base", "gmf"}, data);
  const auto again = ModelFile::unpack(ModelFile::pack(*r), "some.model", pool);
  EXPECT_EQ(score_one(*again, 3, 2), score_one(*r, 3, 2));
}

TEST(RecipeTest, RefusesBasesWhereTheyDoNotBelong) {
  EXPECT_THROW(Recipe("popularity", "gmf"), UsageError);
  EXPECT_THROW(Recipe("base", ""), UsageError);
  EXPECT_THROW(Recipe("base", "gfm"), UsageError);
  Recipe recipe("base", "mlp");
  recipe.params().set("layers", "7,5");
  recipe.params().set("embedding", "3");
  const auto again = Recipe::from_json(recipe.to_json());
  EXPECT_EQ(again->to_json(), recipe.to_json());
  EXPECT_EQ(again->model().representation.width, 3);
}

}  // namespace
}  // namespace equipoise::test
