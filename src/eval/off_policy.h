// What another policy would have been worth, from a log of lists whose chances are known: estimators and intervals.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace equipoise {

/// Lists that were shown. Users are numbered from 0 without gaps; an interval is over users.
struct LoggedLists {
  std::size_t users = 0;
  std::vector<std::int32_t> user;  // (lists)
  std::vector<std::size_t> begin;  // (lists + 1) where the rows of each list begin
  std::vector<double> label;       // (rows) the reward of each shown item
  std::size_t lists() const { return user.size(); }
  std::size_t rows() const { return label.size(); }
};

/// The same lists as a policy that was not shown sees them.
struct PolicyTerms {
  std::vector<double> weight;     // (rows) the policy's chance ÷ the logged chance
  std::vector<double> predicted;  // (rows) the reward that a model expects there, fitted without the row's user
  std::vector<double> direct;     // (lists) the reward that it expects of the policy's own list
  std::vector<double> corrected;  // (lists) what DR adds its corrections to; equals `direct` but in the cascade
  std::vector<double> eligible;   // (lists) how many items the policy could show
};

/// How rewards may depend on what is shown around them.
struct ListForm {
  const char* name;
  const char* assumption;
};
std::span<const ListForm> list_forms();

struct Estimator {
  const char* name;
  const char* assumption;
};
std::span<const Estimator> off_policy_estimators();

/// A mean over lists. Its error is over users: a user's lists belong together.
struct OffPolicyEstimate {
  double value = std::numeric_limits<double>::quiet_NaN();
  double standard_error = std::numeric_limits<double>::quiet_NaN();
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> influence;  // (users) what each moves the value by
};

/// The estimator of that name, in rewards per list. `most_weight`: where switch-DR leaves a row to the reward model.
OffPolicyEstimate off_policy(const std::string& estimator, const LoggedLists& lists, const PolicyTerms& terms,
                             double most_weight);
/// What the shown lists were worth.
OffPolicyEstimate logged_value(const LoggedLists& lists);
/// a − b, with the error of the difference: both are of the same users.
OffPolicyEstimate difference(const OffPolicyEstimate& a, const OffPolicyEstimate& b);
/// How many more lists such as these until a difference of this size would be told from 0 in 8 of 10 logs; 0 if these
/// are enough; infinite where there is none.
double more_lists(const OffPolicyEstimate& difference, std::size_t lists);

/// How much of the policy's lists the log has.
struct Overlap {
  double mean_weight = 0;       // 1 on average where the log could show all that the policy shows; less where not
  double standard_error = 0;    // of the mean weight, over users
  double effective_sample = 0;  // (Σ w)² / Σ w², in rows
  double largest_weight = 0;
  std::string refusal;  // why nothing can be said from weights; "" = it can
};
Overlap overlap_of(const LoggedLists& lists, const PolicyTerms& terms);

/// Whether logged chances can be true: the sum of 1/p over a list is the number of eligible items, on average.
struct ChanceCheck {
  double mean_inverse = 0;  // mean over lists of Σ 1/p
  double eligible = 0;      // mean over lists of the number of eligible items
  double surprise = 0;      // their difference in standard errors
  double others = 0;        // how many lists of items other than the most likely ones the chances let expect
  bool can_tell = false;    // there are enough of those
  bool wrong = false;
};
/// `chance` (rows), `eligible` (lists): in how many ways a row could have been another.
ChanceCheck check_chances(const LoggedLists& lists, std::span<const double> chance, std::span<const double> eligible);

}  // namespace equipoise
