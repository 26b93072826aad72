// Gains repeat by repeat, slopes of them, and tests over repeats.
#include "compare/balance_result.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>

#include "compare/balance_words.h"
#include "eval/contrast.h"
#include "eval/distributions.h"

namespace equipoise {

namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

using ByRepeat = std::map<int, double>;

RepeatTest tested(const ByRepeat& values) {
  RepeatTest out;
  out.repeats = static_cast<int>(values.size());
  out.mean = out.error = out.p = out.p_holm = kNoValue;
  if (values.empty()) return out;
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const auto& [repeat, value] : values) sum += value;
  out.mean = sum / n;
  for (const auto& [repeat, value] : values) squares += (value - out.mean) * (value - out.mean);
  if (values.size() < 2) return out;
  out.error = std::sqrt(squares / (n - 1) / n);
  out.p = out.error > 0 ? student_two_sided(out.mean / out.error, n - 1) : out.mean == 0 ? 1 : 0;
  out.p_holm = out.p;
  return out;
}

void correct(const std::vector<RepeatTest*>& family) {
  std::vector<double> p;
  for (const RepeatTest* test : family) p.push_back(test->p);
  const std::vector<double> corrected = holm(p);
  for (std::size_t k = 0; k < family.size(); ++k) family[k]->p_holm = corrected[k];
}

/// Least squares through (x, y).
double slope(const std::vector<std::pair<double, double>>& points) {
  const auto n = static_cast<double>(points.size());
  double mx = 0, my = 0, xy = 0, xx = 0;
  for (const auto& [x, y] : points) mx += x / n, my += y / n;
  for (const auto& [x, y] : points) xy += (x - mx) * (y - my), xx += (x - mx) * (x - mx);
  return xx > 0 ? xy / xx : kNoValue;
}

/// The values of one data set on one base model: (arm of the table, width, strength) → repeat → metric.
class Values {
 public:
  Values(const Results& results, const std::vector<const DataSource*>& sources, const std::string& base,
         const std::string& protocol) {
    for (const DataSource* source : sources) {
      for (const Arm& arm : results.plan().arms) {
        if (arm.base != base) continue;
        ByRepeat values = results.values(source->name, arm.name, protocol, results.plan().metric);
        if (values.empty()) continue;
        for (const auto& [repeat, value] : values) repeats_.insert(repeat);
        widths_.insert(width_of(arm)), strengths_.insert(source->x);
        values_[{arm.series, width_of(arm), source->x}] = std::move(values);
      }
    }
  }

  std::vector<int> widths() const { return {widths_.begin(), widths_.end()}; }
  std::vector<double> strengths() const { return {strengths_.begin(), strengths_.end()}; }
  int repeats() const { return static_cast<int>(repeats_.size()); }

  /// What the arm adds to its reference, in the repeats that have both.
  ByRepeat gain(const std::string& arm, int width, double strength) const {
    return difference(of(arm, width, strength), of(balance_arm(arm).reference, width, strength));
  }

  /// Of each repeat that has all cells wanted: what `of` makes of (width, strength, gain), the gain beyond that of the
  /// `other` arm where one is named.
  using Point = std::array<double, 3>;
  ByRepeat summary(const std::string& arm, const std::string& other, const std::function<bool(double s)>& wanted,
                   const std::function<double(const std::vector<Point>&)>& made) const {
    std::map<int, std::vector<Point>> points;
    std::size_t cells = 0;
    for (const int width : widths_) {
      for (const double s : strengths_) {
        if (!wanted(s)) continue;
        ++cells;
        ByRepeat values = gain(arm, width, s);
        if (!other.empty()) values = difference(values, gain(other, width, s));
        for (const auto& [repeat, value] : values) points[repeat].push_back({static_cast<double>(width), s, value});
      }
    }
    ByRepeat out;
    for (const auto& [repeat, list] : points) {
      const double value = list.size() == cells ? made(list) : kNoValue;
      if (std::isfinite(value)) out[repeat] = value;
    }
    return out;
  }

 private:
  ByRepeat of(const std::string& arm, int width, double strength) const {
    const auto found = values_.find({arm, width, strength});
    return found == values_.end() ? ByRepeat{} : found->second;
  }

  static ByRepeat difference(const ByRepeat& a, const ByRepeat& b) {
    ByRepeat out;
    for (const auto& [repeat, value] : a) {
      const auto other = b.find(repeat);
      if (other != b.end()) out[repeat] = value - other->second;
    }
    return out;
  }

