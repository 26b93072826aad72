// User dependence: a chain of shuffled logs around the log, and how the log's values compare with theirs.
#include "doctor/user_dependence.h"

#include <algorithm>
#include <cmath>

#include "doctor/dependence_values.h"
#include "doctor/statistics.h"

namespace equipoise {

namespace {

constexpr int kSweeps = 3;  // between two logs of the chain: a pair stays where it was with a chance of about 1/8

using Table = std::vector<std::vector<double>>;  // (logs × values)

// Logs before and after the observed one: both directions are runs of the same reversible chain from it.
Table shuffled_values(const ShownSets& observed, const DependenceValues& values, std::size_t shuffles,
                      std::uint64_t seed) {
  const std::size_t before = Stream(seed, "place in the chain").below(static_cast<std::uint32_t>(shuffles) + 1);
  Table out;
  for (const std::size_t direction : {0U, 1U}) {
    ShownSets sets = observed;
    const std::size_t length = direction == 0 ? before : shuffles - before;
    for (std::size_t k = 0; k < length; ++k) {
      Stream stream(seed, "trades", direction, k);
      for (int sweep = 0; sweep < kSweeps; ++sweep) trade(sets, stream);
      out.push_back(values(sets));
    }
  }
  return out;
}

// The largest of a log's values, each in standard deviations from its mean over all logs, the observed one included:
// every log is treated alike, which keeps the joint p-value exact.
std::vector<double> largest_standardised(const Table& logs) {
  std::vector<double> out(logs.size(), -1e300);
  const auto n = static_cast<double>(logs.size());
  for (std::size_t v = 0; v < logs.front().size(); ++v) {
    double sum = 0, squares = 0;
    for (const auto& log : logs) sum += log[v];
    for (const auto& log : logs) squares += (log[v] - sum / n) * (log[v] - sum / n);
    const double deviation = std::sqrt(squares / n);
    for (std::size_t l = 0; l < logs.size(); ++l) {
      out[l] = std::max(out[l], deviation > 0 ? (logs[l][v] - sum / n) / deviation : 0);
    }
  }
  return out;
}

}  // namespace

const DependenceTest* UserDependence::find(std::string_view name) const {
  const auto at = std::find_if(tests.begin(), tests.end(), [&](const DependenceTest& t) { return t.name == name; });
  return at == tests.end() ? nullptr : &*at;
}

UserDependence user_dependence(const ShownSets& sets, const Columns& features, std::size_t shuffles,
                               std::uint64_t seed) {
  UserDependence out;
  out.shuffles = shuffles;
  out.features_known = !features.empty();
  const DependenceValues values(sets, features, seed);
  const std::vector<double> observed = values(sets);
  Table logs = shuffled_values(sets, values, shuffles, seed);
  for (std::size_t v = 0; v < observed.size(); ++v) {
    std::vector<double> drawn;
    double sum = 0, squares = 0;
    for (const auto& log : logs) drawn.push_back(log[v]), sum += log[v];
    const auto n = static_cast<double>(drawn.size());
    for (const double d : drawn) squares += (d - sum / n) * (d - sum / n);
    out.tests.push_back({values.names()[v].name, values.names()[v].sentence, observed[v], sum / n,
                         std::sqrt(squares / n), permutation_p(observed[v], drawn)});
  }
  logs.push_back(observed);
  const std::vector<double> largest = largest_standardised(logs);
  out.p_value = permutation_p(largest.back(), std::span(largest).first(shuffles));
  return out;
}

Json to_json(const UserDependence& finding) {
  Json out = Json::object({{"p_value", finding.p_value},
                           {"shuffles", static_cast<std::int64_t>(finding.shuffles)},
                           {"user_features", finding.features_known}});
  for (const DependenceTest& test : finding.tests) {
    out[test.name] = Json::object({{"sentence", test.sentence},
                                   {"value", test.value},
                                   {"shuffled_mean", test.shuffled_mean},
                                   {"shuffled_deviation", test.shuffled_deviation},
                                   {"p_value", test.p_value}});
  }
  return out;
}

}  // namespace equipoise
