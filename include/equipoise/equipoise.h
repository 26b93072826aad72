// The public C++ face of Equipoise: data from files or arrays, training, scores, lists, metrics, files and bytes.
#pragma once

#include <equipoise/columns.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace equipoise {

/// Parameters by name, as texts, checked against their declarations; `parameter_groups` lists them. Unknown names and
/// values out of range are errors.
using Parameters = std::map<std::string, std::string>;

/// What every function here throws. `kind` is what the command-line program would exit with.
class Failure : public std::runtime_error {
 public:
  enum class Kind { failed = 1, usage = 2, bad_data = 3, check_failed = 4, interrupted = 130 };
  Failure(const std::string& what, Kind kind) : std::runtime_error(what), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

/// How far some work has come.
struct ProgressReport {
  std::string_view label = {};  // "training"
  std::string_view unit = {};   // "steps"
  std::int64_t done = 0;
  std::int64_t total = 1;
  std::string_view words = {};  // what is known so far: "auc 0.801"
};

/// How a caller hears of long work and stops it. Nothing is printed, and nothing is called that is not set. Calls come
/// one at a time, on whichever thread does the work. What a function throws stops the work, and reaches the caller.
struct Callbacks {
  std::function<void(const std::string& text)> on_note = {};
  std::function<void(const std::string& text)> on_warning = {};
  std::function<void(const ProgressReport&)> on_progress = {};
  std::stop_token stop = {};              // asked between steps of training, trials of a comparison, users of a list
  std::function<bool()> wants_stop = {};  // asked where `stop` is: whether the work should stop
};

/// Rows of one part of a data set, column by column: views that live as long as the data set. Columns that it does not
/// have are empty.
struct RowColumns {
  std::span<const std::int32_t> user = {}, item = {};  // numbers: places in Data::users and Data::items
  std::span<const float> label = {};                   // 0 or 1
  std::span<const float> propensity = {}, weight = {};
  std::span<const std::int64_t> timestamp = {};
  // Of lists that a server drew.
  std::span<const std::int32_t> request = {};   // numbers: places in Data::requests
  std::span<const std::int32_t> position = {};  // in the list, from 1
  std::span<const double> propensity_at_position = {}, propensity_given_above = {};
  std::span<const std::int32_t> eligible = {};  // how many items the list could have shown
};

/// A data set; it is only read, and copies share it. Any number of threads may use it.
class Data {
 public:
  /// From the caller's arrays. `parameters` are those of a log in a CSV file that concern no file: name, label_column
  /// (what the label is called), positive_at_least, duplicates, how it is split, keep_leaks, seed. The same rows give
  /// the same data set, and so the same models, as in a file.
  static Data from_rows(const LogArrays& log, const Parameters& parameters = {}, const MoreData& more = {},
                        int threads = 1, const Callbacks& callbacks = {});
  /// A data set's folder, or a log as a CSV file: then `parameters` names its columns, label rule and split
  /// (user_column, item_column, label_column, positive_at_least, …). Large inputs leave a copy for the next start in
  /// the folder `cache_folder`, where that is given.
  static Data open(const std::string& path, const Parameters& parameters = {}, int threads = 1,
                   const Callbacks& callbacks = {});
  /// Another source's files: coat, movielens, … (parameter_groups lists them).
  static Data import(const std::string& source, const std::vector<std::string>& paths,
                     const Parameters& parameters = {}, int threads = 1, const Callbacks& callbacks = {});
  /// Draws a log from a known law of exposure and preference (users, items, alpha, beta, seed, …).
  static Data simulate(const Parameters& parameters = {});
  /// Draws exposure by a known law over the labels of a data set whose test part has every pair of its users and items
  /// (strength, density, seed, …); the log has the chance of each row to be shown.
  static Data simulate(const Data& labels, const Parameters& parameters = {});
  /// The same with all rows of another data set as its validation part, in the place of its own; ids are matched by
  /// their texts.
  Data with_valid(const Data& rows) const;
  /// As a folder, whole or not at all; with truth.csv beside it where it was simulated with `truth`.
  void save(const std::string& folder) const;
  /// The pairs that an evaluation ranks, as a CSV file: list,user,item,label. Parameters: protocol, part, seed.
  void save_pairs(const std::string& path, const Parameters& parameters = {}) const;

  const std::string& name() const;
  /// A copy that is called otherwise, so that two data sets can be told apart in one comparison.
  Data named(const std::string& name) const;
  const std::vector<std::string>& users() const;
  const std::vector<std::string>& items() const;
  /// The ids of the lists that rows are of; empty where rows are of none.
  const std::vector<std::string>& requests() const;
  std::size_t train_rows() const;
  std::size_t valid_rows() const;
  std::size_t test_rows() const;
  /// "train", "valid" or "test".
  RowColumns rows(const std::string& part) const;
  /// 16 hexadecimal digits: equal data, equal text.
  std::string fingerprint() const;
  /// Figures and provenance as a JSON object.
  std::string summary() const;

