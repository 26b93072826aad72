// Reading the caller's columns, whatever they are made of.
#include "equipoise/columns.h"

#include <charconv>
#include <cmath>

#include "core/text.h"

namespace equipoise {

namespace {

template <class T>
const T& element(const void* data, std::ptrdiff_t offset) {
  return *reinterpret_cast<const T*>(static_cast<const char*>(data) + offset);
}

// Calls f with the element so many bytes behind the first, as what it is.
template <class F>
auto with_element(detail::Kind kind, const void* data, std::ptrdiff_t offset, F f) {
  switch (kind) {
    case detail::Kind::f32:
      return f(element<float>(data, offset));
    case detail::Kind::f64:
      return f(element<double>(data, offset));
    case detail::Kind::i8:
      return f(element<std::int8_t>(data, offset));
    case detail::Kind::i16:
      return f(element<std::int16_t>(data, offset));
    case detail::Kind::i32:
      return f(element<std::int32_t>(data, offset));
    case detail::Kind::u8:
      return f(element<std::uint8_t>(data, offset));
    case detail::Kind::u16:
      return f(element<std::uint16_t>(data, offset));
    case detail::Kind::u32:
      return f(element<std::uint32_t>(data, offset));
    case detail::Kind::u64:
      return f(element<std::uint64_t>(data, offset));
    case detail::Kind::boolean:
      return f(static_cast<int>(element<bool>(data, offset)));
    default:
      return f(element<std::int64_t>(data, offset));
  }
}

}  // namespace

std::string_view Ids::text(std::size_t at, std::span<char, 24> room) const {
  const std::ptrdiff_t offset = stride_ * static_cast<std::ptrdiff_t>(at);
  if (kind_ == detail::Kind::string) return element<std::string>(data_, offset);
  if (kind_ == detail::Kind::view) return element<std::string_view>(data_, offset);
  return with_element(kind_, data_, offset, [&](auto number) -> std::string_view {
    if (dictionary_ != nullptr) return dictionary_->text(static_cast<std::size_t>(number), room);
    const char* end = std::to_chars(room.data(), room.data() + room.size(), number).ptr;
    return {room.data(), static_cast<std::size_t>(end - room.data())};
  });
}

bool Ids::keys(std::size_t first, std::span<std::uint64_t> out) const {
  if (kind_ == detail::Kind::string || kind_ == detail::Kind::view) return false;
  const std::ptrdiff_t offset = stride_ * static_cast<std::ptrdiff_t>(first);
  with_element(kind_, data_, offset, [&](auto number) {
    if constexpr (!std::is_floating_point_v<decltype(number)>) {
      const char* from = static_cast<const char*>(data_) + offset;
      for (std::uint64_t& key : out) {
        key = static_cast<std::uint64_t>(std::int64_t{0} + *reinterpret_cast<const decltype(number)*>(from));
        from += stride_;
      }
    }
  });
  return true;
}

double Numbers::at(std::size_t place) const {
  return with_element(kind_, data_, stride_ * static_cast<std::ptrdiff_t>(place), [](auto number) -> double {
    if constexpr (std::is_same_v<decltype(number), float>) {
      if (std::abs(number) < 0x1.0p24f && number == std::floor(number)) return static_cast<double>(number);
      return std::isfinite(number) ? *parse_double(to_text(number)) : static_cast<double>(number);
    } else {
      return static_cast<double>(number);
    }
  });
}

std::optional<std::int64_t> Numbers::whole(std::size_t place) const {
  return with_element(kind_, data_, stride_ * static_cast<std::ptrdiff_t>(place),
                      [](auto number) -> std::optional<std::int64_t> {
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
