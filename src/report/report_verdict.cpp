// Finds the best arm, how far it is from base, and whether a baseline is ahead of it.
#include "report/report_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/markup.h"

namespace equipoise {

namespace {

bool is_baseline(const Plan& plan, const Cell& cell) {
  const Arm& arm = plan.arm(cell.arm);
  return arm.base.empty() && !arm.outside;
}

bool higher_is_better(const Plan& plan) { return find_metric(plan.metric).higher_is_better; }

// The test between two arms whichever of them the table names first.
std::optional<Versus> pair_of(const ReportTable& table, const std::string& arm, const std::string& other) {
  for (const PairTest& pair : table.pairs) {
    if (pair.arm == arm && pair.versus.other == other) return pair.versus;
    if (pair.arm != other || pair.versus.other != arm) continue;
    Versus turned = pair.versus;
    turned.other = other;
    turned.difference = -turned.difference;
    turned.low = -pair.versus.high, turned.high = -pair.versus.low;
    return turned;
  }
  return {};
}

const Cell* first_where(const std::vector<const Cell*>& cells, const auto& wanted) {
  const auto found = std::find_if(cells.begin(), cells.end(), [&](const Cell* cell) { return wanted(*cell); });
  return found == cells.end() ? nullptr : *found;
}

class Writer {
 public:
  Writer(const Plan& plan, const ReportTable& table)
      : plan_(plan), table_(table), metric_(metric_label(plan.metric, plan.k)), order_(best_first(plan, table)) {}

  ResultVerdict all() {
    out_.best = first_where(order_, [&](const Cell& cell) { return !is_baseline(plan_, cell); });
    const Cell* baseline = first_where(order_, [&](const Cell& cell) { return is_baseline(plan_, cell); });
    if (out_.best == nullptr) return only_baselines(baseline);
    out_.lead = to_base(plan_, table_, *out_.best);
    if (out_.lead) {
      against_base(*out_.lead);
    } else {
      base_is_best();
    }
    if (baseline != nullptr) against_baseline(*baseline);
    return std::move(out_);
  }

 private:
  ResultVerdict only_baselines(const Cell* baseline) {
    out_.tone = Tone::unclear, out_.recommended = baseline;
    out_.badge = baseline == nullptr ? "Nothing yet" : "Baselines only";
    out_.sentence = baseline == nullptr
                        ? "Nothing was measured yet."
                        : fmt::format("{} is best: {}; no trained arm was measured.", baseline->arm, scored(*baseline));
    return std::move(out_);
  }

  // The reader may never have met the word base.
  std::string uncorrected(const std::string& arm) const {
    return arm + (plan_.arm(arm).method == "base" ? " (no correction)" : "");
  }

  std::string scored(const Cell& cell) const {
    return metric_ + " " + number_text(cell.mean, metric_of_name(plan_.metric).decimals);
  }

  void against_base(const Difference& d) {
    out_.tone = d.tone;
    if (d.tone == Tone::gain) {
      out_.badge = "Better than base", out_.recommended = out_.best;
      out_.sentence = fmt::format("{} is better than {}: {}, by {}.", out_.best->arm, uncorrected(d.other),
                                  scored(*out_.best), size_text(d));
      return;
    }
    out_.badge = "No clear gain", out_.more_runs = true, out_.tone = Tone::unclear;
    out_.recommended = cell_named(d.other);
    out_.sentence = fmt::format("{} is ahead of {}: {}, by {}; that may be chance{}.", out_.best->arm,
                                uncorrected(d.other), scored(*out_.best), size_text(d), corrected(d));
  }

  // Why an interval without 0 is still no finding: it is one of several.
  std::string corrected(const Difference& d) const {
    const auto tests =
        std::count_if(order_.begin(), order_.end(), [](const Cell* cell) { return cell->base.has_value(); });
    const bool apart = d.low > 0 || d.high < 0;
    return apart && tests > 1 ? fmt::format(", as it is one of {} tests", tests) : "";
  }

  const Cell* cell_named(const std::string& arm) const {
    return first_where(order_, [&](const Cell& cell) { return cell.arm == arm; });
  }

