// What is to be run: data, arms, how settings are searched, how often; one object for comparisons and studies alike.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/json.h"
#include "data/simulate/laboratory.h"
#include "data/simulate/simulate.h"
#include "eval/evaluation.h"
#include "recommender/recipe.h"
#include "train/train_params.h"

namespace equipoise {

/// Parameters by name and text, as on a command line.
using Settings = std::vector<std::pair<std::string, std::string>>;
Json to_json(const Settings& settings);
Settings settings_of(const Json& object);
/// "gamma=0.1, lambda=0", or `none`.
std::string settings_text(const Settings& settings, const std::string& none);

inline constexpr double kNoX = std::numeric_limits<double>::quiet_NaN();

/// Data that arms are compared on: a folder, or a law that a new log is drawn from for every repeat: of users and
/// items, or of exposure over the labels of the folder's matrix.
struct DataSource {
  std::string name;    // as tables call it
  std::string folder;  // "" where it is simulated
  std::optional<SimulateParams> simulated;
  double keep = 1;          // share of the train rows that are used
  double x = kNoX;          // its place on a study's axis; NaN where the study varies the arms
  std::string fingerprint;  // of a folder's data
  std::optional<LaboratoryParams> laboratory = {};

  /// Whether every repeat has a log of its own.
  bool drawn() const { return simulated || laboratory; }
};

/// A parameter that is searched, and the values that it is searched among.
struct Dimension {
  std::string name;
  std::vector<std::string> values;
  bool numbers = false;  // so that there is something between two values
  bool whole = false;
};

/// One line of a table: a method on a base model, with what the search may not touch.
struct Arm {
  std::string name;  // "cbr gmf"
  std::string method;
  std::string base;  // "" for baselines
  Settings fixed;
  std::string series;  // the curve it belongs to, in a study that varies the arms
  double x = kNoX;
  /// What is searched of a method that the methods' table does not have (see outside.h); nothing for our own.
  std::optional<std::vector<Dimension>> outside = {};
  /// The arm that it is compared with, its own name = none; "" = by the plan's rule.
  std::string against = {};
};

/// The parameters that an outside method declares, each with a field for its value.
struct OutsideParams {
  explicit OutsideParams(const std::vector<Dimension>& declared);

  std::deque<std::variant<int, double, std::string>> fields;
  Params params;
};

/// A recipe and the settings of its training, made of an arm and what a trial adds.
struct Candidate {
  /// UsageError, naming the arm, if it has no such parameter, or not such a value.
  Candidate(const Arm& arm, const Settings& chosen);

  /// Those of the recipe, or of the outside method.
  Params& own();
  /// Those of its method; an outside method needs nothing.
  Needs needs() const;

  std::unique_ptr<Recipe> recipe;  // nullptr of an outside method
  TrainParams train;
  OutsideParams outside;
};

struct Plan {
  std::string kind = "compare";       // or the study's name
  std::string x_name;                 // what a study varies: "α"
  std::string command;                // as it was typed; not part of what the plan is
  std::vector<std::string> findings;  // of the linter; not part of it either
  std::vector<DataSource> sources;
  std::vector<Arm> arms;
  int budget = 12;                 // settings tried for every arm on every source
  int finalists = 3;               // best settings of the search that are run on two more seeds before one is chosen
  int seeds = 5;                   // fresh runs of the chosen setting
  std::string search = "random";   // grid, random, halving
  std::string space = "declared";  // or paper: whose values are tried
  Settings values;                 // values that replace those of a parameter: name, "a,b,c"
  std::string metric = "auc";      // chosen by on valid; the one that is tested
  int k = 10;
  std::vector<std::string> protocols;  // empty: the test part's own
  int replicates = 1000;
  std::uint64_t seed = 1;
  /// The seeds of the final runs, where they are not the ones that follow `seed`; `seeds` is how many there are.
  std::vector<std::uint64_t> seed_list = {};
  /// Where metrics are cut beside k.
  std::vector<int> more_k = {};
  /// What users without a positive count as.
  std::string ndcg_empty = kEmptyLeftOut;

  /// The seed of each final run.
  std::vector<std::uint64_t> final_seeds() const;
  /// k and more_k.
  std::vector<int> all_k() const;
  const Arm& arm(const std::string& name) const;
  const DataSource& source(const std::string& name) const;
  /// The arm that the others with this base model are compared with: plain `base`, or else the first of `base`; nullptr
  /// if there is none, or it is the arm itself. An outside method has that of the first base model. An arm may name
  /// another one.
  const Arm* base_of(const Arm& arm) const;
  Json to_json() const;
  static Plan from_json(const Json& json);
  /// Equal texts: the same trials with the same results, wherever the data lies.
  std::string identity() const;
};

/// The plan of a store that held `stored` and is asked for `asked`: its arms, data and seeds, then the new ones.
/// UsageError, naming the folder and what differs, where the two could not be in one table.
Plan grown(const Plan& stored, const Plan& asked, const std::string& folder);

}  // namespace equipoise
