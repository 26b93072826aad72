// Questions about (user, item) pairs of rows: which occur twice, and which occur in other rows too.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/parallel.h"
#include "data/dataset.h"
#include "data/text/line_numbers.h"

namespace equipoise {

/// What to do where a pair occurs more than once; `automatic` is for the readers of logs, which settle it.
enum class Duplicates { error, first, last, automatic };
Duplicates parse_duplicates(std::string_view word);  ///< UsageError if it is none of auto, error, first, last

/// A row, and the row before it with the same pair.
struct SamePair {
  RowNumber row;
  RowNumber before;
};
/// By row. Looks at about so many rows at once, in 8 bytes each, but at all of a user; 0 = at a quarter of them.
std::vector<SamePair> same_pairs(const Rows& rows, Pool* pool = nullptr, std::size_t at_once = 0);

/// Pairs that occur again in the same request; as `same_pairs` where there are no requests.
std::vector<SamePair> same_pairs_in_requests(const Rows& rows, Pool* pool = nullptr);

/// The numbers of the rows that go, ascending: all of a pair but its first or its last row. With `error`, DataError
/// that names both rows: place(r) is that of row r.
std::vector<RowNumber> duplicate_rows(const Rows& rows, const std::vector<SamePair>& same, Duplicates rule,
                                      const IdMap& users, const IdMap& items, FunctionRef<Place(std::size_t)> place);

/// For each of `rows`, 1 if its pair occurs in any of `others` too: in the same request, where both have requests.
std::vector<std::uint8_t> shared_pairs(const Rows& rows, const std::vector<const Rows*>& others);

}  // namespace equipoise
