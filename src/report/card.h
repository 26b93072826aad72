// A data set in a few facts: how large it is, what a positive is, how its test part was made and what that means.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/json.h"

namespace equipoise {

/// Names and HTML, as facts_html takes them. `card` as data/data_card.h makes it; nullptr = not recorded.
std::vector<std::pair<std::string, std::string>> card_facts(const Json* card);
/// What a test part of that kind ("unbiased", "biased", …) can tell, as a sentence without its full stop.
std::string test_part_meaning(const std::string& test_part);

}  // namespace equipoise
