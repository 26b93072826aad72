// The verdict: each statement follows from one or two findings and says how it is known.
#include "doctor/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.h"

namespace equipoise {

namespace {

using Kind = VerdictLine::Kind;

constexpr double kTooExtreme = 0.5;  // slope of calibration

class Writer {
 public:
  explicit Writer(const Diagnosis& found) : d_(found), level_(found.exposure.level) {}

  std::vector<VerdictLine> all() {
    one_label();
    if (!d_.withheld.empty()) say(Kind::count, {}, "{}", d_.withheld);
    exposure();
    users();
    labels();
    held_out();
    leaks();
    help();
    headroom();
    unknown();
    return std::move(out_);
  }

 private:
  template <class... Args>
  void say(Kind kind, std::optional<double> p, fmt::format_string<Args...> text, Args&&... args) {
    out_.push_back({kind, p, fmt::format(text, std::forward<Args>(args)...)});
  }
  bool found(double p) const { return p < level_; }
  bool user_predicted() const {
    return std::any_of(d_.gains.begin(), d_.gains.end(),
                       [&](const ExposureGain& g) { return g.model != "popularity" && found(g.p_value); });
  }
  bool selected_by_label() const { return d_.labels && found(d_.labels->p_value); }

  void one_label() {
    if (!d_.positives_only) return;
    say(Kind::count, {},
        "the log has one label only: each of its {} rows is something that a user did (a click, a play, a purchase), "
        "and a pair without a row is unknown, not disliked. Below, 'shown' means that there is a row: being shown and "
        "being chosen cannot be told apart",
        thousands(d_.train));
  }

  void exposure() {
    if (d_.exposure.biased()) {
      say(Kind::test, d_.exposure.p_value, "exposure is biased: items were not shown at random");
    } else {
      say(Kind::test, d_.exposure.p_value,
          "exposure looks unbiased: neither test finds a departure from items shown at random");
    }
    if (d_.exposure.by_item()) {
      say(Kind::test, d_.exposure.items.p_value,
          "some items were shown more often than others: the most shown tenth has {:.0f}% of the rows (spread beyond "
          "chance {:.2f} of the mean)",
          100 * d_.exposure.concentration.tenths[0], d_.exposure.items.excess_spread);
    }
    if (d_.exposure.concentration.never_shown > 0) {
      say(Kind::count, {}, "{} of {} items were never shown: nothing in this log says how they would be liked",
          thousands(static_cast<std::int64_t>(d_.exposure.concentration.never_shown)), thousands(d_.items));
    }
  }

  void users() {
    if (d_.exposure.by_user()) {
      const auto& tests = d_.exposure.users.tests;
      const auto strongest = std::max_element(tests.begin(), tests.end(), [](const auto& a, const auto& b) {
        const auto z = [](const DependenceTest& t) {
          return t.shuffled_deviation > 0 ? (t.value - t.shuffled_mean) / t.shuffled_deviation : 0;
        };
        return z(a) < z(b);
      });
      say(Kind::test, d_.exposure.users.p_value, "who is shown what depends on the user; most plainly: {}",
          strongest->sentence);
    } else {
      say(Kind::test, d_.exposure.users.p_value,
          "no dependence of exposure on the user is found beyond how often users and items occur; a weak one may be "
          "there");
    }
    for (const ExposureGain& gain : d_.gains) {
      if (gain.model == "popularity" || !found(gain.p_value)) continue;
      say(Kind::test, gain.p_value,
          "the exposure model '{}', which knows the user, predicts shown items better than popularity: AUC {:.3f} "
          "against {:.3f}",
          gain.model, gain.auc, gain.auc - gain.gain);
    }
    if (!d_.exposure.users.features_known) {
      say(Kind::unknown, {},
          "there are no user features: whether different users were shown different items can be "
          "judged by their items only, and balancing of features has nothing to work on but ids");
    }
  }

