// The label rule: parsing, and the words for provenance and errors.
#include "data/text/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/quote.h"
#include "core/text.h"
#include "data/text/fields.h"

namespace equipoise {

LabelRule LabelRule::at_least(double threshold) {
  LabelRule rule;
  rule.threshold_ = threshold;
  return rule;
}

LabelRule LabelRule::parse(std::string_view positive_at_least, std::string_view positive) {
  LabelRule rule;
  if (!positive.empty()) {
    if (!positive_at_least.empty()) {
      throw UsageError("positive: labels are made by positive or by positive_at_least, not by both");
    }
    for (const std::string& word : split(positive, ',')) rule.words_.push_back(lower_case(trim(word)));
    return rule;
  }
  if (positive_at_least.empty()) return rule;
  const auto threshold = parse_double(positive_at_least);
  if (!threshold || !std::isfinite(*threshold)) {
    throw UsageError(fmt::format("positive_at_least: {} is not a number", in_quotes(positive_at_least)));
  }
  return at_least(*threshold);
}

float LabelRule::label_of_word(std::string_view text) const {
  const std::string word = lower_case(trim(text));
  const auto number = parse_double(word);
  const bool positive = std::any_of(words_.begin(), words_.end(), [&](const std::string& one) {
    return one == word || (number && parse_double(one) == number);
  });
  return positive ? 1.0f : 0.0f;
}

std::string LabelRule::refusal(double raw) {
  return fmt::format("label {} is neither 0 nor 1; positive_at_least makes labels of ratings", to_text(raw));
}

std::string LabelRule::text(std::string_view raw_name) const {
  if (by_words()) return fmt::format("label = 1 if {} is {}", raw_name, join(words_, " or "));
  if (!threshold_) return "label as given (0 or 1)";
  return fmt::format("label = 1 if {} >= {}", raw_name, to_text(*threshold_));
}

}  // namespace equipoise
