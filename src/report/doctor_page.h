// The doctor's findings as a page: whether the log is biased, what to do about it, what cannot be known.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"
#include "report/figure.h"

namespace equipoise {

// A diagnosis as `to_json` of doctor/diagnosis.h makes it and `equipoise doctor --json` prints it.

/// `folder`: the data's, as commands name it.
std::string doctor_html(const Json& diagnosis, const std::string& folder);
/// The same as one element for a notebook's cell.
std::string doctor_fragment(const Json& diagnosis);
std::vector<Figure> doctor_figures(const Json& diagnosis);

}  // namespace equipoise
