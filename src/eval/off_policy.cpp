// Off-policy estimators as sums over users, each with what one user moves it by.
#include "eval/off_policy.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/named.h"
#include "eval/distributions.h"

namespace equipoise {

namespace {

constexpr std::array<ListForm, 3> kForms = {{
    {"item", "the reward of an item depends on the user and the item, not on its position or on the other items"},
    {"position", "the reward of an item depends on the user, the item and its position, not on the other items"},
    {"cascade", "the reward of an item depends on the user, its position and the items above it, not on those below"},
}};

constexpr std::array<Estimator, 5> kEstimators = {{
    {"direct", "the reward model is right"},
    {"ips", "the logged chances are right, and the log could show all that the policy shows"},
    {"snips", "as ips; weights are divided by their mean, which costs a small bias and saves spread"},
    {"dr", "as ips, or the reward model is right; the nearer the model, the less spread"},
    {"switch-dr", "as dr up to the largest weight; beyond it the reward model is right"},
}};

// t so that |T| ≥ t has the chance 0.05, with that many degrees of freedom.
double student_95(double degrees) {
  double low = 1, high = 1000;
  for (int k = 0; k < 200; ++k) {
    const double middle = (low + high) / 2;
    (student_two_sided(middle, degrees) > 0.05 ? low : high) = middle;
  }
  return (low + high) / 2;
}

// Sums over the lists of each user.
class UserSums {
 public:
  explicit UserSums(std::size_t users) : sums_(users) {}
  void add(std::int32_t user, double value) { sums_[static_cast<std::size_t>(user)] += value; }
  double of(std::size_t user) const { return sums_[user]; }
  double total() const {
    double total = 0;
    for (const double sum : sums_) total += sum;
    return total;
  }

