// The facts of a data card.
#include "report/card.h"

#include <fmt/format.h>

#include <cmath>

#include "core/text.h"
#include "report/markup.h"
#include "report/report_values.h"

namespace equipoise {

namespace {

std::string share_at(const Json& object, const char* key) {
  const double share = number_at(object, key);
  return std::isfinite(share) ? fmt::format(" ({} positive)", number_text(100 * share, 1) + "%") : "";
}

std::string label_text(const Json& card) {
  const Json* only = card.find("positives_only");
  const bool positives_only = only != nullptr && only->is_bool() && only->as_bool();
  if (std::string rule = text_at(card, "label_rule"); !rule.empty()) return rule;
  if (text_at(card, "source") == "simulate") return "the simulated user likes the item";
  return positives_only ? "every row: the log holds what users did and nothing else" : "not recorded";
}

}  // namespace

std::string test_part_meaning(const std::string& test_part) {
  if (test_part == "unbiased") return "shown at random: what holds there holds for all pairs";
  if (test_part == "resampled") {
    return "cut from the log, rare items more often: it makes up for popularity, not for who was shown what";
  }
  if (test_part == "biased") return "cut from the same log: it shares its bias, and a gain there may be none elsewhere";
  if (test_part == "as given") return "given with the data: whether it was shown at random is for you to know";
  return "how it was made is not recorded: take care";
}

std::vector<std::pair<std::string, std::string>> card_facts(const Json* card) {
  if (card == nullptr) return {{"Data", "not recorded by the version that ran this"}};
  const std::string split = text_at(*card, "split");
  const std::string rows =
      fmt::format("{} users, {} items; rows: {} train{}, {} valid, {} test{}", count_at(*card, "users"),
                  count_at(*card, "items"), count_at(*card, "train"), share_at(*card, "train_positive"),
                  count_at(*card, "valid"), count_at(*card, "test"), share_at(*card, "test_positive"));
  return {{"Data", html_text(rows)},
          {"A positive is", html_text(label_text(*card))},
          {"Test part", html_text(test_part_meaning(text_at(*card, "test_part")) +
                                  (split.empty() ? "" : fmt::format(" (parts: {})", split)))}};
}

}  // namespace equipoise
