// One model, eight threads, all methods and bases: scores, lists and metrics mixed, equal to one thread's answers.
#include <equipoise/equipoise.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

namespace {

using equipoise::Data;
using equipoise::Model;
using equipoise::TrainOptions;

struct Answers {
  std::vector<float> scores;
  std::vector<std::int32_t> items;
  std::vector<std::string> one;
  double auc = 0;
  bool operator==(const Answers&) const = default;
};

Answers ask(const Model& model, const Data& data) {
  Answers out;
  std::vector<std::string> users, items;
  for (int k = 0; k < 200; ++k)
    users.push_back("u" + std::to_string(k % 60)), items.push_back("i" + std::to_string(k % 23));
  out.scores = model.score(users, items);
  out.items.resize(users.size() * 5);
  std::vector<float> scores(out.items.size());
  model.recommend(users, {.k = 5}, {out.items, scores});
  for (const auto& best : model.recommend("u7", {.k = 4, .exclude = {"i3"}})) out.one.push_back(best.item);
  out.auc = model.evaluate(data, {{"replicates", "20"}}).at("auc").mean;
  return out;
}

class Threads : public ::testing::TestWithParam<std::string> {};

TEST_P(Threads, EightGetTheAnswersOfOne) {
  const Data data = Data::simulate({{"users", "50"}, {"items", "20"}, {"width", "4"}});
  for (const std::string& base : equipoise::base_names()) {
    TrainOptions options{.method = GetParam(), .base = base};
    options.parameters = {{"epochs", GetParam() == "att" ? "6" : "1"}};
    if (GetParam() == "popularity" || GetParam().starts_with("mean")) options.base = "";
    options.threads = 2;
    const Model model = Model::train(data, options);
    const Answers expected = ask(model, data);
    std::vector<Answers> answers(8);
    std::vector<std::thread> callers;
    for (Answers& mine : answers) callers.emplace_back([&] { mine = ask(model, data); });
    for (std::thread& caller : callers) caller.join();
    for (const Answers& mine : answers) EXPECT_TRUE(mine == expected) << base;
    EXPECT_TRUE(ask(Model::from_bytes(model.bytes()), data) == expected) << "a loaded one";
    if (options.base.empty()) break;
  }
}

std::string name_of(const ::testing::TestParamInfo<std::string>& method) {
  std::string name = method.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Methods, Threads, ::testing::ValuesIn(equipoise::method_names()), name_of);

TEST(Library, LeavesTheCallersThreadAsItWas) {
  volatile float tiny = 1e-38f;
  const Data data = Data::simulate({{"users", "50"}, {"items", "20"}, {"width", "4"}});
  ::testing::internal::CaptureStderr();
  ::testing::internal::CaptureStdout();
  TrainOptions options{.method = "cbr", .base = "mlp"};
  options.parameters = {{"epochs", "1"}};
  const Model model = Model::train(data, options);
  ask(model, data);
  static_cast<void>(equipoise::diagnose(data));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_GT(tiny * 0.01f, 0.0f) << "denormal numbers count again";
}

TEST(Library, IsHeardAndStopped) {
  const Data data = Data::simulate({{"users", "200"}, {"items", "20"}, {"width", "4"}});
  TrainOptions options{.method = "base", .base = "gmf"};
  options.parameters = {{"epochs", "50"}, {"patience", "0"}};
  std::vector<std::string> notes;
  std::int64_t last = 0;
  std::stop_source stop;
  options.callbacks.on_note = [&](const std::string& text) { notes.push_back(text); };
  options.callbacks.on_progress = [&](const equipoise::ProgressReport& p) {
    EXPECT_EQ(p.label, "training");
    last = p.done;
    if (p.done == 7) stop.request_stop();
  };
  options.callbacks.stop = stop.get_token();
  try {
    Model::train(data, options);
    FAIL() << "not stopped";
  } catch (const equipoise::Failure& failure) {
    EXPECT_EQ(failure.kind(), equipoise::Failure::Kind::interrupted);
    EXPECT_EQ(std::string(failure.what()), "interrupted at step 7");
  }
  EXPECT_EQ(last, 7);
  EXPECT_FALSE(notes.empty());
}

TEST(Library, WhatACallbackThrowsReachesTheCaller) {
  const Data data = Data::simulate({{"users", "200"}, {"items", "20"}, {"width", "4"}});
  TrainOptions options{.method = "base", .base = "gmf"};
  options.callbacks.on_progress = [](const equipoise::ProgressReport&) { throw std::domain_error("mine"); };
  EXPECT_THROW(Model::train(data, options), std::domain_error);
}

}  // namespace
