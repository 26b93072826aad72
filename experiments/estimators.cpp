// The estimator table: how near each method's risk is to the truth, for fixed predictions and known propensities.
//
// usage: equipoise_estimators MODEL [REPEATS [THREADS [EVERY]]]; of the users one in EVERY is taken
// MODEL's scores complete the matrix: their order gives every pair a rating, the rating its label and its propensity.
// What is measured is the loss that the methods themselves minimise: every pair is a "user" of a log with one item, so
// that a number for each user is a prediction matrix, and a method cannot tell the difference.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>

#include "grad/optimizer.h"
#include "method/methods.h"
#include "propensity/propensity.h"
#include "recommender/recommender.h"

namespace equipoise {
namespace {

using Settings = std::map<std::string, std::string>;

double logit(double p) { return std::log(p / (1 - p)); }
double delta(double y, double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))) - y * x; }

struct Estimator {
  const char* name;
  const char* method;
  Settings settings;
};
// Balancing weights are no line here: they need features, and these pairs have none.
const std::vector<Estimator> kEstimators = {
    {"naive", "base", {}},
    {"ips", "ips", {}},
    {"snips", "snips", {}},
    {"d-ips", "ips", {{"propensity_bound", "0.05"}}},
    {"dr", "dr", {}},
    {"d-dr", "dr", {{"propensity_bound", "0.05"}}},
    {"mrdr", "dr", {{"variant", "mrdr"}}},
    {"dr-bias", "dr", {{"variant", "dr-bias"}}},
    {"dr-mse", "dr", {{"variant", "dr-mse"}}},
    {"tdr", "dr", {{"variant", "tdr"}}},
    {"super-dr", "dr", {{"variant", "super-dr"}}},
    {"stable-dr", "dr", {{"variant", "stable-dr"}}},
    {"super-dr-paper", "dr", {{"variant", "super-dr-paper"}}},
    {"published", "dr", {{"variant", "published"}}},
};
const std::vector<std::string> kMatrices = {"ones", "fours", "rotate", "skewed", "coarsened"};

/// A matrix that is known whole: ratings by the order of a model's scores, propensities that favour what is liked.
struct World {
  std::size_t users = 0, items = 0;
  std::vector<int> rating;
  std::vector<float> label, chance;

  World(const Recommender& model, std::size_t every, Pool& pool) {
    users = static_cast<std::size_t>(model.users().size()) / every;
    items = static_cast<std::size_t>(model.items().size());
    std::vector<std::int32_t> user(pairs()), item(pairs());
    for (std::size_t k = 0; k < pairs(); ++k) {
      user[k] = static_cast<std::int32_t>(k / items * every);
      item[k] = static_cast<std::int32_t>(k % items);
    }
    std::vector<float> score(pairs());
    model.score(user, item, score, pool);
    rate(score);
    // p = k α^max(0, 4 − r), α = ¼, of mean .05
    double sum = 0;
    for (const int r : rating) chance.push_back(static_cast<float>(std::pow(0.25, std::max(0, 4 - r))));
    for (const float c : chance) sum += c;
    for (float& c : chance) c *= static_cast<float>(0.05 * static_cast<double>(pairs()) / sum);
  }
  std::size_t pairs() const { return users * items; }

  /// The logits of a prediction matrix: its ratings r̂ as chances .1 + .8 (r̂ − 1)/4.
  std::vector<float> predictions(const std::string& matrix) const;

 private:
  // Shares of the ratings 1 to 5 of items that were shown at random (Yahoo! R3), the usual choice for this table.
  void rate(const std::vector<float>& score) {
    std::vector<std::uint32_t> order(pairs());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return score[a] < score[b]; });
    const std::array upto = {0.526, 0.768, 0.912, 0.974};
    rating.resize(pairs()), label.resize(pairs());
    for (std::size_t n = 0; n < pairs(); ++n) {
      const double share = (static_cast<double>(n) + 0.5) / static_cast<double>(pairs());
      rating[order[n]] = 1 + static_cast<int>(std::upper_bound(upto.begin(), upto.end(), share) - upto.begin());
      label[order[n]] = rating[order[n]] >= 3 ? 1.0f : 0.0f;
    }
  }
};

std::vector<float> World::predictions(const std::string& matrix) const {
  Stream stream(1, matrix);
  const auto count = [&](int r) { return static_cast<double>(std::count(rating.begin(), rating.end(), r)); };
  const int flipped = matrix == "ones" ? 1 : matrix == "fours" ? 4 : 0;  // as many of these as there are fives
  const double flips = flipped > 0 ? count(5) / count(flipped) : 0;
  std::vector<float> out;
  for (const int r : rating) {
    double guess = r;
    if (r == flipped && stream.uniform() < flips) guess = 5;
    if (matrix == "rotate") guess = r == 1 ? 5 : r - 1;
    if (matrix == "skewed") guess = std::clamp(r + (6 - r) / 2.0 * stream.normal(), 1.0, 5.0);
    if (matrix == "coarsened") guess = r <= 3 ? 3 : 4;
    out.push_back(static_cast<float>(logit(0.1 + 0.2 * (guess - 1))));
  }
  return out;
}

