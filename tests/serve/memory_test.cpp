// Feedback that is remembered: once, for a while, in users' histories.
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/listener.h"
#include "data/temp_folder.h"
#include "serve/feedback_memory.h"
#include "serve/models.h"

namespace equipoise::test {
namespace {

ServedFeedback told(const char* request, const char* user, const char* item, double label = 1) {
  return {request, user, item, label, 0};
}

struct Heard final : Listener {
  void warn(std::string_view) override { ++warnings; }
  int warnings = 0;
};

std::vector<std::string> items_of(const FeedbackMemory& memory, const std::string& user) {
  std::vector<std::string> out;
  for (const auto& one : memory.of(user).items) out.push_back(one.item);
  return out;
}

TEST(FeedbackMemoryTest, WhatComesAgainIsNotNew) {
  FeedbackMemory memory(10);
  std::uint64_t ticket = 0;
  const auto take = [&](const ServedFeedback& one) {
    return memory.take(std::span(&one, 1), [&](std::span<ServedFeedback> fresh) {
      for (ServedFeedback& line : fresh) line.number = 100 + static_cast<std::int64_t>(ticket);
      return ++ticket;
    });
  };
  const ServedFeedback one = told("r1", "u", "a");
  EXPECT_EQ(take(one).fresh, 1U);
  EXPECT_TRUE(memory.of("u").items.empty()) << "its line is not safe yet";
  EXPECT_EQ(take(one).fresh, 0U);
  EXPECT_EQ(take(one).ticket, 1U) << "waits for the first";
  memory.progressed(1, true);
  EXPECT_EQ(items_of(memory, "u"), (std::vector<std::string>{"a"}));
  EXPECT_EQ(memory.of("u").until, 100) << "the line that says so";
  EXPECT_EQ(take(one).ticket, 0U) << "safe already";
  EXPECT_EQ(take(told("r1", "u", "a", 0)).fresh, 1U) << "another label";
  EXPECT_EQ(take(told("r2", "u", "a")).fresh, 1U) << "another list";
}

TEST(FeedbackMemoryTest, WhatDidNotBecomeSafeMayComeAgain) {
  FeedbackMemory memory(10);
  const ServedFeedback one = told("r1", "u", "a");
  const auto yes = [](auto) { return std::uint64_t{5}; };
  EXPECT_TRUE(memory.take(std::span(&one, 1), [](auto) { return std::uint64_t{0}; }).refused);
  EXPECT_EQ(memory.take(std::span(&one, 1), yes).fresh, 1U);
  memory.progressed(5, false);
  EXPECT_EQ(memory.take(std::span(&one, 1), yes).fresh, 1U);
}

TEST(FeedbackMemoryTest, TheOldestGoesFirst) {
  FeedbackMemory memory(3);
  for (const auto& one : {told("1", "u", "a"), told("2", "v", "b"), told("3", "u", "c"), told("4", "u", "d")}) {
    memory.remember(std::span(&one, 1));
  }
  EXPECT_EQ(items_of(memory, "u"), (std::vector<std::string>{"c", "d"}));
  EXPECT_EQ(items_of(memory, "v"), (std::vector<std::string>{"b"}));
  EXPECT_EQ(memory.size(), 3U);
}

// Feedback counts in the order of the log, whichever loop hears of it first.
TEST(FeedbackMemoryTest, CountsInTheOrderOfTheLog) {
  FeedbackMemory memory(10);
  std::uint64_t ticket = 0;
  for (const char* item : {"a", "b", "c"}) {
    const ServedFeedback one = told("r", "u", item);
    memory.take(std::span(&one, 1), [&](auto) { return ++ticket; });
  }
  memory.progressed(2, true);
  EXPECT_EQ(items_of(memory, "u"), (std::vector<std::string>{"a", "b"}));
  memory.progressed(3, true);
  EXPECT_EQ(items_of(memory, "u"), (std::vector<std::string>{"a", "b", "c"}));
}

TEST(FeedbackMemoryTest, IsReadAgainFromTheNewestFiles) {
  const TempFolder folder;
  std::int64_t number = 0;
  for (const char* item : {"a", "b", "c"}) {
    std::string line;
    append_line(line, told("r", "u", item));
    seal_line(line.data(), line.size(), ++number, 1);
    folder.file("served-00000" + std::to_string(number) + ".log", line);
  }
  const auto restored = [&](std::size_t most, std::uint64_t bytes) {
    Heard heard;
    const ListenerScope scope(heard);
    FeedbackMemory memory(most);
    restore_feedback(folder.path(), most, bytes, memory);
    EXPECT_EQ(memory.of("u").until, 3);
    return std::pair(items_of(memory, "u"), heard.warnings);
  };
  EXPECT_EQ(restored(10, 1 << 20), std::pair(std::vector<std::string>{"a", "b", "c"}, 0));
  EXPECT_EQ(restored(10, 0), std::pair(std::vector<std::string>{"c"}, 1)) << "the last file in any case";
  EXPECT_EQ(restored(1, 0), std::pair(std::vector<std::string>{"c"}, 0)) << "there is no room for more";
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
