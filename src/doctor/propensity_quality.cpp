// Propensity quality: calibration by a logistic line and bins, weights by the rule that training uses.
#include "doctor/propensity_quality.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "propensity/weights.h"

namespace equipoise {

namespace {

constexpr double kDefaultClip = 0.1;
constexpr double kEnough = 0.5;
constexpr double kClips[] = {0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1};

double logit(double e) { return std::log(e / (1 - e)); }

struct Point {
  double x;  // logit e
  double e, y, weight;
};

// Newton's steps for logit P(y = 1) = a + b·x, weighted; from the line that trusts e.
std::optional<double> slope_of(const std::vector<Point>& points) {
  double a = 0, b = 1;
  for (int step = 0; step < 50; ++step) {
    double ga = 0, gb = 0, haa = 0, hab = 0, hbb = 0;
    for (const Point& p : points) {
      const double chance = 1 / (1 + std::exp(-(a + b * p.x))), v = p.weight * chance * (1 - chance);
      const double r = p.weight * (p.y - chance);
      ga += r, gb += r * p.x, haa += v, hab += v * p.x, hbb += v * p.x * p.x;
    }
    const double determinant = haa * hbb - hab * hab;
    if (!(determinant > 1e-9 * haa * hbb)) return std::nullopt;
    const double da = (hbb * ga - hab * gb) / determinant, db = (haa * gb - hab * ga) / determinant;
    const double shorten = std::min(1.0, 2 / std::max({std::abs(da), std::abs(db), 1e-300}));
    a += shorten * da, b += shorten * db;
    if (std::abs(da) + std::abs(db) < 1e-9) break;
  }
  return b;
}

// Bins of equal expectation, so that each could go wrong as much as any other; equal e stay together.
double binned_error(std::vector<Point> points) {
  std::sort(points.begin(), points.end(), [](const Point& l, const Point& r) { return l.e < r.e; });
  double all = 0, shown = 0;
  for (const Point& p : points) all += p.weight * p.e, shown += p.weight * p.y;
  double out = 0, expected = 0, seen = 0, passed = 0;
  int bin = 1;
  for (std::size_t k = 0; k < points.size(); ++k) {
    expected += points[k].weight * points[k].e;
    seen += points[k].weight * points[k].y;
    const bool last = k + 1 == points.size();
    if (!last && (passed + expected < all * bin / 10 || points[k + 1].e == points[k].e)) continue;
    out += std::abs(seen - expected);
    passed += expected;
    bin = static_cast<int>(passed / all * 10) + 1;
    expected = seen = 0;
  }
  return shown > 0 ? out / shown : 0;
}

}  // namespace

double information_of(std::span<const double> shown, std::span<const double> unshown, double weight) {
  const double all = static_cast<double>(shown.size()) + weight * static_cast<double>(unshown.size());
  const double constant = static_cast<double>(shown.size()) / all;
  double sum = 0;
  for (const double e : shown) sum += std::log(e / constant);
  for (const double e : unshown) sum += weight * std::log((1 - std::min(e, 1 - 1e-9)) / (1 - constant));
  return sum / static_cast<double>(shown.size());
}

std::optional<Calibration> calibrate(std::span<const double> shown, std::span<const double> unshown, double weight) {
  std::vector<Point> points;
  double low = 1, high = 0;
  const auto add = [&](double e, double y, double w) {
    const double inside = std::clamp(e, 1e-9, 1 - 1e-9);
    points.push_back({logit(inside), inside, y, w});
    low = std::min(low, inside), high = std::max(high, inside);
  };
  for (const double e : shown) add(e, 1, 1);
  for (const double e : unshown) add(e, 0, weight);
  if (shown.empty() || unshown.empty() || high - low < 1e-6 * high) return std::nullopt;
  const std::optional<double> slope = slope_of(points);
  if (!slope) return std::nullopt;
  return Calibration{*slope, binned_error(points)};
}

namespace {

void weigh_in(PropensityQuality& out, std::span<const float> shown, double density) {
  const Weights plain = weigh(shown, density, 0);
  out.lowest = plain.lowest_propensity / density;
  out.highest = plain.highest_propensity / density;
  out.largest_weight = plain.lowest_propensity > 0 ? plain.largest : std::numeric_limits<double>::infinity();
  out.effective = plain.effective;
  out.effective_clipped = weigh(shown, density, kDefaultClip).effective;
  for (const double clip : kClips) {
    out.suggested_clip = clip;
    out.effective_suggested = weigh(shown, density, clip).effective;
    if (out.effective_suggested >= kEnough) break;
  }
}

}  // namespace

PropensityQuality held_out_quality(const std::string& name, const std::vector<Answers>& answers,
                                   const std::vector<Fold>& folds, const Dataset& data) {
  PropensityQuality out;
  out.name = name;
  const double pairs = static_cast<double>(data.users.size()) * data.items.size();
  std::vector<double> shown, unshown;
  std::vector<float> relative;  // p̂ ÷ density, over all folds
  double weight = 0, small = 0;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    const auto fitted = static_cast<double>(folds[f].fitted.size());
    const auto held = static_cast<double>(folds[f].held);
    const double density = std::min(1.0, fitted / pairs);
    // p̂ is the chance to be among the fitted rows. Of the pairs that are not, nor among the rows left out of all folds,
    // e = p̂·(held ÷ fitted) ÷ (1 − p̂·(rows not held ÷ fitted)) are held out. p̂ is clipped below as training clips it.
    const double others = (static_cast<double>(data.train.size()) - held) / fitted;
    const auto expected = [&](double p) {
      p = std::max(p, kDefaultClip * density);
      return p * (others + held / fitted) < 1 ? p * held / fitted / (1 - p * others) : 1.0;
    };
    for (const float p : answers[f].shown) {
      shown.push_back(expected(p));
      relative.push_back(static_cast<float>(p / density));
    }
    for (const float p : answers[f].unshown) {
      unshown.push_back(expected(p));
      small += p < kDefaultClip * density;
    }
    weight = folds[f].unshown_weight;
  }
  if (shown.empty() || unshown.empty()) {
    out.missing = "the log shows nearly every pair";
    return out;
  }
  out.calibration = calibrate(shown, unshown, weight);
  out.information = information_of(shown, unshown, weight);
  out.small_share = small / static_cast<double>(unshown.size());
  weigh_in(out, relative, 1);
  return out;
}

