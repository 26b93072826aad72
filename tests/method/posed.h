// A world that is known whole, logs drawn from it, and a method whose networks give set logits.
#pragma once

#include <map>

#include "grad/check.h"
#include "propensity/propensity.h"
#include "registry.h"

namespace equipoise::test {

using Table = std::vector<double>;  // (users × items), row by row

inline double sigma(double x) { return 1 / (1 + std::exp(-x)); }
inline double delta(double y, double x) { return std::log1p(std::exp(x)) - y * x; }

/// A world that is known whole: labels, logits, propensities.
struct World {
  int users, items;
  Table label, f, g, p;

  World(int u, int i, double lowest, std::uint64_t seed = 1) : users(u), items(i) {
    Stream stream(seed, "world");
    for (int k = 0; k < u * i; ++k) {
      const double liking = stream.normal();
      label.push_back(stream.uniform() < sigma(liking) ? 1 : 0);
      f.push_back(0.5 * liking + 0.5 * stream.normal());
      g.push_back(stream.normal());
      // What is liked is shown more, so that the log's mean is far from the mean of all pairs.
      p.push_back(lowest + (0.9 - lowest) * sigma(2 * liking - 1));
    }
  }
  std::size_t pairs() const { return label.size(); }
  /// What every method wants to know: the mean over all pairs of δ(y, f).
  double ideal() const {
    double sum = 0;
    for (std::size_t k = 0; k < pairs(); ++k) sum += delta(label[k], f[k]);
    return sum / static_cast<double>(pairs());
  }
};

/// A log of the pairs shown this time, with the propensities `p` as its column.
inline Dataset expose(const World& world, const Table& p, std::uint64_t time) {
  Dataset data = empty_log("exposed", world.users, world.items);
  Stream stream(4, "exposure", time);
  for (std::size_t k = 0; k < world.pairs(); ++k) {
    if (stream.uniform() >= world.p[k]) continue;
    add_row(data.train, static_cast<std::int32_t>(k) / world.items, static_cast<std::int32_t>(k) % world.items,
            world.label[k] > 0);
    data.train.propensity.push_back(static_cast<float>(p[k]));
  }
  data.train.weight.assign(data.train.size(), 1.0f);
  return data;
}

using Settings = std::map<std::string, std::string>;

/// A method with networks whose logits are given tables, and a batch of the whole log with all pairs as drawn ones and
/// all items drawn against every row.
class Posed {
 public:
  Posed(const std::string& name, const Dataset& data, const Settings& settings, const World& world)
      : data_(data), catalogue_(catalogue_of(data)), base_(make_base("gmf")), method_(make_method(name)) {
    model_.representation.width = world.items;
    Params params;
    method_->describe(params);
    for (const auto& [key, value] : settings) params.set(key, value);
    method_->consider(data);
    method_->build({catalogue_, model_, base_.get(), 1}, networks_);
    method_->read(data);
    for (std::int32_t u = 0; u < data.users.size(); ++u) {
      for (std::int32_t i = 0; i < data.items.size(); ++i) user_.push_back(u), item_.push_back(i);
    }
    batch_.shown = pairs_of(data_.train, numbers_);
    batch_.drawn = {user_, item_, {}, {}, {}};
    for (const std::int32_t u : data.train.user) {
      for (std::int32_t i = 0; i < data.items.size(); ++i) against_user_.push_back(u), against_item_.push_back(i);
    }
    batch_.against = {against_user_, against_item_, {}, {}, {}};
    if (method_->needs().random) {
      random_ = random_halves(data).learned;
      random_.weight.assign(random_.size(), 1.0f);
      batch_.random = pairs_of(random_, random_numbers_);
    }
    for (const Network& network : networks_.all()) {
      if (network.name() == "f") pose("f", world.f);
      if (network.name() == "g") pose("g", world.g);
    }
  }

  /// hᵀ(φ ⊙ q) with h = 1, q = the unit vectors and φ = the rows of the table is the table.
  void pose(const std::string& network, const Table& logits) {
    for (TrainedArray& p : networks_.at(network).arrays()) {
      Floats& v = p.values();
      std::fill(v.begin(), v.end(), 0.0f);
      const auto items = static_cast<std::size_t>(data_.items.size());
      if (p.name().ends_with("user.id")) {
        std::transform(logits.begin(), logits.end(), v.begin(), [](double x) { return static_cast<float>(x); });
      } else if (p.name().ends_with("item.id")) {
        for (std::size_t i = 0; i < items; ++i) v[i * items + i] = 1;
      } else if (p.rows() == 1 && p.cols() == items) {
        std::fill(v.begin(), v.end(), 1.0f);
      }
    }
  }

  double loss(const std::string& phase, int epoch = 1) {
    for (const Phase& candidate : method_->phases(epoch)) {
      if (candidate.name != phase) continue;
      tape_.clear();
      return candidate.loss(tape_, batch_).number();
    }
    ADD_FAILURE() << "no phase " << phase;
    return 0;
  }
  /// d loss ÷ d every number of the network's array of that ending.
  std::vector<float> gradient(const std::string& phase, const std::string& network, const std::string& array) {
    for (const Phase& candidate : method_->phases(1)) {
      if (candidate.name != phase) continue;
      set_moving(networks_, candidate);
      for (TrainedArray& p : networks_.at(network).arrays()) p.clear_gradient();
      tape_.clear();
      tape_.backward(candidate.loss(tape_, batch_));
      for (TrainedArray& p : networks_.at(network).arrays()) {
        if (p.name().ends_with(array)) return gradient_of(p);
      }
    }
    ADD_FAILURE() << "no phase " << phase << " or array " << array;
    return {};
  }
  /// Only these drawn pairs, by their number in the table.
  void draw(const std::vector<std::size_t>& pairs) {
    const std::vector<std::int32_t> user = user_, item = item_;
    user_.clear(), item_.clear();
    for (const std::size_t k : pairs) user_.push_back(user[k]), item_.push_back(item[k]);
    batch_.drawn = {user_, item_, {}, {}, {}};
  }
  Method& method() { return *method_; }
  Network& network(const std::string& name) { return networks_.at(name); }
  const Batch& batch() const { return batch_; }
  /// The score of every pair, row by row of the table.
  Table scores() {
    tape_.clear();
    const Matrix out = method_->predict(tape_, {user_, item_, {}, {}, {}}).value();
    return {out.data, out.data + out.size()};
  }

 private:
  const Dataset& data_;
  ModelParams model_;
  Catalogue catalogue_;
  std::unique_ptr<Base> base_;
  std::unique_ptr<Method> method_;
  Networks networks_;
  Pool pool_{1};
  Tape tape_{pool_};
  Rows random_;
  std::vector<std::uint32_t> numbers_, random_numbers_;
  std::vector<std::int32_t> user_, item_, against_user_, against_item_;
  Batch batch_;
};

/// The mean of many values of one figure.
struct Average {
  double sum = 0, squares = 0, times = 0;

  void add(double x) { sum += x, squares += x * x, times += 1; }
  double mean() const { return sum / times; }
  double deviation() const { return std::sqrt(std::max(0.0, squares / times - mean() * mean())); }
  double error() const { return deviation() / std::sqrt(times); }
  /// In standard errors; the second part is the rounding of floats.
  double distance(double truth) const { return std::abs(mean() - truth) / (error() + 1e-6); }
};

/// The log's own propensities, unclipped.
inline const Settings kGiven = {{"propensity", "given"}, {"propensity_clip", "0"}};

}  // namespace equipoise::test
