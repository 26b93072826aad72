// Search spaces from declarations, and the draws from them.
#include "compare/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compare/choice.h"
#include "core/random.h"
#include "core/text.h"

namespace equipoise {

namespace {

constexpr int kMostAttempts = 100;  // to find a setting that has not been tried
constexpr int kKeptShare = 3;       // one in three goes on to the next rung
constexpr int kMostRungs = 3;

// Section 5.1 of the paper: rates, batch sizes, the weight of balancing (its λ) and of regularisation (its λ_k).
const Settings& paper_values() {
  static const Settings values = {{"learning_rate", "0.1,0.01,0.001,0.0001"},
                                  {"batch_size", "64,128,256,512,1024"},
                                  {"gamma", "0.001,0.01,0.05,0.1,0.5"},
                                  {"lambda", "0.001,0.005,0.01,0.05"}};
  return values;
}

const std::string* find(const Settings& settings, const std::string& name) {
  for (const auto& [known, value] : settings) {
    if (known == name) return &value;
  }
  return nullptr;
}

std::vector<std::string> values_of(const Param& param, const Plan& plan, bool outside) {
  if (const std::string* given = find(plan.values, param.name())) return split(*given, ',');
  if (outside || plan.space == "declared") return param.limits().searched;
  const std::string* printed = find(paper_values(), param.name());
  return printed != nullptr ? split(*printed, ',') : std::vector<std::string>{};
}

// Between the smallest and the largest value that is not 0, evenly by the logarithm; 0, where it is among the values,
// as often as any other of them.
std::string draw_between(const Dimension& dimension, Stream& stream) {
  double low = INFINITY, high = 0;
  for (const std::string& text : dimension.values) {
    const double value = parse_double(text).value_or(0);
    if (value > 0) low = std::min(low, value), high = std::max(high, value);
  }
  const std::size_t place = stream.below(static_cast<std::uint32_t>(dimension.values.size()));
  const double share = stream.uniform();
  if (low >= high || parse_double(dimension.values[place]).value_or(0) <= 0) return dimension.values[place];
  const double value = low * std::pow(high / low, share);
  return dimension.whole ? fmt::format("{:.0f}", std::round(value)) : fmt::format("{:.3g}", value);
}

std::string draw(const Dimension& dimension, const Plan& plan, int trial, int attempt) {
  Stream stream(plan.seed, "search " + dimension.name, static_cast<std::uint64_t>(trial),
                static_cast<std::uint64_t>(attempt));
  if (plan.search != "grid" && dimension.numbers) return draw_between(dimension, stream);
  return dimension.values[stream.below(static_cast<std::uint32_t>(dimension.values.size()))];
}

Settings grid_point(const std::vector<Dimension>& space, std::size_t number) {
  Settings out;
  for (const Dimension& dimension : space) {
    out.emplace_back(dimension.name, dimension.values[number % dimension.values.size()]);
    number /= dimension.values.size();
  }
  return out;
}

}  // namespace

std::vector<Dimension> dimensions(const Arm& arm, const Plan& plan) {
  Candidate candidate(arm, {});
  // Where we train nothing, rates and batches decide nothing.
  Params train;
  if (candidate.recipe && candidate.recipe->base() != nullptr) candidate.train.describe(train);
  std::vector<Dimension> out;
  for (const Params* params : {&train, &candidate.own()}) {
    for (const Param& param : params->all()) {
      std::vector<std::string> values = values_of(param, plan, arm.outside.has_value());
      if (values.empty() || find(arm.fixed, param.name()) != nullptr) continue;
      const bool whole = param.kind() == "whole number";
      out.push_back({param.name(), std::move(values), whole || param.kind() == "number", whole});
    }
  }
  return out;
}

double grid_size(const std::vector<Dimension>& space) {
  double size = 1;
  for (const Dimension& dimension : space) size *= static_cast<double>(dimension.values.size());
  return size;
}

std::vector<Settings> settings_to_try(const Arm& arm, const Plan& plan) {
  const std::vector<Dimension> space = dimensions(arm, plan);
  std::vector<Settings> out = {{}};  // the defaults
  if (space.empty()) return out;
  const auto budget = static_cast<std::size_t>(plan.budget);
  if (plan.search == "grid" && grid_size(space) < static_cast<double>(budget)) {
    for (std::size_t point = 0; point < static_cast<std::size_t>(grid_size(space)); ++point) {
      out.push_back(grid_point(space, point));
    }
    return out;
  }
  for (int trial = 1; trial < plan.budget; ++trial) {
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      Settings settings;
      for (const Dimension& d : space) settings.emplace_back(d.name, draw(d, plan, trial, attempt));
      if (std::find(out.begin(), out.end(), settings) != out.end()) continue;
      out.push_back(std::move(settings));
      break;
    }
  }
  return out;
}

std::vector<Rung> rungs(const Plan& plan, const Arm& arm, int settings) {
  const Candidate candidate(arm, {});
  std::vector<Rung> out = {{settings, candidate.train.epochs}};
  if (plan.search != "halving" || arm.outside) return out;
  const int judged = candidate.recipe->method().warm_up() + 1;
  while (out.front().epochs / kKeptShare >= std::max(2, judged) && static_cast<int>(out.size()) < kMostRungs) {
    out.insert(out.begin(), {settings, out.front().epochs / kKeptShare});
  }
  for (std::size_t r = 1; r < out.size(); ++r) out[r].settings = std::max(1, out[r - 1].settings / kKeptShare);
  return out;
}

std::size_t planned_trials(const Plan& plan) {
  std::size_t trials = 0;
  for (const Arm& arm : plan.arms) {
    const auto tried = static_cast<int>(settings_to_try(arm, plan).size());
    const std::vector<Rung> steps = rungs(plan, arm, tried);
    for (const Rung& rung : steps) trials += static_cast<std::size_t>(rung.settings);
    const int best = std::min(plan.finalists, steps.back().settings);
    if (best > 1) trials += static_cast<std::size_t>(best * kFinalistSeeds);
    trials += static_cast<std::size_t>(plan.seeds);
  }
  return trials * plan.sources.size();
}

}  // namespace equipoise
