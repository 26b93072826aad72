// A data set in a few numbers, and numbers for people.
#pragma once

#include <string>

#include "core/json.h"
#include "data/dataset.h"

namespace equipoise::cli {

/// A key as words: "positive_share_train" without its underscores.
std::string words(std::string name);
/// A value for people: thousands with commas, four decimals at most.
std::string shown(const Json& value);
/// A number for people: "∞", "–" for none, never a negative zero.
std::string number(double value, int digits);
/// "0.0123", or "< 0.0001" below the last of the digits; p_equals: "= 0.0123".
std::string p_text(double p, int digits);
std::string p_equals(double p, int digits);
/// What a folder holds now: a table for people, or JSON; and `more` beside it.
void print_summary(const Dataset& data, const std::string& folder, bool json, const Json& more = Json::object());

}  // namespace equipoise::cli