  void labels() {
    if (d_.positives_only) {
      say(Kind::unknown, {},
          "the tests of label shift are skipped: where every label of the log is 1, whether users were shown what they "
          "like cannot be told from labels");
      return;
    }
    if (!d_.labels) {
      say(Kind::unknown, {},
          "there is no unbiased part: whether users were shown what they like, and whether a "
          "debiased model is better, cannot be known from this log");
      return;
    }
    const LabelShift& l = *d_.labels;
    if (selected_by_label()) {
      say(Kind::test, l.p_value, "labels differ: {:.1f}% positive where shown, {:.1f}% in the unbiased part",
          100 * l.shown.share, 100 * l.unbiased.share);
    } else {
      say(Kind::test, l.p_value, "labels are as positive where shown ({:.1f}%) as in the unbiased part ({:.1f}%)",
          100 * l.shown.share, 100 * l.unbiased.share);
    }
  }

  void held_out() {
    if (!d_.held_out_items) return;
    const HeldOutItems& h = *d_.held_out_items;
    const std::string part = d_.test_part == "unbiased" ? "the unbiased part" : "the held-out part";
    if (found(h.uniformity.p_value)) {
      say(Kind::test, h.uniformity.p_value,
          "{} is not uniform over items: {} of {} items occur (spread beyond chance {:.2f} of the mean), and the ranks "
          "of "
          "their counts correlate {:.2f} with train; figures measured on it favour the items it favours",
          part, thousands(static_cast<std::int64_t>(h.uniformity.items_present)), thousands(d_.items),
          h.uniformity.excess_spread, h.rank_correlation);
    } else {
      say(Kind::test, h.uniformity.p_value, "{} is compatible with uniformly drawn items", part);
    }
  }

  void leaks() {
    const SharedRows& s = d_.shared;
    if (s.leaks() > 0) {
      say(Kind::count, {}, "{} pairs occur both in train and in valid or test ({} with another label)",
          thousands(s.leaks()), thousands(s.other_label));
    }
    if (s.leaks_removed > 0) {
      say(Kind::count, {}, "{} rows of train were removed on import because their pairs occur in valid or test",
          thousands(s.leaks_removed));
    }
    if (s.valid_test > 0) say(Kind::count, {}, "{} pairs occur both in valid and in test", thousands(s.valid_test));
    const std::int64_t repeats = s.train_repeats + s.valid_repeats + s.test_repeats;
    if (repeats > 0) say(Kind::count, {}, "{} rows repeat a pair of their own part", thousands(repeats));
  }

  // Of the estimators that could be checked, the one that predicts held-out exposure best.
  const PropensityQuality* best() const {
    const PropensityQuality* out = nullptr;
    for (const PropensityQuality& q : d_.propensities) {
      if (q.information && (out == nullptr || *q.information > *out->information)) out = &q;
    }
    return out;
  }

  void propensities() {
    const PropensityQuality* q = best();
    if (q == nullptr || !d_.exposure.biased()) return;
    const std::string sample =
        d_.fitted_rows < d_.train ? fmt::format(", fitted to {} of the rows only", thousands(d_.fitted_rows)) : "";
    if (q->name == "uniform") {
      say(Kind::rule_of_thumb, {}, "no propensity{} predicts held-out exposure better than one chance for all", sample);
    } else {
      say(Kind::rule_of_thumb, {},
          "of the propensities that can be checked{}, '{}' predicts held-out exposure best; with propensity_clip = {} "
          "its weights leave {:.0f}% of the rows' worth",
          sample, q->name, to_text(q->suggested_clip), 100 * q->effective_suggested);
    }
    std::vector<std::string> extreme;
    for (const PropensityQuality& other : d_.propensities) {
      if (other.calibration && other.calibration->slope < kTooExtreme) extreme.push_back(other.name);
    }
    if (extreme.empty()) return;
    say(Kind::rule_of_thumb, {}, "too extreme on held-out rows{}, so that their weights would be mostly noise: {}",
        sample, join(extreme, ", "));
  }

