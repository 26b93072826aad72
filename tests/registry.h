// What the tests over the tables share: every method with every base, and a method as built over a log.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <vector>

#include "data/random_sample.h"
#include "logs.h"
#include "method/methods.h"

namespace equipoise::test {

/// Parameters by name, as a user would type them.
using Settings = std::map<std::string, std::string>;

/// A line of methods() with a line of bases(); base is "" for methods that need none. A `variant` is a method with a
/// loss of its own, and so a case of its own; "" = the method's first one.
struct Case {
  std::string method;
  std::string base;
  std::string variant = "";

  /// These settings, and the variant's.
  Settings with(Settings settings) const {
    if (!variant.empty()) settings["variant"] = variant;
    return settings;
  }
};

/// "" and the other variants of a method, where it has any.
inline std::vector<std::string> variants_of(Method& method) {
  std::vector<std::string> out = {""};
  Params params;
  method.describe(params);
  const Param* variant = params.find("variant");
  if (variant == nullptr) return out;
  for (const std::string& name : variant->limits().choices) {
    if (name != variant->default_text()) out.push_back(name);
  }
  return out;
}

/// With every variant: for tests of training. Variants predict alike.
inline std::vector<Case> cases_with_variants() {
  std::vector<Case> out;
  for (const MethodEntry& method : methods()) {
    if (!method.make()->needs().base) {
      out.push_back({method.name, ""});
      continue;
    }
    for (const std::string& variant : variants_of(*method.make())) {
      for (const BaseEntry& base : bases()) out.push_back({method.name, base.name, variant});
    }
  }
  return out;
}

inline std::vector<Case> cases() {
  std::vector<Case> out = cases_with_variants();
  std::erase_if(out, [](const Case& c) { return !c.variant.empty(); });
  return out;
}

inline std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.method << ' ' << c.base << ' ' << c.variant;
}

/// "cbr_gmf": what a test of the table is called.
inline std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.base.empty() ? info.param.method : info.param.method + "_" + info.param.base;
  if (!info.param.variant.empty()) name += "_" + info.param.variant;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

/// Every value of every parameter that is one of several words, one at a time: {balance: clipping}, …; those of
/// balance also without a confounder, of item_groups and beside_weights with the balances that know them, of risk also
/// with escm2's other switches. Variants are cases of their own.
inline std::vector<Settings> choices(const Params& params) {
  std::vector<Settings> out;
  for (const Param& p : params.all()) {
    if (p.name() == "variant") continue;
    for (const std::string& value : p.limits().choices) {
      if (value != p.default_text()) out.push_back({{p.name(), value}});
      if (p.name() == "history_order" && value == "last") out.back().emplace("history", "both");
      if (p.name() == "risk") {
        out.push_back({{p.name(), value}, {"balance_weight", "1"}, {"own_width", "3"}, {"ctcvr_weight", "0"}});
      }
      if (p.name() == "balance") out.push_back({{p.name(), value}, {"confounder", "false"}});
      if (p.name() == "item_groups" && value != "auto") {
        const Settings small = {{"item_clusters", "3"}, {"weights_width", "2"}};
        for (const char* balance : {"above-chance", "weights"}) {
          if (value == (balance == std::string("weights") ? "items" : "vectors")) continue;
          out.push_back({{"balance", balance}, {p.name(), value}});
          out.back().insert(small.begin(), small.end());
        }
      }
      if (p.name() == "beside_weights") out.back().emplace("balance", "weights");
    }
  }
  return out;
}

inline std::string to_string(const Settings& settings) {
  std::string out;
  for (const auto& [name, value] : settings) out += name + " = " + value + " ";
  return out;
}

/// A method at its random start over a log it has read, without a recommender around it.
struct Built {
  Built(const Case& c, const Dataset& data, ModelParams params = {}, std::uint64_t seed = 1,
        const Settings& settings = {})
      : model(params),
        catalogue(catalogue_of(data)),
        base(c.base.empty() ? nullptr : make_base(c.base)),
        method(make_method(c.method)) {
    Params own;
    method->describe(own);
    for (const auto& [name, value] : c.with(settings)) own.set(name, value);
    method->consider(data);
    catalogue.history = history_of(data, model.history, seed);
    method->build({catalogue, model, base.get(), seed}, networks);
    method->read(data);
  }

  ModelParams model;
  Catalogue catalogue;
  std::unique_ptr<Base> base;
  std::unique_ptr<Method> method;
  Networks networks;
};

/// Batches as the trainer makes them for the method.
inline Batches batches_for(const Method& method, const Dataset& data, std::size_t size, std::uint64_t seed) {
  Batches out(data.train, data.known_users(), data.known_items(), size, seed,
              static_cast<std::size_t>(method.needs().drawn), method.needs().against, data.withheld);
  if (method.needs().random) out.use_random(random_halves(data).learned);
  return out;
}

/// A case on a log of positives, with one of the losses for those where it has a choice.
struct PositivesCase {
  Case arm;
  std::string loss;

  Settings settings() const { return loss.empty() ? Settings{} : Settings{{"loss", loss}}; }
};

/// Every method that learns from positives, with every base and every loss.
inline std::vector<PositivesCase> positives_cases() {
  std::vector<PositivesCase> out;
  for (const Case& c : cases()) {
    const auto method = make_method(c.method);
    if (method->needs().labels) continue;
    Params params;
    method->describe(params);
    if (params.find("loss") == nullptr) {
      out.push_back({c, ""});
    } else {
      for (const char* loss : {"auto", "pointwise", "bpr", "softmax"}) out.push_back({c, loss});
    }
  }
  return out;
}

inline std::ostream& operator<<(std::ostream& out, const PositivesCase& c) { return out << c.arm << ' ' << c.loss; }

inline std::string positives_case_name(const ::testing::TestParamInfo<PositivesCase>& info) {
  const std::string name = case_name({info.param.arm, info.index});
  return info.param.loss.empty() ? name : name + "_" + info.param.loss;
}

/// Whether the phase moves the network.
inline bool trains(const Phase& phase, const Network& network) {
  return std::find(phase.networks.begin(), phase.networks.end(), network.name()) != phase.networks.end();
}

/// Parameters of the phase's networks move, the others do not, as when it is trained.
inline void set_moving(Networks& networks, const Phase& phase) {
  for (Network& network : networks.all()) {
    for (TrainedArray& p : network.arrays()) p.moves = trains(phase, network);
  }
}

}  // namespace equipoise::test
