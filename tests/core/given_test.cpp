// What was given by name: who takes it, which value wins, and what is said of the rest.
#include "core/given.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace equipoise {
namespace {

struct Fields {
  int epochs = 3;
  double rate = 0.5;
  void describe(Params& p) {
    p("epochs", epochs, "passes", at_least(1));
    p("learning_rate", rate, "rate", above(0));
  }
};

std::string refusal(const Given& given, const Given::Elsewhere& elsewhere = {}) {
  try {
    given.refuse_leftovers("base gmf", elsewhere);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Given, TheStrongestComesLast) {
  Given given;
  given.add("epochs", "5", "a file");
  given.add("learning-rate", "0.1");
  given.add("epochs", "7");
  Fields fields;
  Params params;
  fields.describe(params);
  given.apply(params);
  EXPECT_EQ(fields.epochs, 7);
  EXPECT_EQ(fields.rate, 0.1);
  EXPECT_EQ(refusal(given), "");
}

TEST(Given, WhatNobodyTookIsNamedWithWhoseItIs) {
  Given given;
  given.add("gamma", "1", "--set");
  EXPECT_EQ(refusal(given, {{"gamma", "it is one of the method cbr"}}),
            "--set: gamma is not a parameter of base gmf; it is one of the method cbr");
  EXPECT_EQ(refusal(given, {{"gama", ""}}), "--set: there is no parameter \"gamma\"; did you mean gama?");
  EXPECT_EQ(refusal(given), "--set: there is no parameter \"gamma\"");
}

TEST(Given, WhatMayBeLeftIsNoError) {
  Given given;
  given.add("gamma", "1", "EQUIPOISE_GAMMA", true);
  EXPECT_EQ(refusal(given), "");
}

TEST(Given, AChoiceIsTakenAndABadValueNamesItsPlace) {
  Given given;
  given.add("method", "ips");
  given.add("method", "cbr");
  EXPECT_EQ(given.choice("method"), "cbr");
  EXPECT_EQ(given.choice("base"), "");
  EXPECT_EQ(refusal(given), "");
  given.add("epochs", "0", "a file");
  Fields fields;
  Params params;
  fields.describe(params);
  EXPECT_THROW(given.apply(params), UsageError);
  EXPECT_EQ(fields.epochs, 3);
}

}  // namespace
}  // namespace equipoise
