// equipoise evaluate: metrics of one or more models on a data set's held-out part.
#include "app/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/alike.h"
#include "app/outputs.h"
#include "cli.h"
#include "core/error.h"
#include "core/file.h"
#include "core/listener.h"
#include "core/text.h"
#include "data/dataset_cache.h"
#include "summary.h"

namespace equipoise::cli {

namespace {

class Evaluate final : public Verb {
 public:
  explicit Evaluate(CLI::App& root)
      : Verb(root, "evaluate", "Measure models on the held-out part of a data set, with 95% intervals over users.",
             "equipoise evaluate gmf.model mlp.model data/sim --protocol test-items --k 5,10,20") {
    app().add_option("FILE", paths_, "one or more model files, and the folder of one data set")->required();
    app()
        .add_option("--save-pairs", save_pairs_, "also write the ranked pairs (list,user,item,label) to this CSV file")
        ->type_name("FILE");
    app().add_option("--per-user", per_user_, "also write each user's values to this CSV file")->type_name("FILE");
    declare(output_, "Options");
    declare(params_, "Options");
    declare(cache_, "Options");
  }

  std::string not_shared() const override { return ""; }

  void run() override {
    refuse_leftovers("evaluate");
    const std::string folder = take_folder();
    if (!params_.protocol.empty()) parse_protocol(params_.protocol);  // a typing error is found before reading
    for (const std::string& path : {save_pairs_, per_user_}) {
      if (!path.empty() && ranks().first()) check_output(path, kCsvOutput, paths_, output_.force);
    }
    if (!per_user_.empty() && paths_.size() > 1) {
      throw UsageError(fmt::format("--per-user is for one model, and {} are given", paths_.size()));
    }
    for (const std::string& path : paths_) check_same_model(ranks(), path);
    const Dataset data = load_dataset(folder, cache_, pool());
    check_same_data(ranks(), folder, data);
    say_of_leaks(data);
    std::vector<std::pair<Json, Evaluation>> results;
    for (const std::string& path : paths_) results.push_back(evaluate_file(path, data));
    if (!ranks().first()) return;
    if (!save_pairs_.empty()) save_pairs(save_pairs_, data, params_);
    if (!per_user_.empty()) save_per_user(per_user_, data, results.front().second);
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

  static void say_of_leaks(const Dataset& data) {
    const std::int64_t leaks = count_leaks(data);
    if (leaks == 0) return;
    warn(fmt::format("{}: {} rows of its train part have a pair that is in valid or test too", data.name,
                     thousands(leaks)));
  }

  std::pair<Json, Evaluation> evaluate_file(const std::string& path, const Dataset& data) {
    const auto recommender = Recommender::load(path, pool());
    Json head = Json::object({{"model", path},
                              {"method", recommender->recipe().method_name()},
                              {"base", recommender->recipe().base_name()},
                              {"data", data.name},
                              {"findings", recommender->training.at("findings")}});
    return {head, evaluate(*recommender, path, data, params_, pool(), ranks())};
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
    for (const auto& [head, evaluation] : results) {
      if (evaluation.trained_on == 0) continue;
      print_line("! " + trained_on_sentence(head.at("model").as_string(), data, first.part, evaluation.trained_on));
    }
    print_line(fmt::format("{}, {} part, protocol {}, k = {}: {} users ({} without a positive {}), {} pairs", data.name,
                           to_string(first.part), first.protocol, fmt::join(params_.k, ", "),
                           thousands(static_cast<std::int64_t>(first.users.size())),
                           thousands(static_cast<std::int64_t>(first.users_left_out)),
                           first.count_empty ? "count as NDCG 1" : "left out of ranking",
                           thousands(static_cast<std::int64_t>(first.pairs))));
    if (results.size() == 1)
      print_all_metrics(first);
    else
      print_side_by_side(results);
    print_line(caption(first));
    if (results.size() == 1) print_findings(results.front().first.at("findings"));
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

  static void print_all_metrics(const Evaluation& evaluation) {
    std::vector<std::vector<std::string>> rows = {{"metric", "mean [95% interval]", "what it is"}};
    for (const MetricResult& m : evaluation.metrics) {
      rows.push_back({metric_label(m.name, evaluation.k), cell(m), metric_of_name(m.name).sentence});
    }
    print_table(rows);
  }

  static void print_findings(const Json& findings) {
    if (findings.as_object().empty()) return;
    print_line("\nWhat its training found:");
    std::vector<std::vector<std::string>> rows;
    for (const auto& [name, value] : findings.as_object()) rows.push_back({words(name), shown(value)});
    print_table(rows);
  }

  static void print_side_by_side(const std::vector<std::pair<Json, Evaluation>>& results) {
    const Evaluation& first = results.front().second;
    std::vector<std::string> columns = {"auc", "user_auc", "ndcg"};
    for (const int k : first.more_k) columns.push_back(metric_label("ndcg", k));
    columns.insert(columns.end(), {"recall", "acc"});
    std::vector<std::vector<std::string>> rows = {{"method", "base"}};
    for (const std::string& name : columns) rows.front().push_back(metric_label(name, first.k));
    rows.front().emplace_back("model");
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
  CacheParams cache_;
  std::string save_pairs_, per_user_;
  OutputParams output_;
};

}  // namespace

std::unique_ptr<Verb> make_evaluate(CLI::App& app) { return std::make_unique<Evaluate>(app); }

}  // namespace equipoise::cli
