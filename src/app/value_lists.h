// The lists of a data set's part as off-policy estimates need them, by request.
#pragma once

#include <string>
#include <vector>

#include "app/asked.h"
#include "data/dataset.h"
#include "eval/off_policy.h"

namespace equipoise {

/// Rows are in the order of their lists, and of their positions there.
struct ValueLists {
  LoggedLists logged;
  std::vector<std::int32_t> users;     // (users) numbers in the data set
  std::vector<std::int32_t> item;      // (rows) numbers in the data set
  std::vector<std::int32_t> position;  // (rows) from 1
  std::vector<double> chance;          // (rows) the logged chance that the form divides by
  std::vector<double> eligible;     // (lists) how many items could be shown; of lists that are not whole, by position
  std::vector<std::size_t> length;  // (lists) places: the last position
  std::vector<AskedList> asked;     // (lists) what each was made of beside its user, as far as the data says
  std::size_t silent = 0;           // lists of which it does not say
  bool whole = true;                // every list has all its positions
  bool counted = false;             // the data says how many items were eligible

  std::size_t rows() const { return item.size(); }
};

/// The form that fits where `form` is auto: position if the rows say the chance of their position, else item.
std::string settle_form(const std::string& form, const Rows& rows);

/// DataError if the rows lack a column that the form needs, or a list has a position twice.
ValueLists value_lists(const Rows& rows, const Dataset& data, const std::string& form);

/// The chances of being in a list, or at a position where lists are not whole, against what is eligible.
ChanceCheck check_chances(const ValueLists& lists, const Rows& rows);

}  // namespace equipoise
