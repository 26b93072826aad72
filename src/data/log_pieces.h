// Reads the records of a log in pieces of whole lines, on all threads, with the result of reading them one by one.
#pragma once

#include <functional>

#include "core/parallel.h"
#include "data/log_reader.h"

namespace equipoise {

/// Appends all records that the reader gives to the log.
using ReadRecords = std::function<void(CsvReader& csv, Log& log, IdMap& users, IdMap& items)>;

/// `read` on fixed pieces of the rest of `csv`, each with ids of its own, which are then numbered in the order of their
/// appearance. Where lines are not what they seem (a quote may hold a line end; a blank line may be an error) the rest
/// is read one by one. Errors are those of reading one by one, with the same places: a piece that fails is read again
/// once the number of its first line is known. `bytes` is the size of the input, 0 = unknown.
void read_in_pieces(CsvReader& csv, std::uint64_t bytes, const ReadRecords& read, Pool& pool, Log& log, IdMap& users,
                    IdMap& items);

}  // namespace equipoise