  void help() {
    if (!d_.exposure.biased() && !selected_by_label()) {
      say(Kind::rule_of_thumb, {}, "debiasing has nothing to correct here: method base is enough");
      return;
    }
    if (d_.exposure.by_item() && !d_.exposure.by_user()) {
      say(Kind::rule_of_thumb, {},
          "exposure differs by item only: item biases in the model, propensity = popularity "
          "or item weights cover it; user feature balancing has little to balance");
    }
    if (d_.exposure.by_user() && user_predicted()) {
      say(Kind::rule_of_thumb, {},
          "exposure differs by user, and enough to be predicted: methods that look at the user (cbr; ips, snips or dr "
          "with "
          "a propensity that knows the user) have something to correct");
    } else if (d_.exposure.by_user()) {
      say(Kind::rule_of_thumb, {},
          "exposure differs by user, but too little for an exposure model that knows the user to gain on popularity: "
          "expect little of methods that correct it");
    }
    if (selected_by_label()) {
      say(Kind::rule_of_thumb, {},
          "shown labels are not those of all pairs: probabilities fitted to them are off, and "
          "propensity = naive-bayes corrects their level (it does not change the order of items by itself)");
    }
    propensities();
  }

  // What weights could gain at most, by the rows that they would imitate.
  void headroom() {
    if (!d_.headroom) return;
    const Headroom& h = *d_.headroom;
    const std::string figures =
        fmt::format("AUC {:.4f} from {} rows of the log, {:.4f} from as many shown at random; gap {:+.4f} ± {:.4f}",
                    h.from_log, thousands(h.rows), h.from_random, h.gap.value, h.gap.error);
    if (!found(h.gap.p_value)) {
      say(Kind::test, h.gap.p_value,
          "no reweighting can help here: the base model learns as much from the log as from random rows ({}); a gain "
          "above {:+.4f} is ruled out at 95%",
          figures, std::max(0.0, h.gap.high));
    } else if (h.gap.value > 0) {
      say(Kind::test, h.gap.p_value,
          "there is headroom: rows shown at random teach the base model more ({}); weights that were exactly right, "
          "and "
          "cost no rows, would gain about that much",
          figures);
    } else {
      say(Kind::test, h.gap.p_value,
          "no reweighting can help here: the log teaches the base model more than random rows do ({}), and weights can "
          "only make it more like those",
          figures);
    }
    say(Kind::test, h.control.p_value, "{} two samples of the log differ by {:+.4f} ± {:.4f}{}",
        found(h.control.p_value) ? "beware:" : "the control:", h.control.value, h.control.error,
        found(h.control.p_value) ? ", which chance alone should not do; try another seed"
                                 : ", as chance would have it");
    if (h.rows < d_.train) {
      say(Kind::rule_of_thumb, {},
          "this was measured with {} rows, and the log has {}: with more rows a model needs less help, so that the gap "
          "is rather smaller there",
          thousands(h.rows), thousands(d_.train));
    }
  }

  void unknown() {
    say(Kind::unknown, {},
        "whether something unseen decides both what is shown and what is liked: no log of shown "
        "items alone can tell");
    if (d_.test_part != "unbiased" && d_.test + d_.valid > 0) {
      say(Kind::unknown, {},
          "valid and test are parts of the same log: they share its bias, and a gain measured on "
          "them may not be one among all pairs");
    }
  }

  const Diagnosis& d_;
  double level_;
  std::vector<VerdictLine> out_;
};

}  // namespace

std::string how_known(const VerdictLine& statement) {
  switch (statement.kind) {
    case Kind::test: {
      const double p = statement.p_value.value_or(1);
      return p < 0.0001 ? "test, p < 0.0001" : fmt::format("test, p = {:.{}f}", p, p < 0.01 ? 4 : 3);
    }
    case Kind::count:
      return "count";
    case Kind::rule_of_thumb:
      return "rule of thumb";
    case Kind::unknown:
      break;
  }
  return "cannot be known";
}

std::vector<VerdictLine> verdict(const Diagnosis& found) { return Writer(found).all(); }

}  // namespace equipoise
