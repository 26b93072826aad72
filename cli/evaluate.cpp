// equipoise evaluate: metrics of one or more models on a data set's held-out part.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli.h"
#include "core/error.h"
#include "core/file.h"
#include "core/log.h"
#include "core/text.h"
#include "data/dataset_cache.h"
#include "eval/candidates.h"
#include "eval/evaluation.h"
#include "recommender/aligned.h"
#include "summary.h"

namespace equipoise::cli {

namespace {

struct EvaluateParams {
  EvaluateOptions options;
  std::string protocol;
  std::string part = "test";
  CacheParams cache;

  void describe(Params& p) {
    p("protocol", protocol, "test-items | sampled:N | full; empty: the data set's own");
    p("part", part, "the part to measure on", one_of({"valid", "test"}));
    p("k", options.k, "length of the list that ranking metrics look at", between(1, kMostPlaces));
    p("replicates", options.replicates, "resamples behind an interval; 0 = no intervals", at_least(0));
    p("seed", options.seed, "of sampled negatives and of the intervals");
    cache.describe(p);
  }
};

class Evaluate final : public Verb {
 public:
  explicit Evaluate(CLI::App& root)
      : Verb(root, "evaluate", "Measure models on the held-out part of a data set, with 95% intervals over users.",
             "equipoise evaluate gmf.model mlp.model data/sim --protocol test-items --k 10") {
    app().add_option("FILE", paths_, "one or more model files, and the folder of one data set")->required();
    app()
        .add_option("--save-pairs", save_pairs_, "also write the ranked pairs (list,user,item,label) to this CSV file")
        ->type_name("FILE");
    Params params;
    params_.describe(params);
    add_flags(params, "Options");
  }

  void run() override {
    Params params;
    params_.describe(params);
    apply(params);
    refuse_leftovers("evaluate");
    const std::string folder = take_folder();
    if (!params_.protocol.empty()) parse_protocol(params_.protocol);  // a slip of the pen is found before reading
    const Dataset data = load_dataset(folder, params_.cache, pool());
    options_ = params_.options;
    options_.protocol = params_.protocol.empty() ? data.protocol : params_.protocol;
    options_.part = parse_part(params_.part);
    std::vector<std::pair<Json, Evaluation>> results;
    for (const std::string& path : paths_) results.push_back(evaluate_file(path, data));
    if (!save_pairs_.empty()) {
      write_pairs(save_pairs_, Candidates(data, parse_protocol(options_.protocol), options_.part, options_.seed));
    }
    if (common().json)
      print_results(results);
    else
      print_people(results, data);
    say_if_lists_are_short(results.front().second);
  }

 private:
  // Takes the data set's folder out of the paths; the others are model files, in whatever order they were given.
  std::string take_folder() {
    const auto folder = std::find_if(paths_.begin(), paths_.end(), is_folder);
    if (folder == paths_.end()) {
      throw UsageError(
          fmt::format("{}: expected the folder of a data set among the arguments; a log in a file becomes "
                      "one by equipoise import csv",
                      paths_.back()));
    }
    std::string path = *folder;
    paths_.erase(folder);
    const auto second = std::find_if(paths_.begin(), paths_.end(), is_folder);
    if (second != paths_.end()) {
      throw UsageError(fmt::format("{} and {} are both folders; expected one data set and model files", path, *second));
    }
    if (paths_.empty()) throw UsageError(fmt::format("expected a model file beside the data set {}", path));
    return path;
  }

  std::pair<Json, Evaluation> evaluate_file(const std::string& path, const Dataset& data) {
    const auto recommender = Recommender::load(path, pool());
    const Aligned scorer(*recommender, data);
    if (recommender->data().at("fingerprint").as_string() != data.fingerprint()) {
      warn(fmt::format("{} was trained on other data ('{}'); {} of {} users and {} of {} items are unknown to it", path,
                       recommender->data().at("name").as_string(), thousands(scorer.unknown_users()),
                       thousands(data.users.size()), thousands(scorer.unknown_items()), thousands(data.items.size())));
    }
    Json head = Json::object({{"model", path},
                              {"method", recommender->recipe().method_name()},
                              {"base", recommender->recipe().base_name()},
                              {"data", data.name},
                              {"findings", recommender->training.at("findings")}});
    return {head, evaluate(scorer, data, options_, pool())};
  }

