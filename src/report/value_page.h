// Off-policy values as a page: which policy is better than what was shown, by how much, and whether the log can tell.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"
#include "report/figure.h"

namespace equipoise {

// A valuation as `to_json` of app/value.h makes it, with "data" (the data set's name) where it is known.

std::string value_html(const Json& valuation);
/// The same as one element for a notebook's cell.
std::string value_fragment(const Json& valuation);
std::vector<Figure> value_figures(const Json& valuation);

}  // namespace equipoise
