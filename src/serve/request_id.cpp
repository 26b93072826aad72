// Ids of requests, made and taken apart.
#include "serve/request_id.h"

#include <fmt/format.h>
#include <sys/random.h>

#include "core/digits.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/text.h"

namespace equipoise {

namespace {

constexpr std::size_t kIdDigits = 24;

}  // namespace

RequestIds::RequestIds() : state_{} {
  if (getrandom(state_.data(), 2 * sizeof state_[0], 0) != 2 * sizeof state_[0]) {
    throw Error("the system gives no random bytes for ids of requests");
  }
}

std::string RequestIds::next() {
  ++state_[2];
  const auto [low, high] = hash128(state_.data(), sizeof state_);
  return hex(low) + hex(high).substr(0, kIdDigits - 16);
}

std::string client_id(const std::string& id, const LogPosition* position) {
  return position == nullptr ? id : fmt::format("{}-{}-{}", id, position->file, position->offset);
}

std::optional<ParsedId> parse_client_id(std::string_view text) {
  const std::vector<std::string> parts = split(text, '-');
  if (parts.size() != 3 || parts[0].size() != kIdDigits) return std::nullopt;
  const std::uint64_t file = read_digits(parts[1]), offset = read_digits(parts[2]);
  if (file == kNoNumber || offset == kNoNumber) return std::nullopt;
  return ParsedId{parts[0], {file, offset}};
}

}  // namespace equipoise
