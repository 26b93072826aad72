// Columns that a caller holds, as the public C++ face reads them: ids, numbers, logs and features.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace equipoise {

namespace detail {

template <class T, class... Kinds>
inline constexpr bool is_one_of = (std::is_same_v<T, Kinds> || ...);
/// What lies side by side and can be looked at: a vector, a span, an array.
template <class Range>
using ElementOf = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<const Range&>()))>>;
enum class Kind { string, view, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, boolean };
template <class T>
constexpr Kind kind_of() {
  if constexpr (std::is_same_v<T, std::string>) return Kind::string;
  if constexpr (std::is_same_v<T, std::string_view>) return Kind::view;
  if constexpr (std::is_same_v<T, float>) return Kind::f32;
  if constexpr (std::is_same_v<T, double>) return Kind::f64;
  if constexpr (std::is_same_v<T, bool>) return Kind::boolean;
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    constexpr Kind with_sign[] = {Kind::i8, Kind::i16, Kind::i32, Kind::i64};
    constexpr Kind without[] = {Kind::u8, Kind::u16, Kind::u32, Kind::u64};
    constexpr int place = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return std::is_signed_v<T> ? with_sign[place] : without[place];
  }
  return Kind::view;
}
template <class T>
concept Whole = std::is_integral_v<T> && !is_one_of<T, bool, char, wchar_t, char8_t, char16_t, char32_t>;
template <class T>
concept IdLike = is_one_of<T, std::string, std::string_view> || Whole<T>;
template <class T>
concept NumberLike = is_one_of<T, float, double, bool> || Whole<T>;

}  // namespace detail

/// Elements that lie a fixed number of bytes apart, such as a column of a table that is kept row by row.
template <class T>
struct Strided {
  const T* first = nullptr;
  std::size_t size = 0;
  std::ptrdiff_t bytes = sizeof(T);  // from one to the next; may be below 0
};

/// A column of ids that the caller holds: texts, or whole numbers of any size. It is a view: what it was made of must
/// live until the call that it is given to returns. A number is the id that its digits spell.
class Ids {
 public:
  Ids() = default;
  template <class Range>
  requires detail::IdLike<detail::ElementOf<Range>> Ids(const Range& ids)
      : Ids(Strided<detail::ElementOf<Range>>{std::data(ids), std::size(ids)}) {}
  template <class T>
  requires detail::IdLike<T> Ids(const Strided<T>& ids)
      : data_(ids.first), size_(ids.size), stride_(ids.bytes), kind_(detail::kind_of<T>()) {}
  /// Codes, whole numbers from 0, each of which stands for the id at its place in `dictionary`, which is a view too.
  Ids(const Ids& codes, const Ids& dictionary) : Ids(codes) { dictionary_ = &dictionary; }

  std::size_t size() const { return size_; }
  /// The id's text; a number's is written into `room`.
  std::string_view text(std::size_t at, std::span<char, 24> room) const;
  /// Writes a key for each of the ids from `first` on: within the column, equal keys are equal ids. False where there
  /// are none, because the ids are texts.
  bool keys(std::size_t first, std::span<std::uint64_t> out) const;

 private:
  const void* data_ = nullptr;
  std::size_t size_ = 0;
  std::ptrdiff_t stride_ = 0;
  detail::Kind kind_ = detail::Kind::string;
  const Ids* dictionary_ = nullptr;
};

/// A column of numbers that the caller holds, of any size; a view, as `Ids` is. NaN is a missing value.
class Numbers {
 public:
  Numbers() = default;
  template <class Range>
  requires detail::NumberLike<detail::ElementOf<Range>> Numbers(const Range& values)
      : Numbers(Strided<detail::ElementOf<Range>>{std::data(values), std::size(values)}) {}
  template <class T>
  requires detail::NumberLike<T> Numbers(const Strided<T>& values)
      : data_(values.first), size_(values.size), stride_(values.bytes), kind_(detail::kind_of<T>()) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// A float is the number that its shortest digits spell: 3.6f is 3.6.
  double at(std::size_t place) const;
  /// As a whole number; nothing if it is none, or too large.
  std::optional<std::int64_t> whole(std::size_t place) const;

 private:
  const void* data_ = nullptr;
  std::size_t size_ = 0;
  std::ptrdiff_t stride_ = 0;
  detail::Kind kind_ = detail::Kind::f32;
};

/// Rows of a log, column by column. Columns that are empty are not there; the others are of one length.
struct LogArrays {
  Ids user = {};
  Ids item = {};
  Numbers label = {};       // 0 or 1, or whatever `positive_at_least` makes labels of; empty: every row is a positive
  Numbers weight = {};      // from 0
  Numbers propensity = {};  // above 0, up to 1: the chance that the pair was shown
  Numbers timestamp = {};   // whole numbers
  // What a server that draws its lists knows of a row.
  Ids request = {};                     // the list's id; a pair may occur again in another list
  Numbers position = {};                // in the list, from 1
  Numbers propensity_at_position = {};  // above 0, up to 1: the chance that the item was at this position
  Numbers propensity_given_above = {};  // the chance that it was there, given the items above it
  Numbers eligible = {};                // from 1: how many items the list could have shown
  /// What the columns are called, by role ("user", "item", "label", …), for messages; may be empty.
  std::map<std::string, std::string> names = {};
};

/// What is known of users (or of items) beside their ids: a column for each feature, a row for each id.
struct FeatureArrays {
  struct Categorical {
    std::string name = {};
    std::span<const std::string> values = {};  // "" = missing
    bool tags = false;                         // several values in one, written "a|b|c"
  };
  struct Continuous {
    std::string name = {};
    Numbers values = {};  // NaN = missing
  };
  Ids id = {};
  std::vector<Categorical> categorical = {};
  std::vector<Continuous> continuous = {};
  std::span<const std::string> names = {};  // of items: what people call each, no feature; "" = not known
};

/// Where the parts of a data set come from, beside its log.
struct MoreData {
  LogArrays test = {};   // unbiased rows, split into valid and test; or all test where `valid` is given
  LogArrays valid = {};  // rows for validation
  FeatureArrays users = {};
  FeatureArrays items = {};
};

}  // namespace equipoise
