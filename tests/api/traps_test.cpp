// What a caller may do wrong or unusual: odd columns, huge k, functions that throw or call back, files, fork.
#include <equipoise/equipoise.h>
#include <equipoise/lab.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <type_traits>

#include "data/temp_folder.h"

namespace {

using equipoise::Data;
using equipoise::Failure;
using equipoise::Ids;
using equipoise::LogArrays;
using equipoise::Model;
using equipoise::Numbers;
using equipoise::TrainOptions;

static_assert(!std::is_constructible_v<Ids, std::string>, "a text is no column of its letters");
static_assert(!std::is_constructible_v<Numbers, std::string>);

Data small() { return Data::simulate({{"users", "60"}, {"items", "16"}, {"width", "4"}}); }

Model model_of(const Data& data, const std::string& method = "base", const std::string& base = "gmf", int threads = 1) {
  TrainOptions options{.method = method, .base = base};
  options.parameters = {{"epochs", "1"}};
  options.threads = threads;
  return Model::train(data, options);
}

template <class T>
std::string fingerprint_with(const std::vector<T>& stars) {
  std::vector<std::uint16_t> user;
  std::vector<std::string_view> item;
  for (std::size_t r = 0; r < stars.size(); ++r)
    user.push_back(static_cast<std::uint16_t>(r / 4)), item.push_back(r % 4 < 2 ? r % 2 ? "a" : "b"
                                                                      : r % 2   ? "c"
                                                                                : "d");
  return Data::from_rows({.user = user, .item = item, .label = stars}, {{"positive_at_least", "4"}}).fingerprint();
}

TEST(Columns, OfEveryKindAreReadAsWhatTheyAre) {
  std::vector<double> stars;
  for (int r = 0; r < 40; ++r) stars.push_back(1 + r * 7 % 5);
  const std::string expected = fingerprint_with(stars);
  EXPECT_EQ(fingerprint_with(std::vector<float>(stars.begin(), stars.end())), expected);
  EXPECT_EQ(fingerprint_with(std::vector<std::int8_t>(stars.begin(), stars.end())), expected);
  EXPECT_EQ(fingerprint_with(std::vector<std::int16_t>(stars.begin(), stars.end())), expected);
  EXPECT_EQ(fingerprint_with(std::vector<std::uint32_t>(stars.begin(), stars.end())), expected);
  EXPECT_EQ(fingerprint_with(std::vector<std::uint64_t>(stars.begin(), stars.end())), expected);
  EXPECT_EQ(fingerprint_with(std::vector<long long>(stars.begin(), stars.end())), expected);
}

TEST(Columns, AFloatIsTheNumberThatItsDigitsSpell) {
  const std::vector<float> f = {3.6f, 1e-7f, 0.1f};
  EXPECT_EQ(Numbers(f).at(0), 3.6);
  EXPECT_EQ(Numbers(f).at(2), 0.1);
  const std::vector<double> d = {1.5, std::nan(""), 1e30, 7};
  EXPECT_FALSE(Numbers(d).whole(0) || Numbers(d).whole(1) || Numbers(d).whole(2));
  EXPECT_EQ(Numbers(d).whole(3), 7);
}

TEST(Columns, APartWithoutItsIdsIsRefused) {
  const std::vector<std::string> user = {"a", "b", "a"}, item = {"x", "x", "y"};
  const std::vector<int> label = {1, 0, 1};
  equipoise::MoreData more;
  more.test.item = item;
  more.test.label = label;
  EXPECT_THROW(Data::from_rows({.user = user, .item = item, .label = label}, {}, more), Failure);
}

TEST(Lists, OfImpossibleLengthsAreRefused) {
  const Model model = model_of(small(), "cbr", "mlp");
  for (const std::size_t k : {std::size_t{0}, std::size_t{1} << 62, std::numeric_limits<std::size_t>::max() - 3}) {
    EXPECT_THROW(model.recommend("u1", {.k = k}), Failure) << k;
    const std::vector<std::string> users = {"u1", "u2", "u3", "u4"};
    EXPECT_THROW(model.recommend(users, {.k = k}, {}), Failure) << k;
  }
  EXPECT_EQ(model.recommend("u1", {.k = 1000000, .include_seen = true}).size(), 16U);
  EXPECT_EQ(model.knows_user("u1"), "trained");
  EXPECT_EQ(model.knows_user("nobody"), "nothing");
}

TEST(Functions, MayCallTheLibraryThemselves) {
  const Data data = small();
  const Model model = model_of(data);
  TrainOptions options{.method = "base", .base = "gmf"};
  options.parameters = {{"epochs", "2"}};
  int calls = 0;
  std::vector<std::string> warnings;
  options.callbacks.on_warning = [&](const std::string& text) { warnings.push_back(text); };
  options.callbacks.on_progress = [&](const equipoise::ProgressReport&) {
    model.recommend("u1", equipoise::Parameters{{"candidates", "nope"}});
    volatile double tiny = 1e-310;
    EXPECT_GT(tiny * 0.5, 0.0) << "a caller's denormal numbers count";
    ++calls;
  };
  Model::train(data, options);
  EXPECT_GT(calls, 1);
  EXPECT_TRUE(warnings.empty()) << warnings.front();
}

TEST(Functions, ThatThrowAreHeardWheneverTheyDo) {
  const Data data = small();
  TrainOptions options{.method = "base", .base = "gmf"};
  options.parameters = {{"epochs", "1"}};
  options.on_epoch = [](const equipoise::EpochReport&) { throw std::domain_error("mine"); };
  EXPECT_THROW(Model::train(data, options), std::domain_error) << "after the last step";
  const Model model = model_of(data);
  equipoise::Callbacks callbacks;
  callbacks.on_warning = [](const std::string&) { throw std::domain_error("mine"); };
  EXPECT_THROW(model.evaluate(Data::simulate({{"users", "60"}, {"items", "16"}, {"width", "4"}, {"seed", "2"}}),
                              {{"replicates", "2"}}, callbacks),
               std::domain_error)
      << "trained on other data";
}

TEST(Files, ThatAreNotCheckpointsStay) {
  const equipoise::test::TempFolder folder;
  TrainOptions options{.method = "base", .base = "gmf"};
  options.parameters = {{"epochs", "1"}};
  options.checkpoint = folder.file("thesis", "mine");
  EXPECT_THROW(Model::train(small(), options), Failure);
  std::ifstream file(options.checkpoint);
  std::string text;
  EXPECT_TRUE(file >> text);
  options.checkpoint = "";
  options.resume = true;
  EXPECT_THROW(Model::train(small(), options), Failure);
}

TEST(Files, CopiesAreKeptOnlyWhereTheyAreAskedFor) {
  const equipoise::test::TempFolder folder;
  std::string csv = "user,item,label\n";
  for (int r = 0; r < 60; ++r)
    csv += "u" + std::to_string(r / 6) + ",i" + std::to_string(r % 6) + (r % 5 < 2 ? ",1\n" : ",0\n");
  const std::string log = folder.file("log.csv", csv);
  Data::open(log, {{"cache", "true"}, {"cache_from_mb", "0"}});
  EXPECT_FALSE(std::filesystem::exists(folder / "copies"));
  Data::open(log, {{"cache-folder", folder / "copies"}, {"cache_from_mb", "0"}});
  EXPECT_FALSE(std::filesystem::is_empty(folder / "copies"));
}

TEST(Comparisons, NeedDataAndStudiesHaveTheirOwnMethods) {
  const equipoise::test::TempFolder folder;
  equipoise::LabOptions options{.out = folder / "runs"};
  EXPECT_THROW(equipoise::compare({}, options), Failure);
  options.methods = "nonsense";
  EXPECT_THROW(equipoise::study("bias", {}, options), Failure);
  EXPECT_FALSE(std::filesystem::exists(folder / "runs"));
}

#if !defined(__SANITIZE_THREAD__)
TEST(Fork, AChildUsesTheModelAndEnds) {
  const Data data = small();
  const pid_t child = [&] {
    const Model model = model_of(data, "base", "mlp", 3);
    const double expected = model.evaluate(data, {{"replicates", "2"}}).at("auc").mean;
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::alarm(20);
      {
        const Model copy = model;
        const bool same = copy.evaluate(data, {{"replicates", "2"}}).at("auc").mean == expected;
        const bool trains = !model_of(data, "cbr", "mlp", 2).bytes().empty();
        if (!same || !trains) ::_exit(1);
      }
      return pid;  // and the model goes
    }
    return pid;
  }();
  if (child == 0) ::_exit(0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}
#endif

}  // namespace
