// Reads a log that lies in several files, on one process or on ranks that read some of them each.
#pragma once

#include <string>
#include <vector>

#include "core/ranks.h"
#include "data/text/log_reader.h"

namespace equipoise {

/// The files one after another as one log: `read_log` of one file that holds the rows of all. Every file has a header
/// of its own where the format has one, and the same columns. `name` is what messages call the whole. With ranks, each
/// reads its share of the files, which need not be anywhere else, and all have the whole log with the numbers that one
/// process gives.
Log read_log_parts(const std::vector<std::string>& files, const std::string& name, const LogParams& params,
                   IdMap& users, IdMap& items, Pool* pool, Ranks& ranks = single_process());

}  // namespace equipoise
