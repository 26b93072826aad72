// Parameters declared once: flags, texts, JSON, limits, messages; and a field that an error leaves alone.
#include "core/params.h"

#include <gtest/gtest.h>

#include "data/temp_folder.h"

namespace equipoise {
namespace {

using test::error_of;

struct Settings {
  float learning_rate = 0.1f;
  double alpha = 0.5;
  int epochs = 20;
  std::uint64_t seed = 1;
  bool biases = true;
  std::string optimizer = "lazy-adam";
  std::string note;
  std::vector<int> widths = {32, 16, 8};

  void describe(auto& p) {
    p("learning_rate", learning_rate, "step of the optimiser", above(0), at_most(1), searched({0.001, 0.01, 1}));
    p("alpha", alpha, "a share", between(0, 1));
    p("epochs", epochs, "passes over the log", at_least(1), below(1000));
    p("seed", seed, "names the random streams");
    p("biases", biases, "a bias for each user and item");
    p("optimizer", optimizer, "how steps are taken", one_of({"lazy-adam", "adam", "sgd"}), searched_words({"adam"}));
    p("note", note, "words kept with the model");
    p("widths", widths, "layers of the tower", at_least(1));
  }
};

class ParamsTest : public ::testing::Test {
 protected:
  ParamsTest() { settings.describe(params); }
  std::string refused(std::string_view name, std::string_view text, const std::string& where = "") {
    const Json before = params.to_json();
    const std::string message = error_of<UsageError>([&] { params.set(name, text, where); });
    EXPECT_EQ(params.to_json(), before) << "an error leaves every field alone";
    return message;
  }
  std::string refused_json(const char* name, const Json& value) {
    const Json before = params.to_json();
    const std::string message = error_of<UsageError>([&] { params.set_all(Json::object({{name, value}}), "c.toml"); });
    EXPECT_EQ(params.to_json(), before);
    return message;
  }
  Settings settings;
  Params params;
};

TEST_F(ParamsTest, EverythingComesFromTheDeclaration) {
  const Param& rate = *params.find("learning_rate");
  EXPECT_EQ(rate.flag(), "--learning-rate");
  EXPECT_EQ(rate.default_text(), "0.1");  // not 0.10000000149
  EXPECT_EQ(rate.kind(), "number");
  EXPECT_EQ(rate.range(), "above 0 up to 1");
  EXPECT_EQ(rate.sentence(), "step of the optimiser");
  EXPECT_EQ(rate.limits().searched, (std::vector<std::string>{"0.001", "0.01", "1"}));
  EXPECT_EQ(params.find("alpha")->range(), "from 0 up to 1");
  EXPECT_EQ(params.find("epochs")->range(), "from 1 below 1000");
  EXPECT_EQ(params.find("epochs")->kind(), "whole number");
  EXPECT_EQ(params.find("seed")->range(), "");
  EXPECT_EQ(params.find("biases")->kind(), "true or false");
  EXPECT_EQ(params.find("optimizer")->range(), "lazy-adam | adam | sgd");
  EXPECT_EQ(params.find("optimizer")->limits().searched, (std::vector<std::string>{"adam"}));
  EXPECT_EQ(params.find("widths")->default_text(), "32,16,8");
  EXPECT_EQ(params.find("widths")->kind(), "list of whole numbers");
  EXPECT_EQ(params.find("nothing"), nullptr);
  EXPECT_EQ(params.names().front(), "learning_rate");
  EXPECT_EQ(params.names().size(), 8U);
}

TEST_F(ParamsTest, JsonHasTheShortestNumbers) {
  EXPECT_EQ(params.to_json().dump(),
            R"({"learning_rate":0.1,"alpha":0.5,"epochs":20,"seed":1,"biases":true,"optimizer":"lazy-adam","note":"",)"
            R"("widths":[32,16,8]})");
}

TEST(Params, AParameterThatFilesHaveOnlyIfSetIsLeftOutAtItsDefault) {
  int older = 3, newer = 4;
  Params params;
  params("older", older, "was always there");
  params("newer", newer, "came later", at_least(1), only_if_set());
  EXPECT_EQ(params.to_json().find("newer"), nullptr);
  EXPECT_EQ(params.to_json().at("older").as_int(), 3);
  params.set("newer", "5");
  EXPECT_EQ(params.to_json().at("newer").as_int(), 5);
}

TEST_F(ParamsTest, SetFromTextReachesTheField) {
  params.set("learning-rate", "1e-3");  // '-' = '_'
  params.set("alpha", "1");
  params.set("epochs", "999");
  params.set("seed", "9223372036854775807");
  params.set("biases", "off");
  params.set("optimizer", "sgd");
  params.set("note", "two words, '=' and é");
  params.set("widths", "64, 8");
  EXPECT_EQ(settings.learning_rate, 0.001f);
  EXPECT_EQ(settings.alpha, 1.0);
  EXPECT_EQ(settings.epochs, 999);
  EXPECT_EQ(settings.seed, 9223372036854775807U);
  EXPECT_FALSE(settings.biases);
  EXPECT_EQ(settings.optimizer, "sgd");
  EXPECT_EQ(settings.note, "two words, '=' and é");
  EXPECT_EQ(settings.widths, (std::vector<int>{64, 8}));
  EXPECT_EQ(params.find("learning_rate")->default_text(), "0.1");  // the default is what was declared
  EXPECT_EQ(params.find("learning_rate")->text(), "0.001");
  params.set("widths", "");
  EXPECT_TRUE(settings.widths.empty());
  EXPECT_EQ(params.find("widths")->text(), "");
}

TEST_F(ParamsTest, WhatIsPrintedReadsBackTheSame) {
  settings = {0.3f, 1.0 / 3.0, 7, 99, false, "adam", "x", {5}};
  const Json written = parse_json(params.to_json().dump(), "t");
  const std::vector<std::string> texts = [&] {
    std::vector<std::string> out;
    for (const Param& p : params.all()) out.push_back(p.text());
    return out;
  }();
  settings = Settings{};
  params.set_all(written, "t");
  EXPECT_EQ(settings.learning_rate, 0.3f);
  EXPECT_EQ(settings.alpha, 1.0 / 3.0);
  EXPECT_EQ(settings.widths, std::vector<int>{5});
  EXPECT_EQ(params.to_json(), written);
  settings = Settings{};
  for (std::size_t k = 0; k < texts.size(); ++k) params.set(params.all()[k].name(), texts[k]);
  EXPECT_EQ(params.to_json(), written);
}

TEST_F(ParamsTest, OutOfRangeSaysTheRange) {
  EXPECT_EQ(refused("learning_rate", "0"), "learning_rate = 0 is out of range: above 0 up to 1");
  EXPECT_EQ(refused("learning-rate", "1.5", "c.toml"), "c.toml: learning_rate = 1.5 is out of range: above 0 up to 1");
  EXPECT_EQ(refused("alpha", "-0.1"), "alpha = -0.1 is out of range: from 0 up to 1");
  EXPECT_EQ(refused("epochs", "0"), "epochs = 0 is out of range: from 1 below 1000");
  EXPECT_EQ(refused("epochs", "1000"), "epochs = 1000 is out of range: from 1 below 1000");
  EXPECT_EQ(refused("widths", "32,0"), "widths = 0 is out of range: from 1");
  EXPECT_EQ(refused("seed", "-1"), "seed = -1 is out of range: from 0 up to 9223372036854775807");
  EXPECT_EQ(refused("seed", "9223372036854775808"),
            "seed = 9223372036854775808 is out of range: from 0 up to 9223372036854775807");
  EXPECT_EQ(refused("epochs", "4294967297"), "epochs = 4294967297 is out of range: from -2147483648 up to 2147483647");
}

TEST_F(ParamsTest, AFloatMustHoldItsValue) {
  EXPECT_EQ(refused("learning_rate", "1e-60"),
            "learning_rate = 1e-60 is too near its limit: in 32 bits it is 0");  // above 0, but not as a float
  float free = 0, share = 0;
  Params more;
  more("free", free, "any");
  more("share", share, "a share", at_least(0.1), below(1));
  EXPECT_EQ(error_of<UsageError>([&] { more.set("free", "1e39"); }),
            "free = 1e39 is too large for a number of 32 bits");
  EXPECT_EQ(error_of<UsageError>([&] { more.set("share", "0.99999999999"); }),
            "share = 0.99999999999 is too near its limit: in 32 bits it is 1");
  EXPECT_EQ(free, 0);
  more.set("share", "0.1");  // 0.1f is above 0.1, and 0.7f below 0.7: closed limits are those of the text
  EXPECT_EQ(share, 0.1f);
  more.set("free", "-3e38");
  EXPECT_EQ(free, -3e38f);
}

TEST_F(ParamsTest, NotSuchAValue) {
  EXPECT_EQ(refused("epochs", "ten"), "epochs is a whole number, got 'ten'");
  EXPECT_EQ(refused("epochs", "1.5"), "epochs is a whole number, got '1.5'");
  EXPECT_EQ(refused("epochs", ""), "epochs is a whole number, got ''");
  EXPECT_EQ(refused("epochs", "1\n"), "epochs is a whole number, got '1\\n'");
  EXPECT_EQ(refused("epochs", "-"), "epochs is a whole number, got '-'");
  EXPECT_EQ(refused("alpha", "half"), "alpha is a number, got 'half'");
  EXPECT_EQ(refused("alpha", "nan"), "alpha is a number, got 'nan'");
  EXPECT_EQ(refused("learning_rate", "inf"), "learning_rate is a number, got 'inf'");
  EXPECT_EQ(refused("biases", "maybe"), "biases is true or false, got 'maybe'");
  EXPECT_EQ(refused("widths", "32,,8"), "widths is a whole number, got ''");
  EXPECT_EQ(refused("widths", "32,x"), "widths is a whole number, got 'x'");
  EXPECT_EQ(refused("optimizer", "adma"), "optimizer = 'adma' is not one of lazy-adam, adam, sgd; did you mean adam?");
  EXPECT_EQ(refused("optimizer", "newton"), "optimizer = 'newton' is not one of lazy-adam, adam, sgd");
}

TEST_F(ParamsTest, UnknownNamesGetASuggestion) {
  EXPECT_EQ(refused("lerning-rate", "1"), "there is no parameter 'lerning_rate' here; did you mean learning_rate?");
  EXPECT_EQ(refused("epoch", "1", "--set"), "--set: there is no parameter 'epoch' here; did you mean epochs?");
  EXPECT_EQ(refused("temperature", "1"),
            "there is no parameter 'temperature' here; known: learning_rate, alpha, epochs, seed, biases, optimizer, "
            "note, widths");
}

TEST_F(ParamsTest, SetFromJson) {
  params.set_all(
      parse_toml("learning-rate = 0.25\nalpha = 1\nepochs = 3.0\nbiases = false\nwidths = [4, 2]\nseed = 5\n", "t"),
      "t");
  EXPECT_EQ(settings.learning_rate, 0.25f);
  EXPECT_EQ(settings.alpha, 1.0);
  EXPECT_EQ(settings.epochs, 3);
  EXPECT_FALSE(settings.biases);
  EXPECT_EQ(settings.widths, (std::vector<int>{4, 2}));
  EXPECT_EQ(settings.seed, 5U);
  params.set_all(Json::object({{"widths", Json::Array{}}}), "t");
  EXPECT_TRUE(settings.widths.empty());
}

TEST_F(ParamsTest, JsonOfAnotherKindIsRefused) {
  EXPECT_EQ(refused_json("epochs", Json::Array{5}), "c.toml: epochs is a whole number");
  EXPECT_EQ(refused_json("note", Json::Array{}), "c.toml: note is a text");
  EXPECT_EQ(refused_json("epochs", Json::object({{"n", 1}})), "c.toml: epochs is a whole number");
  EXPECT_EQ(refused_json("epochs", Json()), "c.toml: epochs is a whole number");
  EXPECT_EQ(refused_json("epochs", true), "c.toml: epochs is a whole number, got 'true'");
  EXPECT_EQ(refused_json("epochs", 1.5), "c.toml: epochs is a whole number, got '1.5'");
  EXPECT_EQ(refused_json("widths", Json::Array{1, 2.5}), "c.toml: widths is a list of whole numbers");
  EXPECT_EQ(refused_json("widths", Json::Array{0}), "c.toml: widths = 0 is out of range: from 1");
  EXPECT_EQ(refused_json("seed", std::uint64_t{1} << 63),
            "c.toml: seed = 9223372036854775808 is out of range: from 0 up to 9223372036854775807");
  EXPECT_EQ(refused_json("widht", 1), "c.toml: there is no parameter 'widht' here; did you mean widths?");
}

TEST_F(ParamsTest, ANameIsDeclaredOnce) {
  int again = 0;
  EXPECT_THROW(params("epochs", again, "twice"), std::logic_error);
  EXPECT_THROW(params("learning-rate", again, "twice"), std::logic_error);
}

TEST(OptionalNumber, MayBeUnset) {
  std::optional<float> value;
  Params params;
  params("own", value, "a network's own λ", at_least(0));
  const Param& own = *params.find("own");
  EXPECT_EQ(own.kind(), "number");
  EXPECT_EQ(own.range(), "from 0, or -1");
  EXPECT_EQ(own.default_text(), "-1");
  EXPECT_EQ(own.json(), Json(-1.0)) << "as files have always had it";
  for (const char* unset : {"-1", "", "-1.0"}) {
    params.set("own", "0.1");
    EXPECT_EQ(value, 0.1f);
    EXPECT_EQ(own.json(), Json(0.1)) << "the shortest decimal";
    params.set("own", unset);
    EXPECT_EQ(value, std::nullopt) << unset;
  }
  params.set("own", "0");
  EXPECT_EQ(value, 0.0f) << "0 is a value";
  params.set_all(Json::object({{"own", Json()}}), "c.toml");
  EXPECT_EQ(value, std::nullopt) << "null";
  for (const std::string bad : {"-0.5", "-2"}) {
    EXPECT_EQ(error_of<UsageError>([&] { params.set("own", bad); }),
              "own = " + bad + " is out of range: from 0, or -1");
  }
  EXPECT_EQ(error_of<UsageError>([&] { params.set("own", "few"); }), "own is a number, got 'few'");
}

}  // namespace
}  // namespace equipoise
