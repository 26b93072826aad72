// Feedback that is remembered: once, for a while, in users' histories.
#include <gtest/gtest.h>

#include "core/error.h"
#include "data/temp_folder.h"
#include "serve/feedback_memory.h"
#include "serve/models.h"

namespace equipoise::test {
namespace {

ServedFeedback told(const char* request, const char* user, const char* item, double label = 1) {
  return {request, user, item, label};
}

std::vector<std::string> items_of(const FeedbackMemory& memory, const std::string& user) {
  std::vector<std::string> out;
  for (const auto& one : memory.of(user)) out.push_back(one.item);
  return out;
}

TEST(FeedbackMemoryTest, WhatComesAgainIsNotNew) {
  FeedbackMemory memory(10);
  std::uint64_t ticket = 0;
  const auto take = [&](const ServedFeedback& one) {
    return memory.take(std::span(&one, 1), [&](auto) { return ++ticket; });
  };
  const ServedFeedback one = told("r1", "u", "a");
  EXPECT_EQ(take(one).fresh.size(), 1U);
  EXPECT_TRUE(memory.of("u").empty()) << "its line is not safe yet";
  EXPECT_TRUE(take(one).fresh.empty());
  EXPECT_EQ(take(one).ticket, 1U) << "waits for the first";
  memory.confirm(std::span(&one, 1));
  EXPECT_EQ(items_of(memory, "u"), (std::vector<std::string>{"a"}));
  EXPECT_EQ(take(one).ticket, 0U) << "safe already";
  EXPECT_EQ(take(told("r1", "u", "a", 0)).fresh.size(), 1U) << "another label";
  EXPECT_EQ(take(told("r2", "u", "a")).fresh.size(), 1U) << "another list";
}

TEST(FeedbackMemoryTest, WhatDidNotBecomeSafeMayComeAgain) {
  FeedbackMemory memory(10);
  const ServedFeedback one = told("r1", "u", "a");
  const auto yes = [](auto) { return std::uint64_t{5}; };
  EXPECT_TRUE(memory.take(std::span(&one, 1), [](auto) { return std::uint64_t{0}; }).refused);
  EXPECT_EQ(memory.take(std::span(&one, 1), yes).fresh.size(), 1U);
  memory.forget(std::span(&one, 1));
  EXPECT_EQ(memory.take(std::span(&one, 1), yes).fresh.size(), 1U);
}

TEST(FeedbackMemoryTest, TheOldestGoesFirst) {
  FeedbackMemory memory(3);
  for (const auto& one : {told("1", "u", "a"), told("2", "v", "b"), told("3", "u", "c"), told("4", "u", "d")}) {
    memory.confirm(std::span(&one, 1));
  }
  EXPECT_EQ(items_of(memory, "u"), (std::vector<std::string>{"c", "d"}));
  EXPECT_EQ(items_of(memory, "v"), (std::vector<std::string>{"b"}));
  EXPECT_EQ(memory.size(), 3U);
}

TEST(ModelChoices, NamesAndSharesAddUp) {
  const auto two = model_choices({"a=x.model", "dir/b.model"}, {"b=0.3"});
  EXPECT_EQ(two[1].name, "b");
  EXPECT_EQ(two[1].file, "dir/b.model");
  EXPECT_DOUBLE_EQ(two[0].share, 0.7) << "the rest";
  EXPECT_DOUBLE_EQ(model_choices({"a=x", "b=y"}, {})[1].share, 0) << "the first gets all";
  EXPECT_THROW(model_choices({"a=x", "a=y"}, {}), UsageError);
  EXPECT_THROW(model_choices({"a=x"}, {"c=1"}), UsageError);
  EXPECT_THROW(model_choices({"a=x", "b=y"}, {"a=0.7", "b=0.7"}), UsageError);
  EXPECT_THROW(model_choices({"a=x", "b=y"}, {"a=0.2", "b=0.2"}), UsageError);
  EXPECT_THROW(model_choices({"a/b=x"}, {}), UsageError);
  EXPECT_THROW(model_choices({"a=x"}, {"a=nan"}), UsageError);
}

TEST(ModelTableTest, UsersKeepTheirModelAndSharesAreKept) {
  std::vector<std::shared_ptr<const ServedModel>> models;
  for (const auto& [name, share] : {std::pair("a", 0.2), std::pair("b", 0.0), std::pair("c", 0.8)}) {
    auto model = std::make_shared<ServedModel>();
    model->name = name;
    model->share = share;
    models.push_back(std::move(model));
  }
  const ModelTable table(models, 7), again(models, 7), other(models, 8);
  int a = 0, same = 0;
  constexpr int kUsers = 20000;
  for (int u = 0; u < kUsers; ++u) {
    const std::string user = "u" + std::to_string(u);
    const std::string& name = table.of_user(user).name;
    EXPECT_EQ(name, again.of_user(user).name);
    EXPECT_NE(name, "b");
    a += name == "a" ? 1 : 0;
    same += name == other.of_user(user).name ? 1 : 0;
  }
  EXPECT_NEAR(a, 0.2 * kUsers, 4 * std::sqrt(0.16 * kUsers));
  EXPECT_NEAR(same, 0.68 * kUsers, 4 * std::sqrt(0.22 * kUsers)) << "another seed deals anew";
}

}  // namespace
}  // namespace equipoise::test
