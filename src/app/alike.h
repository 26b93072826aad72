// Whether the ranks of a job have the same inputs.
#pragma once

#include <string>
#include <vector>

#include "core/ranks.h"
#include "data/dataset.h"

namespace equipoise {

/// DataError on every rank, with the first that differs: each is told what all have.
void check_same_data(Ranks& ranks, const std::string& path, const Dataset& data);
/// A model's file, by the checksum that it ends with.
void check_same_model(Ranks& ranks, const std::string& path);
/// Any other file, by its content; "" and a file that nobody has are alike. UsageError for stdin: rank 0 alone has it.
void check_same_file(Ranks& ranks, const std::string& path);

}  // namespace equipoise
