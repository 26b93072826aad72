// The public C++ face of Equipoise: open or simulate a log, train, evaluate, score, recommend, save, load.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace equipoise {

/// Parameters by name, as texts; `equipoise methods NAME` lists them. Unknown names and values out of range are errors.
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

/// A data set; it is only read, and copies share it.
class Data {
 public:
  /// A data set's folder, or a log as a CSV file: then `parameters` names its columns, label rule and split
  /// (user_column, item_column, label_column, positive_at_least, …).
  static Data open(const std::string& path, const Parameters& parameters = {});
  /// Draws a log from a known law of exposure and preference (users, items, alpha, beta, seed, …).
  static Data simulate(const Parameters& parameters = {});
  /// As a folder.
  void save(const std::string& folder) const;

  const std::string& name() const;
  const std::vector<std::string>& users() const;
  const std::vector<std::string>& items() const;
  std::size_t train_rows() const;
  std::size_t valid_rows() const;
  std::size_t test_rows() const;

 private:
  friend class Model;
  struct Hidden;
  explicit Data(std::shared_ptr<const Hidden> hidden);
  std::shared_ptr<const Hidden> hidden_;
};

/// One line of the learning curve.
struct EpochReport {
  int epoch = 0;
  std::map<std::string, double> losses;  // phase → mean loss
  double metric = 0;                     // on the validation part; NaN where there is none
};

struct TrainOptions {
  std::string method = "base";
  std::string base = "mlp";  // "" for methods that need none
  Parameters parameters;     // of training, model and method: learning_rate, epochs, seed, embedding, …
  int threads = 1;           // never changes a result; 0 = as many as the machine has
  std::function<void(const EpochReport&)> on_epoch;
};

/// A metric with its 95% interval over users; NaN where it is not defined.
struct MetricValue {
  double mean = 0;
  double low = 0;
  double high = 0;
};

struct EvaluateSettings {
  std::string protocol;       // test-items, sampled:N, full; "" = the data set's own
  std::string part = "test";  // or valid
  int k = 10;
  int replicates = 1000;  // resamples behind an interval; 0 = no intervals
  std::uint64_t seed = 1;
};

struct Recommendation {
  std::string item;
  double score = 0;  // a logit
};

/// A trained recommender. Copies share it; calls of one model, its copies included, must not run at the same time.
class Model {
 public:
  static Model train(const Data& data, const TrainOptions& options = {});
  static Model load(const std::string& path, int threads = 1);
  void save(const std::string& path) const;

  const std::string& method() const;
  const std::string& base() const;
  std::string parameter(const std::string& name) const;

  /// auc, acc, ndcg, recall, … by name. Users and items are matched by their ids.
  std::map<std::string, MetricValue> evaluate(const Data& data, const EvaluateSettings& settings = {}) const;
  /// A logit for each (user, item) pair, in the same order; ids that were never seen are allowed.
  std::vector<double> score(const std::vector<std::pair<std::string, std::string>>& pairs) const;
  /// The k best items, best first, without those that the user had in training unless asked for.
  std::vector<Recommendation> recommend(const std::string& user, std::size_t k = 10, bool include_seen = false) const;

 private:
  struct Hidden;
  explicit Model(std::shared_ptr<Hidden> hidden);
  std::shared_ptr<Hidden> hidden_;
};

/// The chance that a logit stands for.
double probability(double logit);
/// The names of the methods and of the base models.
std::vector<std::string> method_names();
std::vector<std::string> base_names();

}  // namespace equipoise
