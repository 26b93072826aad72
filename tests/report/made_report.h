// A report made by hand: names that would break a careless page, failed runs, curves, calibration, imbalance.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "report/report.h"

namespace equipoise::test {

/// Numbers of no meaning between 0 and 1 that are the same everywhere.
inline double made(std::size_t a, std::size_t b = 0) {
  const double v = std::sin(static_cast<double>(a) * 12.9898 + static_cast<double>(b) * 78.233) * 43758.5453;
  return v - std::floor(v);
}

inline Json made_training(std::size_t arm, std::size_t run, bool with_findings) {
  Json curve = Json::array();
  const int epochs = 12 + static_cast<int>(6 * made(arm, run));
  for (int e = 1; e <= epochs; ++e) {
    const double progress = 1 - std::exp(-0.3 * e);
    curve.push_back(
        Json::object({{"epoch", e},
                      {"losses", Json::object({{"fit", 0.7 - 0.2 * progress}, {"discriminate", 3.4 - 0.1 * progress}})},
                      {"auc", 0.5 + (0.2 + 0.02 * made(arm, run)) * progress - 0.002 * e}}));
  }
  Json findings = Json::object();
  if (with_findings) {
    findings["imbalance_before"] = 0.4 + 0.01 * made(run);
    findings["imbalance_after"] = 0.1 + 0.01 * made(arm, run);
  }
  return Json::object({{"metric", "auc"}, {"best_epoch", epochs - 5}, {"curve", curve}, {"findings", findings}});
}

inline Json made_summary(std::size_t arm, std::size_t run, int bins = 15) {
  Json metrics = Json::object();
  for (const MetricInfo& info : metric_table()) {
    double mean = info.name == "mean_popularity" ? 40 + 30 * made(arm) + made(run)
                                                 : 0.55 + 0.2 * made(arm) + 0.01 * made(arm, run);
    metrics[info.name] = Json::object({{"mean", mean}, {"low", mean - 0.02}, {"high", mean + 0.02}});
  }
  Json calibration = Json::array();
  for (int b = 0; b < bins; ++b) {
    const double p = (b + 0.5) / 15;
    calibration.push_back(
        Json::object({{"probability", p}, {"positive_share", p * (0.8 + 0.2 * made(arm))}, {"pairs", 20 * (16 - b)}}));
  }
  return Json::object({{"metrics", metrics}, {"calibration", calibration}, {"users", 290}});
}

inline Json made_card() {
  return Json::object({{"users", 290},
                       {"items", 300},
                       {"train", 6960},
                       {"valid", 1536},
                       {"test", 3064},
                       {"train_positive", 0.27},
                       {"test_positive", 0.14},
                       {"label_rule", "rating at least 4"},
                       {"split", "a third of the random rows is valid"},
                       {"test_part", "unbiased"},
                       {"source", "coat"},
                       {"leaks_removed", 0}});
}

inline Json made_examples(std::size_t arm) {
  Json users = Json::array();
  for (const char* user : {"u1", "u2", "u3"}) {
    Json list = Json::array();
    for (int k = 0; k < 5; ++k) {
      const auto number = static_cast<int>(100 * made(arm, static_cast<std::size_t>(k)));
      list.push_back(Json::object({{"item", "i" + std::to_string(number)},
                                   {"name", k == 0 ? "Coat <em>No.</em> " + std::to_string(number) : ""},
                                   {"label", k == 1   ? Json(1)
                                             : k == 2 ? Json(0)
                                                      : Json()}}));
    }
    users.push_back(Json::object({{"user", user},
                                  {"train", 24},
                                  {"liked", Json::array({"Parka", "Blazer & tie"})},
                                  {"liked_in_all", 9},
                                  {"list", list}}));
  }
  return users;
}

inline StoredTrial made_run(const std::string& source, const Arm& arm, std::size_t a, int number,
                            const std::vector<std::string>& protocols) {
  StoredTrial run;
  run.key = {source, arm.name, kFinal, 0, number};
  run.seed = 1000 + static_cast<std::uint64_t>(number);
  run.data = "00c0ffee00c0ffee";
  run.version = "0.1.0";
  run.training = made_training(a, static_cast<std::size_t>(number), arm.method == "cbr");
  if (arm.base.empty()) run.training["curve"] = Json::array();
  for (const std::string& protocol : protocols) {
    run.evaluations.push_back({protocol, made_summary(a, static_cast<std::size_t>(number)), {}, {}, {}});
  }
  run.seconds = arm.base.empty() ? 0.01 : 4 + 6 * made(a);
  run.evaluations.front().summary["data"] = made_card();
  run.evaluations.front().summary["examples"] = made_examples(a);
  return run;
}

/// Every arm on every source; the last arm's last run has failed.
inline void run_all(Report& report, const std::vector<std::string>& protocols) {
  const Plan& plan = report.plan;
  for (std::size_t s = 0; s < plan.sources.size(); ++s) {
    const std::string& source = plan.sources[s].name;
    for (const std::string& protocol : protocols) report.tables.push_back({source, protocol, {}, {}});
    for (std::size_t a = 0; a < plan.arms.size(); ++a) {
      const Arm& arm = plan.arms[a];
      ReportArm& out = report.arms[{source, arm.name}];
      out.tried = plan.budget;
      out.chosen = {{"learning_rate", "0.01"}, {"batch_size", "256"}};
      for (int r = 0; r < plan.seeds; ++r) out.runs.push_back(made_run(source, arm, a + s, r, protocols));
      for (int t = 0; t < plan.budget && !arm.base.empty(); ++t) {
        StoredTrial trial;
        trial.key = {source, arm.name, kSearch, 0, t};
        const double u = made(a, static_cast<std::size_t>(t));
        if (t > 0) {
          trial.settings = {{"learning_rate", std::to_string(0.001 * std::pow(100, u))},
                            {"batch_size", t % 2 == 0 ? "256" : "1024"}};
        }
        if (t == 3) trial.settings = out.chosen;
        trial.valid = 0.6 + 0.1 * u;
        out.searched.push_back(trial);
      }
      for (ReportTable& table : report.tables) {
        if (table.source != source) continue;
        Cell cell;
        cell.source = source;
        cell.arm = arm.name;
        cell.protocol = table.protocol;
        cell.metric = plan.metric;
        cell.runs = plan.seeds;
        cell.mean = 0.6 + 0.2 * made(a + s);
        cell.standard_error = 0.004;
        cell.low = cell.mean - 0.015;
        cell.high = cell.mean + 0.02;
        cell.seconds_per_epoch = arm.base.empty() ? std::nan("") : 0.2 + made(a);
        if (!arm.base.empty() && arm.method != "base") {
          const double d = cell.mean - 0.7;
          cell.base = Versus{"base " + arm.base, d, 0.005, d - 0.0098, d + 0.0098, 0.001, 0.0123, 0.21, a % 2 == 0};
        }
        table.cells.push_back(cell);
      }
    }
  }
  StoredTrial& last = report.arms.at({plan.sources.back().name, plan.arms.back().name}).runs.back();
  last.failed = true;
  last.error = "training diverged: the loss of phase 'fit' is nan at step 3 <b>";
  last.evaluations.clear();
  report.arms.at({plan.sources.back().name, plan.arms.back().name}).errors = {last.error};
}

inline std::vector<Arm> made_arms(const std::vector<std::string>& methods) {
  std::vector<Arm> arms = {{"popularity", "popularity", "", {}, "", kNoX}, {"mean", "mean", "", {}, "", kNoX}};
  for (const std::string& base : {std::string("gmf"), std::string("mlp")}) {
    for (const std::string& method : methods) arms.push_back({method + " " + base, method, base, {}, "", kNoX});
  }
  return arms;
}

inline Report made_comparison(const std::string& first = "coat", const std::string& second = "pcic") {
  Report report;
  report.plan.command = "equipoise compare coat pcic --methods all --out runs";
  for (const std::string& name : {first, second}) {
    DataSource source;
    source.name = name;
    source.folder = "data/" + name;
    report.plan.sources.push_back(source);
  }
  report.plan.arms = made_arms({"base", "ips", "snips", "direct", "dr", "att", "cvib", "cbr"});
  report.plan.arms.back().fixed = {{"confounder", "false"}};
  run_all(report, {"test-items", "full"});
  return report;
}

/// Along the sources (`of_arms` false) or along the arms.
inline Report made_study(bool of_arms) {
  Report report;
  Plan& plan = report.plan;
  plan.kind = of_arms ? "pairs" : "bias";
  plan.x_name = of_arms ? "item pairs (K1, K2)" : "α";
  plan.command = "equipoise study " + plan.kind + " --out runs";
  plan.arms = made_arms({"base", "snips", "cbr"});
  DataSource source;
  source.name = "simulated, 10,000 users";
  if (of_arms) {
    for (const std::string& balance : {std::string("clipping"), std::string("sampling")}) {
      for (int k = 5; k <= 30; k += 5) {
        plan.arms.push_back({balance + " " + std::to_string(k), "cbr", "mlp", {}, balance, static_cast<double>(k)});
      }
    }
    plan.sources = {source};
  } else {
    for (const char* alpha : {"0", "0.1", "0.3", "0.5", "0.7", "1"}) {
      source.name = std::string("α = ") + alpha;
      source.x = std::stod(alpha);
      plan.sources.push_back(source);
    }
  }
  run_all(report, {"test-items"});
  return report;
}

}  // namespace equipoise::test
