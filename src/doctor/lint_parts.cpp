// The linter's rules about parts: missing, shared, of one label, too small, cold, or not what they are called.
#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "doctor/item_uniformity.h"
#include "doctor/lint_checks.h"
#include "doctor/shared_rows.h"
#include "doctor/test_part.h"
#include "method/methods.h"
#include "propensity/propensity.h"

namespace equipoise {

namespace {

std::string count_text(std::size_t count) { return thousands(static_cast<std::int64_t>(count)); }

std::size_t count_positives(const Rows& rows) {
  return static_cast<std::size_t>(
      std::count_if(rows.label.begin(), rows.label.end(), [](float y) { return y > 0.5f; }));
}

void check_presence(const Dataset& data, LintReport& report) {
  if (data.test.empty()) {
    report.add("no-test", true, "there are no test rows, so nothing can be compared; import the log with a test part");
  }
  if (data.valid.empty()) {
    report.add("no-valid", true,
               "there are no validation rows, so that settings could be chosen on test only; import with a valid share "
               "above 0");
  }
}

void check_shared(const SharedRows& shared, LintReport& report) {
  const char* const remove = "import without keep_leaks, or take them from train";
  if (shared.train_test > 0) {
    report.add("test-in-train", true,
               "{} pairs of test occur in train, and a model may have memorised their labels; {}",
               thousands(shared.train_test), remove);
  }
  if (shared.train_valid > 0) {
    report.add("valid-in-train", true,
               "{} pairs of valid occur in train, and the choice favours models that remember them; {}",
               thousands(shared.train_valid), remove);
  }
}

void check_valid_and_test(const Dataset& data, const SharedRows& shared, LintReport& report) {
  if (shared.valid_test == 0) return;
  const auto different = [](const Rows& rows, std::int64_t repeats) {
    return static_cast<std::int64_t>(rows.size()) - repeats;
  };
  const bool same = shared.valid_test == different(data.valid, shared.valid_repeats) &&
                    shared.valid_test == different(data.test, shared.test_repeats);
  report.add("valid-in-test", true, "{}, so that settings are chosen on what is tested; split them again",
             same ? fmt::format("valid is test: all {} pairs occur in both", thousands(shared.valid_test))
                  : fmt::format("{} pairs occur both in valid and in test", thousands(shared.valid_test)));
}

// `own_negatives`: whether the part's own rows are all that is ranked; otherwise other items are negatives beside them.
void check_labels(const char* part, const Rows& rows, bool own_negatives, LintReport& report) {
  if (rows.empty()) return;
  const std::size_t positives = count_positives(rows), negatives = rows.size() - positives;
  if (positives == 0 || (own_negatives && negatives == 0)) {
    report.add("constant-label", true,
               "every label of {} ({} rows) is {}: it cannot tell models apart; look at the label rule of the "
               "import",
               part, count_text(rows.size()), positives == 0 ? 0 : 1);
    return;
  }
  const bool rare_negatives = own_negatives && negatives < positives;
  const std::size_t fewer = rare_negatives ? negatives : positives;
  if (fewer >= kFewLabels) return;
  report.add("few-labels", fewer < kFewestLabels,
             "{} has {} {} among {} rows: an AUC differs by about {:.2f} by chance alone; give it a larger share, or "
             "get more rows",
             part, fewer, rare_negatives ? "negatives" : "positives", count_text(rows.size()),
             0.29 / std::sqrt(static_cast<double>(fewer)));
}

void check_train_labels(const Dataset& data, LintReport& report) {
  const Rows& train = data.train;
  const std::size_t positives = count_positives(train);
  if (train.empty() || data.positives_only || (positives > 0 && positives < train.size())) return;
  report.add("constant-label", true,
             "every label of train ({} rows) is {}: there is nothing to learn; look at the label rule of the import",
             count_text(train.size()), positives == 0 ? 0 : 1);
}

void check_conflicts(const SharedRows& shared, LintReport& report) {
  for (const auto& [part, pairs] :
       {std::pair("train", shared.train_conflicts), std::pair("valid", shared.valid_conflicts),
        std::pair("test", shared.test_conflicts)}) {
    if (pairs == 0) continue;
    report.add("conflicting-labels", false,
               "{} pairs occur in {} more than once, with both labels; keep one row of each (duplicates = first or "
               "last)",
               thousands(pairs), part);
  }
}

void check_cold(const Dataset& data, const char* what, const std::vector<std::int32_t> Rows::*column, std::int32_t size,
                LintReport& report) {
  const std::vector<double> known = count_rows(data.train.*column, size);
  std::vector<double> there = count_rows(data.test.*column, size);
  double rows = 0;
  std::size_t cold = 0;
  for (std::size_t e = 0; e < known.size(); ++e) {
    if (known[e] > 0 || there[e] == 0) continue;
    rows += there[e];
    ++cold;
  }
  const double share = rows / static_cast<double>(data.test.size());
  if (share <= kColdShare) return;
  report.add("cold-test", false,
             "{:.1f}% of the test rows are of {} {} that never occur in train: methods are compared by their guesses "
             "there; leave those rows out, or give features",
             100 * share, count_text(cold), what);
}

void check_uniformity(const Dataset& data, LintReport& report) {
  if (test_part(data) != "unbiased") return;
  const Rows rows = judged_rows(data);
  if (rows.empty()) return;
  const ShownSets sets(rows, data.users.size(), data.items.size());
  const ItemUniformity found = item_uniformity(sets, 1);
  if (found.p_value > kNotUniformP || found.excess_spread <= kNotUniformSpread) return;
  report.add("test-not-uniform", false,
             "valid and test are called unbiased, but {} of {} items occur there (spread beyond chance {:.2f} of the "
             "mean): methods that favour these items are rewarded; compare every gain with that of 'popularity'",
             count_text(found.items_present), thousands(data.items.size()), found.excess_spread);
}

// What a method learns from, others are chosen by: their validation figures are of different rows.
void check_random_sample(const Dataset& data, const PlannedComparison& planned, LintReport& report) {
  std::vector<std::string> learning;
  for (const std::string& name : planned.methods) {
    const bool there = std::find(learning.begin(), learning.end(), name) != learning.end();
    if (!there && make_method(name)->needs().random) learning.push_back(name);
  }
  if (learning.empty() || data.valid.empty()) return;
  if (const std::string why = not_random(data); !why.empty()) {
    report.add("random-sample", true,
               "{} learn from rows shown at random, and valid is no such part ({}); leave them out, or import the log "
               "with an unbiased part",
               join(learning, ", "), why);
    return;
  }
  const RandomHalves halves = random_halves(data);
  report.add(
      "random-sample", false,
      "{} learn from {} rows of valid and are chosen by the other {}; the other methods are chosen by all of them "
      "and learn from none: compare test figures only",
      join(learning, ", "), count_text(halves.learned.size()), count_text(halves.judging.size()));
}

}  // namespace

void check_parts(const Dataset& data, const PlannedComparison& planned, LintReport& report) {
  const SharedRows shared = shared_rows(data);
  check_presence(data, report);
  check_shared(shared, report);
  check_valid_and_test(data, shared, report);
  const std::vector<Protocol> protocols = protocols_of(data, planned);
  const bool own_items = std::any_of(protocols.begin(), protocols.end(),
                                     [](const Protocol& p) { return p.kind == Protocol::Kind::test_items; });
  // A log with both labels whose part has positives only is most likely a mistake of the import.
  const bool unplanned = planned.protocols.empty() && data.protocol == Protocol{}.name();
  const auto own_negatives = [&](const Rows& rows) { return !data.positives_only || count_labels(rows).both(); };
  check_train_labels(data, report);
  check_labels("valid", data.valid, own_negatives(data.valid), report);
  check_labels("test", data.test, own_negatives(data.test) && (own_items || unplanned), report);
  check_conflicts(shared, report);
  check_random_sample(data, planned, report);
  if (!data.test.empty()) {
    check_cold(data, "users", &Rows::user, data.users.size(), report);
    check_cold(data, "items", &Rows::item, data.items.size(), report);
    check_uniformity(data, report);
  }
}

}  // namespace equipoise