  void print_results(const std::vector<std::pair<Json, Evaluation>>& results) const {
    Json::Array all;
    for (const auto& [head, evaluation] : results) {
      Json one = head;
      const Json numbers = to_json(evaluation);
      for (const auto& [name, value] : numbers.as_object()) one[name] = value;
      all.push_back(std::move(one));
    }
    print_json(all.size() == 1 ? all.front() : Json::object({{"models", std::move(all)}}));
  }

  void print_people(const std::vector<std::pair<Json, Evaluation>>& results, const Dataset& data) const {
    const Evaluation& first = results.front().second;
    print_line(fmt::format(
        "{}, {} part, protocol {}, k = {}: {} users ({} without a positive left out of ranking), {} pairs", data.name,
        to_string(first.part), first.protocol, first.k, thousands(static_cast<std::int64_t>(first.users.size())),
        thousands(static_cast<std::int64_t>(first.users_left_out)), thousands(static_cast<std::int64_t>(first.pairs))));
    if (results.size() == 1)
      print_all_metrics(first, results.front().first.at("findings"));
    else
      print_side_by_side(results);
  }

  // Where the first k are the whole list, every model gets the same recall. Said where it is so for half of the lists.
  static void say_if_lists_are_short(const Evaluation& e) {
    if (2 * e.lists_within_k < e.lists) return;
    note(fmt::format(
        "{} of {} lists have at most {} items: recall, precision and hit rate cannot tell models apart there; "
        "a smaller --k or --protocol full can",
        thousands(static_cast<std::int64_t>(e.lists_within_k)), thousands(static_cast<std::int64_t>(e.lists)), e.k));
  }

  static std::string cell(const MetricResult& m) {
    if (!std::isfinite(m.mean)) return "–";
    if (!std::isfinite(m.low)) return fmt::format("{:.4f}", m.mean);
    return fmt::format("{:.4f} [{:.4f}, {:.4f}]", m.mean, m.low, m.high);
  }

  static void print_all_metrics(const Evaluation& evaluation, const Json& findings) {
    std::vector<std::vector<std::string>> rows = {{"metric", "mean [95% interval]", "what it is"}};
    for (const MetricResult& m : evaluation.metrics) rows.push_back({m.name, cell(m), find_metric(m.name).sentence});
    print_table(rows);
    if (findings.as_object().empty()) return;
    print_line("\nWhat its training found:");
    rows.clear();
    for (const auto& [name, value] : findings.as_object()) rows.push_back({words(name), shown(value)});
    print_table(rows);
  }

  static void print_side_by_side(const std::vector<std::pair<Json, Evaluation>>& results) {
    const std::vector<std::string> columns = {"auc", "ndcg", "recall", "acc"};
    std::vector<std::vector<std::string>> rows = {{"method", "base", "AUC", "NDCG", "recall", "accuracy", "model"}};
    for (const auto& [head, evaluation] : results) {
      const std::string& base = head.at("base").as_string();
      std::vector<std::string> row = {head.at("method").as_string(), base.empty() ? "–" : base};
      for (const std::string& name : columns) row.push_back(cell(evaluation.at(name)));
      row.push_back(head.at("model").as_string());
      rows.push_back(std::move(row));
    }
    print_table(rows);
  }

  std::vector<std::string> paths_;
  EvaluateParams params_;
  EvaluateOptions options_;
  std::string save_pairs_;
};

}  // namespace

std::unique_ptr<Verb> make_evaluate(CLI::App& app) { return std::make_unique<Evaluate>(app); }

}  // namespace equipoise::cli
