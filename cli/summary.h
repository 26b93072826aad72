// A data set in a few numbers, and numbers for people.
#pragma once

#include <string>

#include "core/json.h"
#include "data/dataset.h"

namespace equipoise::cli {

/// users, items, train, valid, test, positive shares, leaks_removed, fingerprint …
Json summarise(const Dataset& data, const std::string& folder);
/// A key as words: "positive_share_train" without its underscores.
std::string words(std::string name);
/// A value for people: thousands with commas, four decimals at most.
std::string shown(const Json& value);
/// A number for people: "∞", "–" for none, never a negative zero.
std::string number(double value, int digits);
/// "0.0123", or "< 0.0001" below the last of the digits; p_equals: "= 0.0123".
std::string p_text(double p, int digits);
std::string p_equals(double p, int digits);
/// A note if the folder holds a data set, which is about to be replaced.
void say_if_replaced(const std::string& folder);
void print_summary(const Json& summary, bool json);

}  // namespace equipoise::cli
