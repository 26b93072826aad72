// A data set in a few numbers, and reading one from a folder or a plain file.
#pragma once

#include <string>

#include "core/json.h"
#include "data/dataset.h"

namespace equipoise::cli {

/// users, items, train, valid, test, positive shares, leaks_removed, fingerprint …
Json summarise(const Dataset& data, const std::string& folder);
void print_summary(const Json& summary, bool json);

}  // namespace equipoise::cli
