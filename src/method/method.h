// A method: the networks it needs, the phases that train them, and how it predicts. It sees logits only.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/params.h"
#include "model/catalogue_scorer.h"
#include "model/rating_model.h"

namespace equipoise {

/// What a method asks of the data before it can train.
struct Needs {
  int drawn = 0;              // pairs drawn uniformly from all users × items, for each shown row
  bool base = true;           // a base model (gmf, mlp)
  bool labels = true;         // rows of both labels; otherwise it learns from positives alone, too
  AgainstDraws against = {};  // items drawn for each shown row, for the row's user
  bool random = false;        // rows of a random sample beside the shown ones: half of the validation part
  bool whole_tables = false;  // every rank must have all rows of every table
};

/// A phase moves some networks down its loss; the others stay as they are.
struct Phase {
  std::string name;
  std::vector<std::string> networks;
  std::function<Var(Tape&, const Batch&)> loss;
  int steps = 1;             // on each batch
  float rate_factor = 1.0f;  // its learning rate, as a multiple of the trainer's
};

/// What a method builds from.
struct Workshop {
  const Catalogue& catalogue;
  const ModelParams& model;
  const Base* base = nullptr;  // nullptr for methods that need none
  std::uint64_t seed = 0;

  /// A whole model of feedback in a network of its own, with a start of its own.
  std::unique_ptr<RatingModel> rating_model(Networks& networks, const std::string& name) const {
    auto out = std::make_unique<RatingModel>(networks.add(name), catalogue, model, *base, seed);
    if (model.history.graph_layers > 0) out->add_graph(networks, name + ".graph", catalogue, model.history);
    return out;
  }
};

/// A column of the batch as a constant of the tape: (batch × 1).
inline Var column(Tape& tape, std::span<const float> values) { return tape.constant(values.data(), values.size(), 1); }

/// TrainedArray values that belong together, of the method, its base model or the training.
struct Preset {
  std::string name;
  std::string sentence;
  std::vector<std::pair<std::string, std::string>> values;
};

class Method {
 public:
  virtual ~Method() = default;
  virtual void describe(Params& p) { static_cast<void>(p); }
  virtual Needs needs() const { return {}; }
  /// Looks at what kind of log it is to learn from, before `needs` is asked and anything is built: settles what the log
  /// decides. Called for training alone; what it settles is in the recipe from then on.
  virtual void consider(const Dataset& data) { static_cast<void>(data); }
  /// Makes the networks, at their random start. Called once, for training and for loading alike.
  virtual void build(const Workshop& workshop, Networks& networks) = 0;
  /// Reads the log once before training: counts, weights; methods without phases compute their answer here.
  virtual void read(const Dataset& data) { static_cast<void>(data); }
  /// What happens at the beginning of an epoch, over the whole log (refreshed means, new pseudo-labels). What it
  /// computes must live in arrays of a network: a checkpoint within the epoch keeps those and does not call again.
  virtual void begin_epoch(const Dataset& data, int epoch, Pool& pool) {
    static_cast<void>(data), static_cast<void>(epoch), static_cast<void>(pool);
  }
  /// Epochs in which what predicts is not trained yet: early stopping does not judge them.
  virtual int warm_up() const { return 0; }
  /// The parameter that says how many, where there may be any.
  virtual std::string warm_up_parameter() const { return ""; }
  /// The phases of an epoch, run in order on every batch; none = nothing to train.
  virtual std::vector<Phase> phases(int epoch) = 0;
  /// After the last epoch, when the arrays of the best one are in place: computes what predictions need beside them.
  /// True if predictions are no longer those that were judged.
  virtual bool finish(const Dataset& data, Pool& pool) {
    static_cast<void>(data), static_cast<void>(pool);
    return false;
  }
  /// For methods without phases: among how many answers validation chooses. Without a validation part it is the first.
  virtual int answers() const { return 1; }
  /// From now on it predicts by that answer.
  virtual void give(int answer) { static_cast<void>(answer); }
  /// What the method has to say of the trained model: numbers by name, kept in the model and shown to people
  /// (imbalance before and after, share of clipped propensities).
  virtual Json findings(const Dataset& data, Pool& pool) {
    static_cast<void>(data), static_cast<void>(pool);
    return Json::object();
  }
  /// Named sets of parameter values ("paper"), for --preset.
  virtual std::vector<Preset> presets() const { return {}; }
  /// A logit for each pair; where scores are no chances, a number that puts them in order.
  virtual Var predict(Tape& tape, const Pairs& pairs) const = 0;
  /// Whether σ of a score is the chance of a positive label. Otherwise a score says which item is better and no more.
  virtual bool scores_are_chances() const { return true; }
  /// The model whose logits are the predictions as they are, where there is one.
  virtual const RatingModel* predictor() const { return nullptr; }
  /// The model whose vectors of users and items the predictions are made of, where there is one.
  virtual const RatingModel* representations() const { return predictor(); }
  /// A faster way to score a user against many items, where the method has one; its arrays must not change then.
  virtual std::unique_ptr<CatalogueScorer> catalogue_scorer(Pool& pool) const {
    static_cast<void>(pool);
    return nullptr;
  }
};

}  // namespace equipoise
