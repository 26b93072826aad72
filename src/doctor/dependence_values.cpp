// Values of user dependence: two distances beyond chance and two leanings to popular items.
#include "doctor/dependence_values.h"

#include <algorithm>
#include <cmath>

#include "balance/above_chance.h"

namespace equipoise {

DependenceValues::DependenceValues(const ShownSets& sets, const Columns& features, std::uint64_t seed)
    : features_(features),
      codes_(item_codes(static_cast<std::size_t>(sets.items), seed)),
      popularity_(sets.item_counts()),
      pairs_(static_cast<double>(sets.pairs())) {
  for (const double count : popularity_) {
    place_.push_back(static_cast<std::int32_t>(present_));
    present_ += count > 0 ? 1 : 0;
  }
  double sum = 0, squares = 0;
  const std::vector<double> counts = popularity_;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    popularity_[i] = std::log(counts[i] + 1);
    sum += counts[i] * popularity_[i];
    squares += counts[i] * popularity_[i] * popularity_[i];
  }
  const double mean = sum / pairs_, variance = squares / pairs_ - mean * mean;
  for (double& p : popularity_) p = variance > 1e-12 ? (p - mean) / std::sqrt(variance) : 0;
  if (!features.empty()) {
    names_.push_back(
        {"features_between_items", "users of different items have different features (MMD beyond chance)"});
  }
  names_.push_back({"other_items_between_items", "users of different items have different other items"});
  names_.push_back({"popularity_between_users", "some users are shown more popular items than others"});
  if (!features.empty()) {
    names_.push_back({"popularity_by_features", "users' features tell who is shown popular items"});
  }
}

std::vector<double> DependenceValues::operator()(const ShownSets& sets) const {
  std::vector<double> out;
  if (!features_.empty()) out.push_back(feature_distance(sets));
  out.push_back(other_item_distance(sets));
  const std::vector<double> leaning = leanings(sets);
  out.push_back(spread_of(sets, leaning));
  if (!features_.empty()) out.push_back(featured(leaning));
  return out;
}

/// J ÷ variance (balance/above_chance.h), groups being items; `fill(user, item, row)` writes the vector of a pair.
template <class Fill>
double DependenceValues::distance(const ShownSets& sets, std::size_t width, Fill fill) const {
  AboveChance above(present_, width);
  const Groups groups = groups_of_items(present_);
  Floats block;
  std::vector<std::int32_t> places;
  for (std::size_t u = 0; u < sets.users(); ++u) {
    const auto items = sets.of(u);
    block.resize(items.size() * width);
    for (std::size_t k = 0; k < items.size(); ++k) fill(u, static_cast<std::size_t>(items[k]), &block[k * width]);
    places.clear();
    for (const std::int32_t i : items) places.push_back(place_[static_cast<std::size_t>(i)]);
    above.add_user({block.data(), items.size(), width}, places, groups);
  }
  const double variance = above.variance();
  return variance > 0 ? above.value() / variance : 0;
}

double DependenceValues::feature_distance(const ShownSets& sets) const {
  return distance(sets, features_.width,
                  [&](std::size_t u, std::size_t, float* out) { std::copy_n(features_.row(u), features_.width, out); });
}

// A pair's vector is the mean code of the user's other items; a user with one item has none, and gets zeros.
double DependenceValues::other_item_distance(const ShownSets& sets) const {
  const std::size_t width = codes_.width;
  std::vector<float> sum(width);
  std::size_t last = sets.users();
  return distance(sets, width, [&](std::size_t u, std::size_t i, float* out) {
    const auto items = sets.of(u);
    if (u != last) {
      last = u;
      std::fill(sum.begin(), sum.end(), 0.0f);
      for (const std::int32_t j : items) {
        const float* code = codes_.row(static_cast<std::size_t>(j));
        for (std::size_t k = 0; k < width; ++k) sum[k] += code[k];
      }
    }
    const float scale = items.size() > 1 ? 1 / static_cast<float>(items.size() - 1) : 0;
    const float* code = codes_.row(i);
    for (std::size_t k = 0; k < width; ++k) out[k] = scale * (sum[k] - code[k]);
  });
}

std::vector<double> DependenceValues::leanings(const ShownSets& sets) const {
  std::vector<double> out(sets.users(), 0.0);
  for (std::size_t u = 0; u < sets.users(); ++u) {
    for (const std::int32_t i : sets.of(u)) out[u] += popularity_[static_cast<std::size_t>(i)];
  }
  return out;
}

/// Σ_u (Σ popularity)² ÷ T_u, per user: 1 where items are drawn one by one.
double DependenceValues::spread_of(const ShownSets& sets, const std::vector<double>& leaning) {
  double sum = 0;
  for (std::size_t u = 0; u < sets.users(); ++u) {
    if (!sets.of(u).empty()) sum += leaning[u] * leaning[u] / static_cast<double>(sets.of(u).size());
  }
  return sum / static_cast<double>(sets.users());
}

/// ‖ mean over pairs of (popularity · features) ‖².
double DependenceValues::featured(const std::vector<double>& leaning) const {
  std::vector<double> sum(features_.width, 0.0);
  for (std::size_t u = 0; u < leaning.size(); ++u) {
    const float* row = features_.row(u);
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += leaning[u] * row[k];
  }
  double out = 0;
  for (const double s : sum) out += s * s / (pairs_ * pairs_);
  return out;
}

}  // namespace equipoise
