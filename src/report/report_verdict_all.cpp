// What the verdicts of many data sets say together.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/text.h"
#include "report/markup.h"
#include "report/report_verdict.h"

namespace equipoise {

namespace {

std::string of_all(std::size_t count, std::size_t all) {
  return count == all ? fmt::format("all {}", all) : fmt::format("{} of {}", count, all);
}

// "CBR gmf (4 of 6) or φ + z gmf (2 of 6)", the most frequent first; `arm` gives the name, or nullptr.
std::string counted(const std::vector<ResultVerdict>& verdicts, const auto& arm) {
  std::map<std::string, std::size_t> counts;
  for (const ResultVerdict& verdict : verdicts) {
    if (const Cell* cell = arm(verdict)) ++counts[cell->arm];
  }
  std::vector<std::pair<std::size_t, std::string>> order;
  for (const auto& [name, count] : counts) order.emplace_back(count, name);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> out;
  for (const auto& [count, name] : order) out.push_back(fmt::format("{} ({})", name, of_all(count, verdicts.size())));
  return join(out, " or ");
}

std::string sizes(const std::vector<ResultVerdict>& verdicts, const auto& wanted) {
  double least = INFINITY, most = -INFINITY;
  for (const ResultVerdict& verdict : verdicts) {
    if (!wanted(verdict)) continue;
    least = std::min(least, std::abs(verdict.lead->value)), most = std::max(most, std::abs(verdict.lead->value));
  }
  const std::string low = number_text(least), high = number_text(most);
  return low == high ? low : low + " to " + high;
}

}  // namespace

ResultVerdict verdict_of_all(const Plan& plan, const std::vector<ResultVerdict>& verdicts) {
  const std::size_t all = verdicts.size();
  const auto count = [&](const auto& wanted) {
    return static_cast<std::size_t>(std::count_if(verdicts.begin(), verdicts.end(), wanted));
  };
  const auto gains = [](const ResultVerdict& v) { return v.lead && v.lead->tone == Tone::gain; };
  const auto leads = [](const ResultVerdict& v) { return v.lead && v.lead->tone != Tone::gain; };
  const std::size_t better = count(gains), maybe = count(leads);
  const std::size_t ahead = count([](const ResultVerdict& v) { return v.ahead != nullptr; });
  const std::size_t surely = count([](const ResultVerdict& v) { return v.surely_ahead; });

  ResultVerdict out = verdicts.front();
  out.more_runs = std::any_of(verdicts.begin(), verdicts.end(), [](const ResultVerdict& v) { return v.more_runs; });
  out.tone = surely == all ? Tone::loss : better == all && surely == 0 ? Tone::gain : Tone::unclear;
  out.badge = surely == all   ? "A baseline is ahead"
              : better == 0   ? "No clear gain"
              : better == all ? "Better than base"
                              : fmt::format("Better than base on {} of {}", better, all);
  out.sentence = fmt::format("Of the trained arms the best in {} is {}.", metric_label(plan.metric, plan.k),
                             counted(verdicts, [](const ResultVerdict& v) { return v.best; }));
  if (better > 0)
    out.sentence += fmt::format(" On {} it is better than base, by {}.", of_all(better, all), sizes(verdicts, gains));
  if (maybe > 0)
    out.sentence += fmt::format(" On {} it is ahead of base by {}, which may be chance.", of_all(maybe, all),
                                sizes(verdicts, leads));
  if (better + maybe < all)
    out.sentence += fmt::format(" On {} no method is ahead of base.", of_all(all - better - maybe, all));
  if (ahead > 0) {
    out.sentence += fmt::format(" But a baseline is ahead of every trained arm: {}; {}.",
                                counted(verdicts, [](const ResultVerdict& v) { return v.ahead; }),
                                surely == 0 ? "that may be chance" : fmt::format("surely on {}", of_all(surely, all)));
  }
  return out;
}

}  // namespace equipoise