/// The pairs as users of a log with one item; who and what each is are features, so that g may be a sum of both.
Dataset flat_log(const World& world) {
  Dataset data;
  data.name = "flat";
  data.items.add("pair");
  const auto field = [&](const char* name, std::size_t values, auto value) {
    CategoricalField out{name, false, {}, {0}, {}};
    for (std::size_t v = 0; v < values; ++v) out.values.push_back(std::to_string(v));
    for (std::size_t k = 0; k < world.pairs(); ++k) {
      out.codes.push_back(static_cast<std::int32_t>(value(k)));
      out.offsets.push_back(static_cast<std::int32_t>(k + 1));
    }
    return out;
  };
  for (std::size_t k = 0; k < world.pairs(); ++k) data.users.add(std::to_string(k));
  data.user_features = {static_cast<std::int32_t>(world.pairs()),
                        {field("who", world.users, [&](std::size_t k) { return k / world.items; }),
                         field("what", world.items, [&](std::size_t k) { return k % world.items; })},
                        {}};
  return data;
}

void expose(const World& world, std::uint64_t time, Dataset& data) {
  data.train.clear();
  Stream stream(2, "exposure", time);
  for (std::size_t k = 0; k < world.pairs(); ++k) {
    if (stream.uniform() >= world.chance[k]) continue;
    data.train.user.push_back(static_cast<std::int32_t>(k));
    data.train.item.push_back(0);
    data.train.label.push_back(world.label[k]);
  }
  data.train.weight.assign(data.train.size(), 1.0f);
}

/// One method over one exposure, with f's logits given; what it imputes or ties is fitted by its own losses.
class Measured {
 public:
  Measured(const Estimator& estimator, const Dataset& data, const Catalogue& catalogue, Pool& pool)
      : pool_(pool), tape_(pool), base_(make_base("gmf")), method_(make_method(estimator.method)) {
    model_.representation.width = 1;
    model_.representation.deviation = 0.1f;
    Params params;
    method_->describe(params);
    if (params.find("propensity") != nullptr) params.set("propensity", "given"), params.set("propensity_clip", "0");
    for (const auto& [name, value] : estimator.settings) params.set(name, value);
    method_->consider(data);
    method_->build({catalogue, model_, base_.get(), 1}, networks_);
    method_->read(data);
    batch_.shown = pairs_of(data.train, numbers_);
    user_.resize(static_cast<std::size_t>(data.users.size()));
    std::iota(user_.begin(), user_.end(), 0);
    item_.assign(user_.size(), 0);
  }

  double risk(const std::vector<float>& f) {
    pose(f);
    fit();
    batch_.drawn = {user_, item_, {}, {}, {}};
    for (Network& network : networks_.all()) hold(network);
    tape_.clear();
    return static_cast<double>(method_->phases(1).back().loss(tape_, batch_).number());
  }

 private:
  static void hold(Network& network) {
    for (TrainedArray& p : network.arrays()) p.moves = false;
  }
  // f is its users' biases; every other model begins at 0 as φ·1, φ the sum of who and what.
  void pose(const std::vector<float>& f) {
    for (Network& network : networks_.all()) {
      for (TrainedArray& p : network.arrays()) {
        Floats& v = p.values();
        std::fill(v.begin(), v.end(), 0.0f);
        p.memory1.clear(), p.memory2.clear(), p.updates = 0;
        const bool bias = p.name().ends_with("user.bias"),
                   one = p.name().ends_with("item.id") || p.name().ends_with("/h");
        if (network.name() == "f" && bias) std::copy(f.begin(), f.end(), v.begin());
        if (network.name() != "f" && one) std::fill(v.begin(), v.end(), 1.0f);
      }
    }
  }
  // Sums of who and what, a constant, and ε; all shown rows at once, and as many drawn ones.
  void fit() {
    constexpr int kSteps = 40;
    Stream stream(3, "drawn");
    std::vector<std::int32_t> drawn(batch_.shown.size()), zero(batch_.shown.size(), 0);
    for (std::int32_t& u : drawn) u = static_cast<std::int32_t>(stream.below(static_cast<std::uint32_t>(user_.size())));
    batch_.drawn = {drawn, zero, {}, {}, {}};
    const std::vector<Phase> phases = method_->phases(1);
    for (int step = 0; step < kSteps; ++step) {
      for (std::size_t n = 0; n + 1 < phases.size(); ++n)
        move(phases[n], 0.1f * (1 - static_cast<float>(step) / kSteps));
    }
  }
  void move(const Phase& phase, float rate) {
    for (Network& network : networks_.all()) {
      hold(network);
      if (std::find(phase.networks.begin(), phase.networks.end(), network.name()) == phase.networks.end()) continue;
      for (TrainedArray& p : network.arrays()) {
        p.moves = p.name().find("field.") != std::string::npos || p.values().size() == 1;
        if (p.name().ends_with("/h") || p.name().ends_with("item.id") || p.name().ends_with("item.bias"))
          p.moves = false;
      }
    }
    tape_.clear();
    tape_.backward(phase.loss(tape_, batch_));
    for (Network& network : networks_.all()) {
      for (TrainedArray& p : network.arrays()) {
        if (p.moves) update(p, {}, rate, 1e-5f, pool_);
      }
    }
  }

