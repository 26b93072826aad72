// equipoise value: what other policies would have been worth, from a log of lists whose chances are known.
#include "app/value.h"

#include <fmt/format.h>

#include <cmath>

#include "app/evaluate.h"
#include "app/outputs.h"
#include "cli.h"
#include "core/error.h"
#include "core/file.h"
#include "core/quote.h"
#include "core/text.h"
#include "data/dataset_cache.h"
#include "report/value_page.h"

namespace equipoise::cli {

namespace {

class Value final : public Verb {
 public:
  explicit Value(CLI::App& root)
      : Verb(root, "value",
             "Judge policies that were never shown, from a log of lists whose chances are known, with 95% intervals "
             "over "
             "users.",
             "equipoise value data/served --policy old=old.model --policy new=new.model --explore epsilon=0.05") {
    app().add_option("DIR", folder_, "the folder of a data set with logged chances")->required();
    app()
        .add_option("--policy", policies_, "a name and a model file; may be given several times")
        ->required()
        ->type_name("NAME=FILE")
        ->type_size(1)
        ->allow_extra_args(false);
    app().add_option("--html", html_, "also as a page; needs no network and no other file")->type_name("FILE");
    declare(params_, "Options");
    declare(cache_, "Options");
    declare(output_, "Options");
  }

  void run() override {
    refuse_leftovers("value");
    const Policy explore = Policy::parse(params_.explore, "--explore");
    std::vector<std::pair<std::string, std::string>> files;
    std::vector<std::string> inputs;
    for (const std::string& word : policies_) {
      files.push_back(name_and_file(word));
      inputs.push_back(files.back().second);
    }
    if (!html_.empty()) check_output(html_, kPageOutput, inputs, output_.force);
    const Dataset data = load_dataset(folder_, cache_, pool());
    std::vector<std::unique_ptr<const Recommender>> models;
    std::vector<NamedPolicy> policies;
    for (const auto& [name, file] : files) {
      models.push_back(Recommender::load(file, pool()));
      policies.push_back({name, models.back().get(), explore});
    }
    const Valuation found = value(data, policies, params_, pool());
    if (!html_.empty()) write_file(html_, value_html(json(found, data, files)));
    if (common().json) return print_json(json(found, data, files));
    print_people(found, data);
  }

 private:
  static std::pair<std::string, std::string> name_and_file(const std::string& word) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == word.size()) {
      throw UsageError(fmt::format("--policy: {} is not written NAME=FILE", in_quotes(word)));
    }
    return {word.substr(0, equals), word.substr(equals + 1)};
  }

  static Json json(const Valuation& found, const Dataset& data,
                   const std::vector<std::pair<std::string, std::string>>& files) {
    Json out = to_json(found);
    out["data"] = data.name;
    Json models = Json::object();
    for (const auto& [name, file] : files) models[name] = file;
    out["models"] = std::move(models);
    return out;
  }

  static std::string cell(const OffPolicyEstimate& e) {
    return std::isfinite(e.value) ? fmt::format("{:.4f} [{:.4f}, {:.4f}]", e.value, e.low, e.high) : "–";
  }

  static void print_people(const Valuation& found, const Dataset& data) {
    const auto count = [](std::size_t n) { return thousands(static_cast<std::int64_t>(n)); };
    print_line(fmt::format("{}, {} part: {} lists of {} users, {} shown items; positives per list, form {}", data.name,
                           found.part, count(found.lists), count(found.users), count(found.rows), found.form));
    std::vector<std::vector<std::string>> rows = {{"policy"}};
    for (const Estimator& estimator : off_policy_estimators()) rows.front().emplace_back(estimator.name);
    rows.front().insert(rows.front().end(), {"mean weight", "effective rows"});
    rows.push_back({"(as shown)", cell(found.logged)});
    rows.back().resize(rows.front().size());
    for (const PolicyValue& policy : found.policies) {
      rows.push_back({policy.name});
      for (const auto& [name, estimate] : policy.estimates) rows.back().push_back(cell(estimate));
      rows.back().push_back(fmt::format("{:.3f}", policy.overlap.mean_weight));
      rows.back().push_back(fmt::format("{:.0f}", policy.overlap.effective_sample));
    }
    print_table(rows);
    print_line(fmt::format("\nAssumed: {}.", found.assumption));
    for (const Estimator& estimator : off_policy_estimators()) {
      print_line(fmt::format("  {}: {}.", estimator.name, estimator.assumption));
    }
    print_line("");
    for (const PolicyValue& policy : found.policies) {
      for (const std::string& line : split(verdict_sentence(policy, found), '\n')) print_line(line);
    }
    if (const std::string check = check_sentence(found.check); !check.empty()) print_line(check);
  }

  std::string folder_, html_;
  std::vector<std::string> policies_;
  ValueParams params_;
  CacheParams cache_;
  OutputParams output_;
};

}  // namespace

std::unique_ptr<Verb> make_value(CLI::App& app) { return std::make_unique<Value>(app); }

}  // namespace equipoise::cli