 private:
  friend struct Access;
  struct Hidden;
  explicit Data(std::shared_ptr<const Hidden> hidden);
  std::shared_ptr<const Hidden> hidden_;
};

/// Takes a user out of a data set's folder: rows, id and features. Gives what went as a JSON object. The copy of an
/// earlier start is removed where `cache_folder` is given. Models that were trained on the data before keep what they
/// learned.
std::string forget_user(const std::string& folder, const std::string& user, const Parameters& parameters = {},
                        int threads = 1, const Callbacks& callbacks = {});

/// What is found out about a log before anything is trained.
struct DoctorReport {
  std::vector<std::string> verdict = {};  // a sentence each, how it is known in front
  std::string json = {};                  // everything, as `equipoise doctor --json` prints it
};
DoctorReport diagnose(const Data& data, const Parameters& parameters = {}, int threads = 1,
                      const Callbacks& callbacks = {});

/// One line of the learning curve.
struct EpochReport {
  int epoch = 0;
  std::map<std::string, double> losses = {};  // phase → mean loss
  double metric = 0;                          // on the validation part; NaN where there is none
};

struct TrainOptions {
  std::string method = "base";
  std::string base = "";        // "" = mlp where the method needs one
  std::string preset = {};      // values of parameters that belong together; "" = none
  Parameters parameters = {};   // of training, memory, model and method: learning_rate, epochs, seed, embedding, …
  std::string checkpoint = {};  // a file to leave checkpoints in; "" = none
  bool resume = false;          // go on from that file if it is there
  int threads = 1;              // never changes a result; 0 = as many as the machine has
  std::function<void(const EpochReport&)> on_epoch = {};
  /// Whether the epoch was the last: training ends as if patience had run out, and the best epoch is kept.
  std::function<bool(const EpochReport&)> stop_after = {};
  Callbacks callbacks = {};
};

/// What `Model::train` would refuse before it looks at data: an unknown name, a value out of range, a parameter of
/// another method or base model.
void check_training(const TrainOptions& options);

/// A metric with its 95% interval over users; NaN where it is not defined.
struct MetricValue {
  double mean = 0;
  double low = 0;
  double high = 0;
};

/// What an evaluation found.
struct EvaluationReport {
  std::string protocol = {};
  int k = 0;
  std::vector<std::pair<std::string, MetricValue>> metrics = {};  // in the order of their table
  std::vector<std::string> users = {};                            // who was evaluated
  std::vector<std::size_t> lists = {};                            // of each of them: how many lists
  std::map<std::string, std::vector<double>> per_user = {};       // ranking metric → value of each; NaN = left out
};

struct Recommendation {
  std::string item = {};
  double score = 0;                                 // a logit; of similar items the cosine
  std::string name = {};                            // what people call the item; "" where the data had no names
  std::string known = {};                           // as of Model::knows_item
  std::map<std::string, std::string> columns = {};  // the features that were asked for; "" = missing
};

/// An item that somebody has, and its label where that is known: from 0 to 1, as the model was trained with.
struct HistoryItem {
  std::string item = {};
  std::optional<double> label = {};
};

/// What a list may hold, and what is known of its user beside the model.
struct ListOptions {
  std::size_t k = 10;
  bool include_seen = false;                                    // also items that the user had in training
  std::optional<std::vector<std::string>> candidates = {};      // only these items
  std::vector<std::string> exclude = {};                        // none of these
  std::map<std::string, std::vector<std::string>> filter = {};  // feature → only items with one of these values
  std::vector<std::string> columns = {};                        // features of items to give beside them
  /// Items that the one user has, the newest last: added to those of a user of the model, and all that is known of
  /// somebody new. They count where the model was trained with history, and are left out of the list.
  std::vector<HistoryItem> history = {};
  /// Features of the one user, in the place of what the model has.
  std::map<std::string, std::string> features = {};
  /// Rows that came after training, of any users: user, item, and label where there is one. A view, as `LogArrays` is.
  LogArrays more_rows = {};
};

/// Vectors of all users or of all items, row by row in the order of their numbers.
struct Factors {
  std::vector<float> values = {};  // rows × width
  std::size_t rows = 0;
  std::size_t width = 0;
  /// Whether the product of a user's row and an item's row is the pair's score, up to rounding.
  bool product_is_score = false;
};

/// Lists of many users, in the caller's arrays of users × k places, row by row. A list that is shorter than k ends with
/// items of −1 and scores of NaN.
struct ListArrays {
  std::span<std::int32_t> items = {};  // numbers of `Model::items`
  std::span<float> scores = {};        // logits
};

/// A trained recommender. It never changes: copies share it, and any number of threads may call it at once, without a
/// lock. A call that finds the model's worker threads busy works on the caller's own.
class Model {
 public:
  static Model train(const Data& data, const TrainOptions& options = {});
  static Model load(const std::string& path, int threads = 1);
  static Model from_bytes(std::string_view bytes, int threads = 1);
  void save(const std::string& path) const;
  /// The bytes of its file.
  std::string bytes() const;

