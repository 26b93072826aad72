// Ids of requests: a number that no other request has, and where its list is in the log.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "serve/log.h"

namespace equipoise {

/// Makes ids of 24 hexadecimal digits that nobody can guess.
class RequestIds {
 public:
  RequestIds();
  std::string next();

 private:
  std::array<std::uint64_t, 3> state_;  // a secret, and a count
};

/// As clients get it: "ID-FILE-OFFSET", or the id alone where nothing is logged.
std::string client_id(const std::string& id, const LogPosition* position);

struct ParsedId {
  std::string id;
  LogPosition position;
};
/// Nothing if it is none of ours.
std::optional<ParsedId> parse_client_id(std::string_view text);

}  // namespace equipoise