 private:
  std::vector<double> sums_;
};

UserSums lists_of(const LoggedLists& lists) {
  UserSums out(lists.users);
  for (const std::int32_t user : lists.user) out.add(user, 1);
  return out;
}

OffPolicyEstimate with_interval(double value, std::vector<double> influence) {
  OffPolicyEstimate out;
  out.value = value;
  out.influence = std::move(influence);
  const auto users = static_cast<double>(out.influence.size());
  if (users < 2) return out;
  double squares = 0;
  for (const double moved : out.influence) squares += moved * moved;
  out.standard_error = std::sqrt(squares * users / (users - 1));
  const double reach = student_95(users - 1) * out.standard_error;
  out.low = value - reach, out.high = value + reach;
  return out;
}

// The mean over lists of what each list contributes; users with more lists count more.
template <class Contribution>
OffPolicyEstimate mean_of(const LoggedLists& lists, Contribution contribution) {
  UserSums sums(lists.users);
  for (std::size_t l = 0; l < lists.lists(); ++l) sums.add(lists.user[l], contribution(l));
  const UserSums counts = lists_of(lists);
  const auto n = static_cast<double>(lists.lists());
  const double value = sums.total() / n;
  std::vector<double> influence(lists.users);
  for (std::size_t u = 0; u < lists.users; ++u) influence[u] = (sums.of(u) - value * counts.of(u)) / n;
  return with_interval(value, std::move(influence));
}

template <class Term>
double sum_rows(const LoggedLists& lists, std::size_t list, Term term) {
  double sum = 0;
  for (std::size_t r = lists.begin[list]; r < lists.begin[list + 1]; ++r) sum += term(r);
  return sum;
}

// (Σ w y ÷ Σ w) · rows per list. The value is a ratio: its influence is that of its parts.
OffPolicyEstimate self_normalised(const LoggedLists& lists, const PolicyTerms& terms) {
  UserSums gains(lists.users), weights(lists.users), rows(lists.users);
  for (std::size_t l = 0; l < lists.lists(); ++l) {
    gains.add(lists.user[l], sum_rows(lists, l, [&](std::size_t r) { return terms.weight[r] * lists.label[r]; }));
    weights.add(lists.user[l], sum_rows(lists, l, [&](std::size_t r) { return terms.weight[r]; }));
    rows.add(lists.user[l], static_cast<double>(lists.begin[l + 1] - lists.begin[l]));
  }
  const UserSums counts = lists_of(lists);
  const double w = weights.total(), k = static_cast<double>(lists.rows()), n = static_cast<double>(lists.lists());
  if (w <= 0) return {};
  const double value = gains.total() / w * k / n;
  std::vector<double> influence(lists.users);
  for (std::size_t u = 0; u < lists.users; ++u) {
    influence[u] = gains.of(u) / w * k / n + value * (rows.of(u) / k - weights.of(u) / w - counts.of(u) / n);
  }
  return with_interval(value, std::move(influence));
}

}  // namespace

std::span<const ListForm> list_forms() { return kForms; }
std::span<const Estimator> off_policy_estimators() { return kEstimators; }

OffPolicyEstimate off_policy(const std::string& estimator, const LoggedLists& lists, const PolicyTerms& terms,
                             double most_weight) {
  find_named(kEstimators, estimator, "estimator");
  if (estimator == "snips") return self_normalised(lists, terms);
  return mean_of(lists, [&](std::size_t l) {
    const auto gain = [&](std::size_t r) { return terms.weight[r] * lists.label[r]; };
    const auto correction = [&](std::size_t r) { return terms.weight[r] * (lists.label[r] - terms.predicted[r]); };
    const auto small = [&](std::size_t r) { return terms.weight[r] <= most_weight ? correction(r) : 0.0; };
    if (estimator == "direct") return terms.direct[l];
    if (estimator == "ips") return sum_rows(lists, l, gain);
    if (estimator == "dr") return terms.corrected[l] + sum_rows(lists, l, correction);
    return terms.corrected[l] + sum_rows(lists, l, small);
  });
}

OffPolicyEstimate logged_value(const LoggedLists& lists) {
  return mean_of(lists,
                 [&](std::size_t l) { return sum_rows(lists, l, [&](std::size_t r) { return lists.label[r]; }); });
}

OffPolicyEstimate difference(const OffPolicyEstimate& a, const OffPolicyEstimate& b) {
  if (a.influence.empty() || b.influence.empty()) return {};
  std::vector<double> influence(a.influence.size());
  for (std::size_t u = 0; u < influence.size(); ++u) influence[u] = a.influence[u] - b.influence[u];
  return with_interval(a.value - b.value, std::move(influence));
}

// n so that |difference| = (1.96 + 0.84) standard errors, which fall as 1/√n.
double more_lists(const OffPolicyEstimate& difference, std::size_t lists) {
  if (difference.standard_error == 0) return 0;
  const double ratio = (1.959964 + 0.841621) * difference.standard_error / std::abs(difference.value);
  if (!std::isfinite(ratio)) return std::numeric_limits<double>::infinity();
  return std::max(0.0, std::ceil(static_cast<double>(lists) * (ratio * ratio - 1)));
}

// Where large weights are missing the spread is too small as well: it is taken at the mean 1, as in check_chances.
Overlap overlap_of(const LoggedLists& lists, const PolicyTerms& terms) {
  constexpr double kFewest = 10;  // rows
  Overlap out;
  double sum = 0, squares = 0;
  for (const double w : terms.weight) {
    sum += w, squares += w * w;
    out.largest_weight = std::max(out.largest_weight, w);
  }
  out.effective_sample = squares > 0 ? sum * sum / squares : 0;
  const double rows_per_list = static_cast<double>(lists.rows()) / static_cast<double>(lists.lists());
  const OffPolicyEstimate mean = mean_of(lists, [&](std::size_t l) {
    return sum_rows(lists, l, [&](std::size_t r) { return terms.weight[r]; }) / rows_per_list;
  });
  out.mean_weight = mean.value, out.standard_error = mean.standard_error;
  if (sum == 0) {
    out.refusal = "no overlap: no item that the log shows would be shown by the policy at that place";
  } else if (out.effective_sample < kFewest) {
    out.refusal = "too little overlap: the weights leave an effective sample of fewer than 10 rows";
  } else if (mean.value < 0.9 && (1 - mean.value) * std::sqrt(mean.value) > 4 * mean.standard_error) {
    out.refusal = "missing overlap: the policy shows items that the log had no chance, or hardly any, to show";
  }
  return out;
}

// Where rare lists are missing, the sample's own spread is too small as well; as counts of rare events do, it grows
// with the square root of the mean, so that it is taken at the mean that it should have.
ChanceCheck check_chances(const LoggedLists& lists, std::span<const double> chance, std::span<const double> eligible) {
  constexpr double kFewestOthers = 10, kSurprise = 3.5;
  ChanceCheck out;
  const auto inverse = [&](std::size_t l) { return sum_rows(lists, l, [&](std::size_t r) { return 1 / chance[r]; }); };
  const OffPolicyEstimate sums = mean_of(lists, inverse);
  const OffPolicyEstimate gap = mean_of(lists, [&](std::size_t l) { return inverse(l) - eligible[l]; });
  for (std::size_t l = 0; l < lists.lists(); ++l) {
    out.eligible += eligible[l];
    out.others += sum_rows(lists, l, [&](std::size_t r) { return 1 - chance[r]; }) /
                  static_cast<double>(lists.begin[l + 1] - lists.begin[l]);
  }
  out.eligible /= static_cast<double>(lists.lists());
  out.mean_inverse = sums.value;
  const double grown = std::max(1.0, out.eligible / out.mean_inverse);
  const double error = gap.standard_error * std::sqrt(grown);
  const bool exact = std::abs(gap.value) < 1e-9 * out.eligible;
  out.surprise = exact ? 0 : gap.value / error;
  out.can_tell = out.others >= kFewestOthers;
  out.wrong = out.can_tell && !exact && std::abs(out.surprise) > kSurprise;
  return out;
}

}  // namespace equipoise