  const std::string& method() const;
  const std::string& base() const;
  std::string parameter(const std::string& name) const;
  /// Method, base, parameters, data, training (settings, curve, findings) as a JSON object.
  std::string card() const;
  /// How much it knows of a user or an item: "trained" (it had training rows), "features_only", or "nothing".
  std::string knows_user(const std::string& user) const;
  std::string knows_item(const std::string& item) const;
  /// What people call an item; "" where the data had no names, or the item is not known.
  std::string item_name(const std::string& item) const;
  /// What people call each item, by number; empty where the data had no names.
  std::vector<std::string> item_names() const;
  /// A feature of every item as text, by number; "" = missing.
  std::vector<std::string> item_column(const std::string& feature) const;
  /// Whether it is a feature of numbers.
  bool item_column_is_number(const std::string& feature) const;
  /// Whether a score is the logit of a chance; otherwise it orders a user's items and says no more.
  bool scores_are_chances() const;
  /// The ids it knows, by number.
  const std::vector<std::string>& users() const;
  const std::vector<std::string>& items() const;

  /// Metrics with their intervals, and the values of each user. Users and items are matched by their ids. Parameters:
  /// protocol, part, k, replicates, seed.
  EvaluationReport evaluation(const Data& data, const Parameters& parameters = {},
                              const Callbacks& callbacks = {}) const;
  /// The metrics alone: auc, acc, ndcg, recall, … by name.
  std::map<std::string, MetricValue> evaluate(const Data& data, const Parameters& parameters = {},
                                              const Callbacks& callbacks = {}) const;
  /// A logit for each (user, item) pair, in the same order; ids that were never seen are allowed. `probability = true`
  /// gives chances instead, and fails where scores are none. Rows that came after training count as in lists.
  void score(const Ids& users, const Ids& items, std::span<float> out, const Parameters& parameters = {},
             const LogArrays& more_rows = {}) const;
  std::vector<float> score(const Ids& users, const Ids& items, const Parameters& parameters = {},
                           const LogArrays& more_rows = {}) const;
  double score(const std::string& user, const std::string& item) const;
  double score(std::initializer_list<const char*> users, std::initializer_list<const char*> items) const = delete;
  /// The k best items, best first, equal scores in the order of their ids.
  std::vector<Recommendation> recommend(const std::string& user, const ListOptions& options = {}) const;
  /// The same with the options as parameters, as the command line has them.
  std::vector<Recommendation> recommend(const std::string& user, const Parameters& parameters) const;
  std::vector<Recommendation> recommend(std::initializer_list<const char*> users, const ListOptions& = {}) const =
      delete;  // two texts in braces would be taken for one
  /// The items most like one, by the cosine of their vectors, best first, equal ones in the order of their ids. Fails
  /// where a model has no vectors (baselines), or the item is not known. `include_seen` is of no account.
  std::vector<Recommendation> similar(const std::string& item, const ListOptions& options = {}) const;
  std::vector<Recommendation> similar(const std::string& item, const Parameters& parameters) const;
  std::vector<Recommendation> similar(std::initializer_list<const char*> items, const ListOptions& = {}) const = delete;
  /// The vectors that scores are made of, for engines that search near neighbours. Fails where there are none.
  Factors user_factors() const;
  Factors item_factors() const;
  /// The same as numpy files in a folder, with the ids: what `equipoise export` writes.
  void save_factors(const std::string& folder) const;
  /// Lists of many users into the caller's arrays.
  void recommend(const Ids& users, const ListOptions& options, const ListArrays& out,
                 const Callbacks& callbacks = {}) const;

 private:
  friend struct ModelAccess;
  struct Hidden;
  explicit Model(std::shared_ptr<const Hidden> hidden);
  std::shared_ptr<const Hidden> hidden_;
};

/// The area under the ROC curve of some pairs' scores and labels of 0 or 1; NaN where one of the labels is missing.
double auc(std::span<const float> scores, std::span<const float> labels);

/// The chance that a logit stands for.
double probability(double logit);

/// A parameter as it is declared.
struct ParameterInfo {
  std::string name = {};
  std::string kind = {};  // "number", "whole number", "true or false", "text", "list of whole numbers"
  std::string default_value = {};
  std::string range = {};  // "from 0", "adam | sgd", or ""
  std::string sentence = {};
  std::vector<std::string> choices = {};   // of texts that are names
  std::vector<std::string> searched = {};  // values that a search tries
};
struct ParameterGroup {
  std::string kind = {};  // "method", "base model", "source", "part" of training, or "verb"
  std::string name = {};
  std::string sentence = {};
  std::vector<ParameterInfo> parameters = {};
  std::map<std::string, Parameters> presets = {};
};
/// Everything that can be told, to whom. Comparisons have more: see equipoise/lab.h.
std::vector<ParameterGroup> parameter_groups();
/// The names of the methods and of the base models.
std::vector<std::string> method_names();
std::vector<std::string> base_names();

}  // namespace equipoise

#include "equipoise/value.h"  // what policies would have been worth