PropensityQuality log_quality(const PropensityEntry& entry, const Dataset& data, std::uint64_t seed) {
  PropensityQuality out;
  out.name = entry.name;
  try {
    const Observed seen = observed(data);
    const auto estimator = entry.make();
    estimator->fit(seen, seed);
    std::vector<std::uint32_t> numbers;
    std::vector<float> shown(data.train.size());
    estimator->estimate(pairs_of(data.train, numbers), shown);
    weigh_in(out, shown, seen.density());
  } catch (const DataError& error) {
    out.missing = error.what();
  }
  return out;
}

Json to_json(const std::vector<PropensityQuality>& finding) {
  Json out = Json::object();
  for (const PropensityQuality& q : finding) {
    Json& one = out[q.name];
    if (!q.missing.empty()) {
      one = Json::object({{"missing", q.missing}});
      continue;
    }
    one = Json::object({{"calibration_slope", q.calibration ? Json(q.calibration->slope) : Json()},
                        {"calibration_error", q.calibration ? Json(q.calibration->error) : Json()},
                        {"information", q.information ? Json(*q.information) : Json()},
                        {"small_propensity_share", q.small_share ? Json(*q.small_share) : Json()},
                        {"lowest_by_density", q.lowest},
                        {"highest_by_density", q.highest},
                        {"largest_weight", q.largest_weight},
                        {"effective_sample_share", q.effective},
                        {"effective_sample_share_default_clip", q.effective_clipped},
                        {"suggested_clip", q.suggested_clip},
                        {"effective_sample_share_suggested_clip", q.effective_suggested}});
  }
  return out;
}

}  // namespace equipoise
