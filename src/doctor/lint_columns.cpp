// The linter's rules about columns: those of one value, and propensities that are impossible or made of test labels.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/quote.h"
#include "core/text.h"
#include "doctor/lint_checks.h"
#include "doctor/test_part.h"
#include "method/methods.h"

namespace equipoise {

namespace {

// A missing number is taken for the mean, so that one known value and missing ones are constant too.
bool constant(const ContinuousField& field) {
  const auto known = [](float v) { return !std::isnan(v); };
  const auto first = std::find_if(field.values.begin(), field.values.end(), known);
  return std::all_of(first, field.values.end(), [&](float v) { return !known(v) || v == *first; });
}

// Having no value is a value here.
bool constant(const CategoricalField& field) {
  const auto row = [&](std::size_t r) {
    return std::vector<std::int32_t>(field.codes.begin() + field.offsets[r],
                                     field.codes.begin() + field.offsets[r + 1]);
  };
  for (std::size_t r = 1; r + 1 < field.offsets.size(); ++r) {
    if (row(r) != row(0)) return false;
  }
  return true;
}

bool constant(const std::vector<float>& column) {
  return !column.empty() && std::all_of(column.begin(), column.end(), [&](float v) { return v == column[0]; });
}

void check_features(const char* file, const Features& features, LintReport& report) {
  std::vector<std::string> names;
  for (const CategoricalField& field : features.categorical) {
    if (constant(field)) names.push_back(in_quotes(field.name));
  }
  for (const ContinuousField& field : features.continuous) {
    if (constant(field)) names.push_back(in_quotes(field.name));
  }
  if (features.rows < 2 || names.empty()) return;
  report.add("constant-column", false,
             "{} of {} columns of {} have one value for all {} rows ({}): look at the source, or leave them out",
             names.size(), features.categorical.size() + features.continuous.size(), file, thousands(features.rows),
             join(names, ", "));
}

void check_log_columns(const Rows& train, LintReport& report) {
  if (constant(train.propensity)) {
    report.add("constant-column", false,
               "every propensity of train is {}: methods with propensity = given are then 'base'; leave the column out",
               to_text(train.propensity[0]));
  }
  if (constant(train.weight)) {
    report.add("constant-column", false, "every weight of train is {}: it weighs nothing; leave the column out",
               to_text(train.weight[0]));
  }
}

/// Whether some method of the comparison weighs rows by the propensity column.
bool uses_given(const PlannedComparison& planned) {
  if (!named(planned.propensities, "given")) return false;
  return std::any_of(planned.methods.begin(), planned.methods.end(), [](const std::string& name) {
    const auto method = make_method(name);
    Params params;
    method->describe(params);
    return params.find("propensity") != nullptr;
  });
}

void check_range(const Rows& train, bool used, LintReport& report) {
  const auto good = [](float p) { return p > 0 && p <= 1; };
  const auto bad = std::find_if_not(train.propensity.begin(), train.propensity.end(), good);
  if (bad == train.propensity.end()) return;
  const auto count = std::count_if(train.propensity.begin(), train.propensity.end(), [&](float p) { return !good(p); });
  report.add(
      "propensity-range", used,
      "{} of {} propensities of train are not above 0 and up to 1, the first is {} in row {}; correct the column",
      thousands(count), thousands(std::ssize(train.propensity)), to_text(*bad), bad - train.propensity.begin() + 1);
}

/// p̂(positive) ÷ p̂(negative) where the column has one value for each label and these differ.
std::optional<double> ratio_by_label(const Rows& train) {
  double value[2] = {0, 0};
  for (std::size_t t = 0; t < train.propensity.size(); ++t) {
    double& of_label = value[train.label[t] > 0.5f ? 1 : 0];
    if (of_label == 0) of_label = train.propensity[t];
    if (!(std::abs(train.propensity[t] - of_label) <= 1e-6 * of_label)) return std::nullopt;
  }
  const double ratio = value[1] / value[0];
  return std::isfinite(ratio) && ratio > 0 && std::abs(ratio - 1) > kSameRatio ? std::optional(ratio) : std::nullopt;
}

/// Positives over negatives, with `extra` imaginary rows of each.
double odds(const Rows& rows, double extra) {
  double positives = 0;
  for (const float y : rows.label) positives += y;
  return (positives + extra) / (static_cast<double>(rows.size()) - positives + extra);
}

/// Naive Bayes: p̂(1) ÷ p̂(0) = odds among the shown ÷ odds among all; `all` represents all pairs. With and without the
/// imaginary row of each label.
bool made_with(double ratio, const Rows& train, const Rows& all) {
  if (all.empty()) return false;
  const auto same = [&](double extra) {
    const double expected = odds(train, extra) / odds(all, extra);
    return std::abs(ratio - expected) <= kSameRatio * expected;
  };
  return same(0) || same(1);
}

/// Whether a text has the word "test"; of a list, one of its texts.
bool says_test(const Json& from) {
  if (from.is_array()) return std::any_of(from.as_array().begin(), from.as_array().end(), says_test);
  if (!from.is_string()) return false;
  std::string words = from.as_string();
  for (char& c : words) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : ' ';
  return named(split(words, ' '), "test");
}

void check_source(const Dataset& data, bool used, LintReport& report) {
  const char* const advice = "take propensity = naive-bayes, which reads valid, or another estimator";
  if (const Json* from = data.provenance.find("propensities_from"); from != nullptr && says_test(*from)) {
    report.add("propensities-from-test", used, "provenance says that the propensities come from test ({}); {}",
               in_quotes(from->is_string() ? from->as_string() : from->dump()), advice);
    return;
  }
  const std::optional<double> ratio = ratio_by_label(data.train);
  if (!ratio || made_with(*ratio, data.train, data.valid)) return;
  const bool test = made_with(*ratio, data.train, data.test);
  if (!test && !made_with(*ratio, data.train, valid_and_test(data))) return;
  report.add("propensities-from-test", used,
             "the propensities of train depend on the label alone, and their ratio {:.4f} is what the labels of {} "
             "give, not those of valid; {}",
             *ratio, test ? "test" : "valid and test together", advice);
}

}  // namespace

void check_columns(const Dataset& data, const PlannedComparison& planned, LintReport& report) {
  check_features("users.csv", data.user_features, report);
  check_features("items.csv", data.item_features, report);
  check_log_columns(data.train, report);
  const bool used = uses_given(planned);
  if (data.train.propensity.empty()) return;
  check_range(data.train, used, report);
  check_source(data, used, report);
}

}  // namespace equipoise
