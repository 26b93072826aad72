// The kinds of error: how a place is printed and how a broken assumption of ours ends.
#include "core/error.h"

#include <fmt/format.h>

#include "core/quote.h"

namespace equipoise {

Error::Error(const std::string& what, Exit exit) : std::runtime_error(one_line(what)), exit_(exit) {}

std::string to_string(const Place& place) {
  if (place.line == 0) return place.file;
  if (place.column == 0) return fmt::format("{}:{}", place.file, place.line);
  return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

void assertion_failed(const char* condition, const char* file, int line) {
  throw std::logic_error(fmt::format("internal error: {} does not hold at {}:{}", condition, file, line));
}

}  // namespace equipoise
