// Reading the caller's columns, whatever they are made of.
#include <charconv>

#include "equipoise/equipoise.h"

namespace equipoise {

std::string_view Ids::text(std::size_t at, std::span<char, 24> room) const {
  const auto digits = [&](auto number) {
    const char* end = std::to_chars(room.data(), room.data() + room.size(), number).ptr;
    return std::string_view(room.data(), static_cast<std::size_t>(end - room.data()));
  };
  switch (kind_) {
    case Kind::string:
      return static_cast<const std::string*>(data_)[at];
    case Kind::view:
      return static_cast<const std::string_view*>(data_)[at];
    case Kind::i32:
      return digits(static_cast<const std::int32_t*>(data_)[at]);
    case Kind::i64:
      return digits(static_cast<const std::int64_t*>(data_)[at]);
  }
  return {};
}

double Numbers::at(std::size_t place) const {
  switch (kind_) {
    case Kind::f32:
      return static_cast<double>(static_cast<const float*>(data_)[place]);
    case Kind::f64:
      return static_cast<const double*>(data_)[place];
    case Kind::i32:
      return static_cast<const std::int32_t*>(data_)[place];
    case Kind::i64:
      return static_cast<double>(static_cast<const std::int64_t*>(data_)[place]);
    case Kind::u8:
      return static_cast<const std::uint8_t*>(data_)[place];
  }
  return 0;
}

std::int64_t Numbers::whole(std::size_t place) const {
  if (kind_ == Kind::i64) return static_cast<const std::int64_t*>(data_)[place];
  return static_cast<std::int64_t>(at(place));
}

}  // namespace equipoise