  std::set<int> widths_, repeats_;
  std::set<double> strengths_;
  std::map<std::tuple<std::string, int, double>, ByRepeat> values_;
};

using Point = Values::Point;

double mean_of(const std::vector<Point>& points) {
  double sum = 0;
  for (const Point& point : points) sum += point[2];
  return sum / static_cast<double>(points.size());
}

// With the same widths at every strength, the slope over all points is that of the mean over widths; and the other way
// round.
double strength_slope(const std::vector<Point>& points) {
  std::vector<std::pair<double, double>> list;
  for (const Point& point : points) list.emplace_back(point[1], point[2]);
  return slope(list);
}

double width_slope(const std::vector<Point>& points) {
  std::vector<std::pair<double, double>> list;
  for (const Point& point : points) list.emplace_back(std::log2(point[0]), point[2]);
  return slope(list);
}

bool any_strength(double) { return true; }
bool above_zero(double s) { return s > 0; }
bool zero(double s) { return s == 0; }

FormTests tests_of(const Values& values, const BalanceArm& form) {
  FormTests out;
  out.arm = form.name;
  out.gain = tested(values.summary(form.name, "", above_zero, mean_of));
  for (const char* control : form.controls) {
    out.controls.emplace_back(control, tested(values.summary(form.name, control, above_zero, mean_of)));
  }
  out.by_strength = tested(values.summary(form.name, "", any_strength, strength_slope));
  out.by_width = tested(values.summary(form.name, "", above_zero, width_slope));
  out.at_zero = tested(values.summary(form.name, "", zero, mean_of));
  return out;
}

void add_gains(const Values& values, BalanceResult& out) {
  for (const BalanceArm& line : balance_arms()) {
    if (line.role == BalanceArm::Role::reference) continue;
    for (const int width : out.widths) {
      for (const double s : out.strengths) {
        out.gains.push_back({line.name, width, s, tested(values.gain(line.name, width, s))});
      }
    }
  }
  std::vector<RepeatTest*> family;
  for (BalanceGain& gain : out.gains) family.push_back(&gain.gain);
  correct(family);
}

BalanceResult result_of(const Results& results, const std::string& data, const std::vector<const DataSource*>& sources,
                        const std::string& base, const std::string& protocol) {
  const Values values(results, sources, base, protocol);
  BalanceResult out;
  out.data = data, out.base = base, out.protocol = protocol, out.metric = results.plan().metric;
  out.strengths = values.strengths();
  out.widths = values.widths();
  out.repeats = values.repeats();
  add_gains(values, out);
  std::vector<RepeatTest*> family;
  for (const BalanceArm& line : balance_arms()) {
    if (line.role == BalanceArm::Role::form) out.forms.push_back(tests_of(values, line));
    if (line.role == BalanceArm::Role::oracle) {
      out.oracle = tested(values.summary(line.name, "", above_zero, mean_of));
    }
  }
  for (FormTests& form : out.forms) {
    family.insert(family.end(), {&form.gain, &form.by_strength, &form.by_width});
    for (auto& [name, test] : form.controls) family.push_back(&test);
  }
  correct(family);
  for (FormTests& form : out.forms) judge(form, family.size());
  out.oracle_verdict = oracle_words(out.oracle);
  return out;
}

/// "kuairec" of "kuairec, s = 0.5".
std::string data_of(const DataSource& source) { return source.name.substr(0, source.name.rfind(", s = ")); }

}  // namespace

std::vector<BalanceResult> balance_results(const Results& results) {
  std::vector<BalanceResult> out;
  const Plan& plan = results.plan();
  if (plan.kind != kBalanceStudy) return out;
  std::vector<std::string> names, bases;
  std::map<std::string, std::vector<const DataSource*>> by_data;
  for (const DataSource& source : plan.sources) {
    if (!by_data.contains(data_of(source))) names.push_back(data_of(source));
    by_data[data_of(source)].push_back(&source);
  }
  for (const Arm& arm : plan.arms) {
    if (std::find(bases.begin(), bases.end(), arm.base) == bases.end()) bases.push_back(arm.base);
  }
  for (const std::string& name : names) {
    for (const std::string& protocol : results.protocols(by_data[name].front()->name)) {
      for (const std::string& base : bases) out.push_back(result_of(results, name, by_data[name], base, protocol));
    }
  }
  return out;
}

}  // namespace equipoise