  void base_is_best() {
    out_.recommended = out_.best;
    int tested = 0, worse = 0;
    for (const Cell* cell : order_) {
      if (!cell->base) continue;
      ++tested;
      worse += difference_of(plan_, *cell->base).tone == Tone::loss ? 1 : 0;
    }
    if (tested == 0) {
      out_.badge = "No arm to compare", out_.tone = Tone::unclear;
      out_.sentence = fmt::format("{} is the only trained arm: {}.", out_.best->arm, scored(*out_.best));
      return;
    }
    out_.tone = worse == tested ? Tone::loss : Tone::unclear;
    out_.badge = worse == tested ? "Worse than base" : "No gain";
    out_.more_runs = worse < tested;
    const std::string other =
        worse == 0 ? "" : fmt::format("{} of {} {} worse", worse, tested, worse == 1 ? "is" : "are");
    const std::string chance = worse == tested ? ""
                                               : fmt::format("{} of {} {} may be chance", tested - worse, tested,
                                                             tested == 1 ? "difference" : "differences");
    out_.sentence = fmt::format("No method is better than {}, {}: {}{}{}.", uncorrected(out_.best->arm),
                                scored(*out_.best), other, other.empty() || chance.empty() ? "" : ", ", chance);
  }

  void against_baseline(const Cell& baseline) {
    const bool ahead = better(find_metric(plan_.metric), baseline.mean, out_.best->mean);
    const std::optional<Versus> test = pair_of(table_, baseline.arm, out_.best->arm);
    const std::optional<Difference> d = test ? std::optional(difference_of(plan_, *test)) : std::nullopt;
    const bool sure = d && d->tone != Tone::unclear;
    const std::string size = d ? size_text(*d) : number_text(std::abs(baseline.mean - out_.best->mean));
    if (ahead) out_.ahead = &baseline, out_.surely_ahead = sure;
    if (ahead && sure) {
      out_.badge = "A baseline is ahead", out_.tone = Tone::loss, out_.recommended = &baseline, out_.more_runs = false;
      out_.sentence = fmt::format("The baseline {} is best: {}, better by {} than the best trained arm, {}. {}",
                                  baseline.arm, scored(baseline), size, out_.best->arm, out_.sentence);
    } else if (!sure) {
      out_.sentence += fmt::format(" The baseline {} ({}) is {} by {}; that may be chance.", baseline.arm,
                                   scored(baseline), ahead ? "ahead" : "behind", size);
    } else {
      out_.sentence += fmt::format(" The best baseline, {}, is behind by {}.", baseline.arm, size);
    }
  }

  const Plan& plan_;
  const ReportTable& table_;
  std::string metric_;
  std::vector<const Cell*> order_;
  ResultVerdict out_;
};

}  // namespace

Difference difference_of(const Plan& plan, const Versus& versus) {
  Difference out{versus.other, versus.difference, versus.low, versus.high, versus.p_holm};
  if (versus.significant) {
    out.tone = (versus.difference > 0) == higher_is_better(plan) ? Tone::gain : Tone::loss;
  }
  return out;
}

std::string difference_text(const Difference& d) {
  if (!std::isfinite(d.low) || !std::isfinite(d.high)) return signed_text(d.value);
  return fmt::format("{} [{}, {}]", signed_text(d.value), number_text(d.low), number_text(d.high));
}

std::string size_text(const Difference& d) {
  const bool turned = d.value < 0;
  const double low = turned ? -d.high : d.low, high = turned ? -d.low : d.high;
  if (!std::isfinite(low) || !std::isfinite(high)) return number_text(std::abs(d.value));
  return fmt::format("{} [{}, {}]", number_text(std::abs(d.value)), number_text(low), number_text(high));
}

std::string tone_word(Tone tone) {
  return tone == Tone::gain ? "better" : tone == Tone::loss ? "worse" : "not told apart";
}

std::vector<const Cell*> best_first(const Plan& plan, const ReportTable& table) {
  std::vector<const Cell*> out;
  for (const Cell& cell : table.cells) {
    if (std::isfinite(cell.mean)) out.push_back(&cell);
  }
  const MetricInfo& metric = metric_of_name(plan.metric);
  std::stable_sort(out.begin(), out.end(),
                   [&](const Cell* a, const Cell* b) { return better(metric, a->mean, b->mean); });
  return out;
}

std::optional<Difference> to_base(const Plan& plan, const ReportTable& table, const Cell& cell) {
  if (cell.base) {
    return std::isfinite(cell.base->difference) ? std::optional(difference_of(plan, *cell.base)) : std::nullopt;
  }
  if (!is_baseline(plan, cell)) return {};
  const std::vector<const Cell*> order = best_first(plan, table);
  const Cell* best = first_where(order, [&](const Cell& other) { return !is_baseline(plan, other); });
  if (best == nullptr) return {};
  const std::optional<Versus> test = pair_of(table, cell.arm, best->base ? best->base->other : best->arm);
  if (!test || !std::isfinite(test->difference)) return {};
  return difference_of(plan, *test);
}

ResultVerdict verdict_of(const Plan& plan, const ReportTable& table) { return Writer(plan, table).all(); }

}  // namespace equipoise
