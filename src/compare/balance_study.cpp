// The arms and sources of the study balance.
#include "compare/balance_study.h"

#include <fmt/format.h>

#include <algorithm>

#include "compare/plan_params.h"
#include "core/error.h"
#include "core/named.h"
#include "core/text.h"

namespace equipoise {

namespace {

using Role = BalanceArm::Role;

constexpr const char *kPlain = "none", *kProjected = "projected, none";

// The paper's CBR(-g); what has nothing to do with balancing is the same in all.
Settings projected(const Settings& more) {
  Settings out = {{"confounder", "false"},     {"item_weight_power", "0"},  {"eta", "1"},      {"lambda_phi", "-1"},
                  {"lambda_confounder", "-1"}, {"discriminator_rate", "1"}, {"probe", "false"}};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

// The base model itself, with weights.
Settings weighted(const Settings& more) {
  Settings out = projected({{"projection", "false"}, {"balance", "weights"}});
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

Settings permuted(Settings settings) {
  settings.emplace_back("balance_control", "permuted-items");
  return settings;
}

// The log's own propensities, which are the true ones here.
Settings oracle() { return {{"propensity", "given"}, {"propensity_clip", "0.05"}, {"propensity_bound", "0"}}; }

// What is searched is the learning rate, λ and, of what balances, its weight; the rest is the same in all arms.
const Settings& same_in_all() {
  static const Settings settings = {{"batch_size", "256"},
                                    {"optimizer", "adam"},
                                    {"history", "none"},
                                    {"lambda_history", "-1"},
                                    {"lambda_biases", "-1"}};
  return settings;
}

}  // namespace

const std::vector<BalanceArm>& balance_arms() {
  static const Settings both = projected({{"balance", "weights"}, {"beside_weights", "all-pairs"}});
  static const std::vector<BalanceArm> table = {
      {kPlain, Role::reference, kPlain, {}, "base", {}},
      {kProjected, Role::reference, kProjected, {}, "cbr", projected({{"balance", "none"}})},
      {"projection",
       Role::form,
       kProjected,
       {"projection, items permuted", "shrinkage"},
       "cbr",
       projected({{"balance", "all-pairs"}})},
      {"above-chance",
       Role::form,
       kProjected,
       {"above-chance, items permuted", "shrinkage"},
       "cbr",
       projected({{"balance", "above-chance"}})},
      {"weights", Role::form, kPlain, {"weights, items permuted", "random weights"}, "cbr", weighted({})},
      {"split",
       Role::form,
       kProjected,
       {"split, items permuted", "random weights"},
       "cbr",
       projected({{"balance", "split"}})},
      {"weights + projection", Role::form, kProjected, {"projection, items permuted", "random weights"}, "cbr", both},
      {"oracle weights", Role::oracle, kPlain, {}, "ips", oracle()},
      {"projection, items permuted",
       Role::control,
       kProjected,
       {},
       "cbr",
       permuted(projected({{"balance", "all-pairs"}}))},
      {"above-chance, items permuted",
       Role::control,
       kProjected,
       {},
       "cbr",
       permuted(projected({{"balance", "above-chance"}}))},
      {"weights, items permuted", Role::control, kPlain, {}, "cbr", permuted(weighted({}))},
      {"split, items permuted", Role::control, kProjected, {}, "cbr", permuted(projected({{"balance", "split"}}))},
      {"random weights", Role::control, kPlain, {}, "cbr", weighted({{"balance_control", "shuffled-weights"}})},
      {"shrinkage", Role::control, kProjected, {}, "cbr", projected({{"balance", "shrinkage"}})},
  };
  return table;
}

const BalanceArm& balance_arm(const std::string& name) { return find_named(balance_arms(), name, "arm of the study"); }

void BalanceGrid::describe(Params& p) {
  Params all;
  laboratory.describe(all);
  p = all.without({"strength", "seed", "features"});
  p("widths", widths, "of the study balance: widths of the embeddings", between(1, 4096));
  p("strengths", strengths, "of the study balance: strengths of exposure, with commas between");
}

std::vector<double> BalanceGrid::strength_values() const {
  std::vector<double> out;
  for (const std::string& word : listed(strengths)) {
    const std::optional<double> value = parse_double(word);
    if (!value || !(*value >= 0))
      throw UsageError(fmt::format("strengths: expected numbers from 0 on, got '{}'", word));
    out.push_back(*value);
  }
  if (out.empty() || widths.empty()) throw UsageError("the study balance needs a width and a strength");
  return out;
}

void add_balance_arms(Plan& plan, const BalanceGrid& grid, const std::vector<std::string>& bases) {
  const auto title = [](const std::string& name, int width, const std::string& base) {
    return fmt::format("{}, {} {}", name, width, base);
  };
  for (const std::string& base : bases) {
    for (const int width : grid.widths) {
      for (const BalanceArm& line : balance_arms()) {
        Arm arm{title(line.name, width, base), line.method, base, same_in_all(), line.name, kNoX};
        arm.fixed.emplace_back("embedding", std::to_string(width));
        arm.fixed.insert(arm.fixed.end(), line.settings.begin(), line.settings.end());
        arm.against = title(line.reference, width, base);
        plan.arms.push_back(std::move(arm));
      }
    }
  }
}

void add_balance_sources(Plan& plan, const BalanceGrid& grid, const std::vector<DataSource>& matrices,
                         const SimulateParams& simulated) {
  plan.x_name = "s";
  const auto name = [](const std::string& data, double s) { return fmt::format("{}, s = {}", data, to_text(s)); };
  for (const double s : grid.strength_values()) {
    for (const DataSource& matrix : matrices) {
      DataSource source = matrix;
      source.name = name(matrix.name, s);
      source.x = s;
      source.laboratory = grid.laboratory;
      source.laboratory->strength = s;
      plan.sources.push_back(std::move(source));
    }
    if (!matrices.empty()) continue;
    SimulateParams law = simulated;
    law.strength = s;
    law.propensity = true;
    plan.sources.push_back({name("simulated", s), "", law, 1, s, ""});
  }
}

int width_of(const Arm& arm) {
  for (const auto& [name, value] : arm.fixed) {
    if (name == "embedding") return static_cast<int>(parse_int(value).value_or(0));
  }
  return 0;
}

}  // namespace equipoise
