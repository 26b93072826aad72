// Reads the records of a log in pieces of whole lines, on all threads, with the result of reading them one by one.
#pragma once

#include <functional>

#include "core/parallel.h"
#include "data/text/log_reader.h"

namespace equipoise {

/// Records that were read one after another, their ids still without numbers.
struct LogPiece {
  IdTexts users, items, requests;
  Rows rows;  // but for its users, items and requests
  LineNumbers lines;
  std::vector<std::string> item_names;  // a row each, or none
  std::int64_t filtered = 0;
  std::int64_t missing = 0;  // of these, because something is missing

  void clear();
};

/// Appends up to that many records that the reader gives; false if there were none.
using ReadRecords = std::function<bool(CsvReader& csv, std::size_t most, LogPiece& piece)>;

/// `read` on fixed pieces of the rest of `csv`, whose ids are then numbered in the order of their appearance. Where
/// lines are not what they seem (a quote may hold a line end; a blank line may be an error) the rest is read one by
/// one, as all is without a pool. Errors are those of reading one by one, with the same places: a piece that fails is
/// read again once the number of its first line is known. `bytes` is the size of the input, 0 = unknown.
void read_in_pieces(CsvReader& csv, std::uint64_t bytes, const ReadRecords& read, Pool* pool, Log& log, IdMap& users,
                    IdMap& items);

}  // namespace equipoise
