// The label rule: how a raw value of a log (a rating, a click, a word) becomes a label of 0 or 1.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace equipoise {

class LabelRule {
 public:
  /// Labels are 0 or 1 already; anything else is refused.
  LabelRule() = default;
  /// 1 if the number is `threshold` or more, else 0.
  static LabelRule at_least(double threshold);
  /// The parameters `positive_at_least` (a number, or "" for labels that are 0 or 1 already) and `positive` (texts
  /// a,b,c that are positive, or ""). UsageError otherwise, or if both are given.
  static LabelRule parse(std::string_view positive_at_least, std::string_view positive = "");

  /// The label, or nothing where the rule has none for that number.
  std::optional<float> label(double raw) const {
    if (threshold_) return static_cast<float>(raw >= *threshold_);
    if (raw == 0 || raw == 1) return static_cast<float>(raw == 1);  // −0 is 0
    return std::nullopt;
  }
  /// Whether labels are texts, of which some are positive and all others negative.
  bool by_words() const { return !words_.empty(); }
  /// 1 if the text is one of the positive ones, in whatever case, or the same number; else 0.
  float label_of_word(std::string_view text) const;

  /// Why a number has no label: "label 3 is neither 0 nor 1; …".
  static std::string refusal(double raw);
  /// For provenance: "label = 1 if rating >= 3", "label = 1 if answer is yes", or "label as given (0 or 1)".
  std::string text(std::string_view raw_name = "rating") const;

 private:
  std::optional<double> threshold_;
  std::vector<std::string> words_;  // lower case
};

}  // namespace equipoise
