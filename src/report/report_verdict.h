// What a table of results says in one sentence: who is best, against base and against the baselines, and how surely.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/chart.h"
#include "report/report.h"

namespace equipoise {

/// Standard errors to each side of a 95% interval.
inline constexpr double kNormal95 = 1.96;

/// A difference with its 95% interval, and what it means: a gain or a loss only where Holm's correction leaves it.
struct Difference {
  std::string other{};
  double value = 0, low = 0, high = 0;
  double p_holm = 1;
  Tone tone = Tone::unclear;
};
Difference difference_of(const Plan& plan, const Versus& versus);
/// "+0.0361 [+0.0240, +0.0481]"; without the interval where it is not known.
std::string difference_text(const Difference& difference);
/// The size alone, as a sentence says it after "better by": "0.0361 [0.0240, 0.0481]".
std::string size_text(const Difference& difference);
/// "better", "worse", "not told apart".
std::string tone_word(Tone tone);

/// The cells with a value, best first.
std::vector<const Cell*> best_first(const Plan& plan, const ReportTable& table);
/// Against the base on its base model; of a baseline against the base of the best arm. Nothing where it is that base.
std::optional<Difference> to_base(const Plan& plan, const ReportTable& table, const Cell& cell);

struct ResultVerdict {
  Tone tone = Tone::none;
  std::string badge;                  // "Better than base", "No clear gain", "Worse than base", "Baseline is ahead"
  std::string sentence;               // without the place
  const Cell* best = nullptr;         // of the arms that are trained; nullptr where nothing was measured
  std::optional<Difference> lead;     // of the best to its base; nothing where it is the base
  const Cell* ahead = nullptr;        // the best baseline, where it is ahead of every trained arm
  bool surely_ahead = false;          // and that is more than chance
  const Cell* recommended = nullptr;  // what one would train now
  bool more_runs = false;             // whether more seeds may tell
};
ResultVerdict verdict_of(const Plan& plan, const ReportTable& table);
/// Of several data sets (at least one), in a few sentences; what is recommended is that of the first.
ResultVerdict verdict_of_all(const Plan& plan, const std::vector<ResultVerdict>& verdicts);

}  // namespace equipoise
