// Logs of positives only: the marks, and the words that say what they mean.
#include "data/positives.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/listener.h"

namespace equipoise {

bool all_positive(const Rows& rows) {
  return !rows.empty() && std::all_of(rows.label.begin(), rows.label.end(), [](float label) { return label == 1; });
}

bool has_both_labels(const Rows& rows) {
  const auto other = [&](float label) { return label != rows.label.front(); };
  return std::any_of(rows.label.begin(), rows.label.end(), other);
}

std::string protocol_of_positives(const Dataset& data) {
  return has_both_labels(data.test.empty() ? data.valid : data.test) ? "test-items" : "full";
}

void mark_positives(Dataset& data, const std::string& why) {
  if (!all_positive(data.train)) return;
  data.positives_only = true;
  data.protocol = protocol_of_positives(data);
  note(fmt::format("{}: every row counts as a positive; what a user has no row of is unknown, not disliked ({})", why,
                   data.protocol == "full" ? "lists are ranked over the whole catalogue: protocol full"
                                           : "the test rows have both labels: protocol test-items"));
}

}  // namespace equipoise
