// The label rule: parsing, and the words for provenance and errors.
#include "data/text/labels.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"
#include "core/quote.h"
#include "core/text.h"

namespace equipoise {

LabelRule LabelRule::at_least(double threshold) {
  LabelRule rule;
  rule.threshold_ = threshold;
  return rule;
}

LabelRule LabelRule::parse(std::string_view positive_at_least) {
  if (positive_at_least.empty()) return {};
  const auto threshold = parse_double(positive_at_least);
  if (!threshold || !std::isfinite(*threshold)) {
    throw UsageError(fmt::format("positive_at_least: {} is not a number", in_quotes(positive_at_least)));
  }
  return at_least(*threshold);
}

std::string LabelRule::refusal(double raw) {
  return fmt::format("label {} is neither 0 nor 1; positive_at_least makes labels of ratings", to_text(raw));
}

std::string LabelRule::text(std::string_view raw_name) const {
  if (!threshold_) return "label as given (0 or 1)";
  return fmt::format("label = 1 if {} >= {}", raw_name, to_text(*threshold_));
}

}  // namespace equipoise
