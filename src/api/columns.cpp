// Reading the caller's columns, whatever they are made of.
#include <charconv>
#include <cmath>

#include "core/text.h"
#include "equipoise/equipoise.h"

namespace equipoise {

namespace {

// Calls f with the element at that place, as what it is.
template <class F>
auto with_element(detail::Kind kind, const void* data, std::size_t at, F f) {
  switch (kind) {
    case detail::Kind::f32:
      return f(static_cast<const float*>(data)[at]);
    case detail::Kind::f64:
      return f(static_cast<const double*>(data)[at]);
    case detail::Kind::i8:
      return f(static_cast<const std::int8_t*>(data)[at]);
    case detail::Kind::i16:
      return f(static_cast<const std::int16_t*>(data)[at]);
    case detail::Kind::i32:
      return f(static_cast<const std::int32_t*>(data)[at]);
    case detail::Kind::u8:
      return f(static_cast<const std::uint8_t*>(data)[at]);
    case detail::Kind::u16:
      return f(static_cast<const std::uint16_t*>(data)[at]);
    case detail::Kind::u32:
      return f(static_cast<const std::uint32_t*>(data)[at]);
    case detail::Kind::u64:
      return f(static_cast<const std::uint64_t*>(data)[at]);
    case detail::Kind::boolean:
      return f(static_cast<int>(static_cast<const bool*>(data)[at]));
    default:
      return f(static_cast<const std::int64_t*>(data)[at]);
  }
}

}  // namespace

std::string_view Ids::text(std::size_t at, std::span<char, 24> room) const {
  if (kind_ == detail::Kind::string) return static_cast<const std::string*>(data_)[at];
  if (kind_ == detail::Kind::view) return static_cast<const std::string_view*>(data_)[at];
  return with_element(kind_, data_, at, [&](auto number) -> std::string_view {
    const char* end = std::to_chars(room.data(), room.data() + room.size(), number).ptr;
    return {room.data(), static_cast<std::size_t>(end - room.data())};
  });
}

double Numbers::at(std::size_t place) const {
  return with_element(kind_, data_, place, [](auto number) -> double {
    if constexpr (std::is_same_v<decltype(number), float>) {
      return std::isfinite(number) ? *parse_double(to_text(number)) : static_cast<double>(number);
    } else {
      return static_cast<double>(number);
    }
  });
}

std::optional<std::int64_t> Numbers::whole(std::size_t place) const {
  return with_element(kind_, data_, place, [](auto number) -> std::optional<std::int64_t> {
    if constexpr (std::is_floating_point_v<decltype(number)>) {
      const auto value = static_cast<double>(number);
      if (!(std::abs(value) < 0x1.0p63) || value != std::floor(value)) return std::nullopt;
      return static_cast<std::int64_t>(value);
    } else {
      if (!std::in_range<std::int64_t>(number)) return std::nullopt;
      return static_cast<std::int64_t>(number);
    }
  });
}

}  // namespace equipoise