  Pool& pool_;
  Tape tape_;
  ModelParams model_;
  std::unique_ptr<Base> base_;
  std::unique_ptr<Method> method_;
  Networks networks_;
  std::vector<std::uint32_t> numbers_;
  std::vector<std::int32_t> user_, item_;
  Batch batch_;
};

struct Sum {
  double error = 0, sum = 0, squares = 0, times = 0;
  void add(double relative) {
    error += std::abs(relative), sum += relative, squares += relative * relative, times += 1;
  }
  double mean() const { return sum / times; }
  double deviation() const { return std::sqrt(std::max(0.0, squares / times - mean() * mean()) / (times - 1)); }
};

void print_table(const World& world, const std::map<std::string, std::vector<float>>& f, const std::vector<float>& p,
                 int repeats, const char* title, Dataset& data, Pool& pool) {
  data.known_chance = p;
  Catalogue catalogue = catalogue_of(data);
  std::fill(catalogue.users.rows.begin(), catalogue.users.rows.end(), 1);  // no pair is cold
  std::map<std::pair<std::string, std::string>, Sum> found;
  for (int time = 0; time < repeats; ++time) {
    expose(world, static_cast<std::uint64_t>(time), data);
    for (const Estimator& estimator : kEstimators) {
      Measured measured(estimator, data, catalogue, pool);
      for (const auto& [matrix, logits] : f) {
        double truth = 0;
        for (std::size_t k = 0; k < world.pairs(); ++k) truth += delta(world.label[k], logits[k]);
        truth /= static_cast<double>(world.pairs());
        found[{estimator.name, matrix}].add(measured.risk(logits) / truth - 1);
      }
    }
    fmt::print(stderr, "{}: {} of {}\n", title, time + 1, repeats);
  }
  fmt::print("\n{}\n\n| estimator |", title);
  for (const std::string& matrix : kMatrices) fmt::print(" {} |", matrix);
  fmt::print("\n|---|{}\n", [] {
    std::string s;
    for (std::size_t k = 0; k < kMatrices.size(); ++k) s += "---|";
    return s;
  }());
  for (const Estimator& estimator : kEstimators) {
    fmt::print("| {} |", estimator.name);
    for (const std::string& matrix : kMatrices) {
      const Sum& s = found[{estimator.name, matrix}];
      fmt::print(" {:.4f} ({:+.1f}) |", s.error / s.times, s.mean() / s.deviation());
    }
    fmt::print("\n");
  }
  std::fflush(stdout);
}

void run(const std::string& path, int repeats, int threads, int every) {
  Pool pool(threads);
  const World world(*Recommender::load(path, pool), static_cast<std::size_t>(std::max(1, every)), pool);
  std::map<std::string, std::vector<float>> f;
  for (const std::string& matrix : kMatrices) f[matrix] = world.predictions(matrix);
  Dataset data = flat_log(world);
  fmt::print(
      "{} × {} pairs, 5% shown, {} exposures. Mean of |estimate ÷ truth − 1|; in brackets how many standard errors "
      "the mean estimate is from the truth.\n",
      world.users, world.items, repeats);
  print_table(world, f, world.chance, repeats, "The true propensities:", data, pool);
  std::vector<float> wrong;  // 1/p̂ is half way between 1/p and that of a log shown at random
  for (const float p : world.chance) wrong.push_back(2 / (1 / p + 1 / 0.05f));
  print_table(world, f, wrong, repeats, "Wrong propensities, 1/p̂ = ½ (1/p + 1/ω):", data, pool);
}

}  // namespace
}  // namespace equipoise

int main(int argc, char** argv) try {
  if (argc < 2) throw std::runtime_error("expected the file of a trained model");
  equipoise::run(argv[1], argc > 2 ? std::stoi(argv[2]) : 20, argc > 3 ? std::stoi(argv[3]) : 1,
                 argc > 4 ? std::stoi(argv[4]) : 1);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "equipoise_estimators: %s\n", error.what());
  return 1;
}
