// The verdict of the study balance in words, and all of it as JSON.
#include "compare/balance_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text.h"
#include "eval/distributions.h"

namespace equipoise {

namespace {

constexpr double kPower = 0.8;

/// What a test of that error, as the first of a Holm family, finds with a chance of 80%.
double detectable(const RepeatTest& test, std::size_t family) {
  if (test.repeats < 2) return std::nan("");
  const double degrees = test.repeats - 1;
  const double needed = student_point(0.025 / static_cast<double>(std::max<std::size_t>(family, 1)), degrees);
  return (needed + student_point(1 - kPower, degrees)) * test.error;
}

std::string plain_gain(const RepeatTest& test) { return fmt::format("{:+.4f} ± {:.4f}", test.mean, test.error); }

/// What is missing for balancing to be the cause, as clauses.
std::vector<std::string> failures(const FormTests& form) {
  std::vector<std::string> out;
  for (const auto& [name, test] : form.controls) {
    if (!test.above())
      out.push_back(fmt::format("it is not shown to beat the control '{}' ({})", name, plain_gain(test)));
  }
  if (!form.by_strength.above()) {
    out.push_back(
        fmt::format("the gain is not shown to grow with s ({} for each 1 of s)", plain_gain(form.by_strength)));
  }
  if (!form.by_width.below()) {
    out.push_back(fmt::format("it is not shown to shrink as the model grows wider ({} for each doubling)",
                              plain_gain(form.by_width)));
  }
  if (form.at_zero.p < kSignificance && form.at_zero.mean > 0) {
    out.push_back(
        fmt::format("it gains at s = 0 too ({}), where there is nothing to balance", plain_gain(form.at_zero)));
  }
  return out;
}

}  // namespace

void judge(FormTests& form, std::size_t family) {
  form.detectable = detectable(form.gain, family);
  const std::string gain = plain_gain(form.gain);
  if (form.gain.repeats < 2) {
    form.verdict = "cannot be judged: fewer than two repeats have all cells";
    return;
  }
  const std::vector<std::string> missing = failures(form);
  form.cause = form.gain.above() && missing.empty();
  if (form.cause) {
    form.verdict = fmt::format("gains {} where exposure follows the match, and balancing is the cause", gain);
  } else if (form.gain.above()) {
    form.verdict = fmt::format("gains {}, but balancing is not shown to be the cause: {}", gain, join(missing, "; "));
  } else {
    form.verdict = fmt::format("{} ({}); a mean gain of {:.4f} would have been found with a chance of 80%",
                               form.gain.below() ? "loses" : "no gain is shown", gain, form.detectable);
  }
}

std::string oracle_words(const RepeatTest& oracle) {
  if (oracle.repeats < 2) return "oracle weights cannot be judged: fewer than two repeats have all cells";
  if (oracle.p < kSignificance && oracle.mean > 0) {
    return fmt::format("oracle weights gain {}: so much could be gained by weights at all", plain_gain(oracle));
  }
  if (oracle.p < kSignificance) {
    return fmt::format("oracle weights lose ({}), so that no reweighting can help here", plain_gain(oracle));
  }
  return fmt::format(
      "oracle weights are not shown to gain ({}), and unless they do no reweighting can help here; a gain of {:.4f} "
      "would have been found with a chance of 80%",
      plain_gain(oracle), detectable(oracle, 1));
}

std::string gain_text(const RepeatTest& gain) {
  if (!std::isfinite(gain.mean)) return "–";
  const std::string error = std::isfinite(gain.error) ? fmt::format(" ± {:.4f}", gain.error) : "";
  return fmt::format("{:+.4f}{}{}", gain.mean, error, gain.significant() ? " ★" : "");
}

namespace {

Json test_json(const RepeatTest& test) {
  return Json::object({{"mean", number_or_null(test.mean)},
                       {"error", number_or_null(test.error)},
                       {"p", number_or_null(test.p)},
                       {"p_holm", number_or_null(test.p_holm)},
                       {"repeats", test.repeats}});
}

Json form_json(const FormTests& form) {
  Json controls = Json::object();
  for (const auto& [name, test] : form.controls) controls[name] = test_json(test);
  return Json::object({{"arm", form.arm},
                       {"gain", test_json(form.gain)},
                       {"against_controls", controls},
                       {"slope_over_strength", test_json(form.by_strength)},
                       {"slope_over_log2_width", test_json(form.by_width)},
                       {"gain_at_strength_0", test_json(form.at_zero)},
                       {"detectable_gain", number_or_null(form.detectable)},
                       {"cause", form.cause},
                       {"verdict", form.verdict}});
}

}  // namespace

Json balance_json(const std::vector<BalanceResult>& results) {
  Json out = Json::array();
  for (const BalanceResult& result : results) {
    Json gains = Json::array(), forms = Json::array();
    for (const BalanceGain& gain : result.gains) {
      Json one = test_json(gain.gain);
      one["arm"] = gain.arm, one["width"] = gain.width, one["strength"] = gain.strength;
      gains.push_back(std::move(one));
    }
    for (const FormTests& form : result.forms) forms.push_back(form_json(form));
    out.push_back(Json::object({{"data", result.data},
                                {"base", result.base},
                                {"protocol", result.protocol},
                                {"metric", result.metric},
                                {"repeats", result.repeats},
                                {"gains", gains},
                                {"forms", forms},
                                {"oracle", test_json(result.oracle)},
                                {"oracle_verdict", result.oracle_verdict}}));
  }
  return out;
}

}  // namespace equipoise
