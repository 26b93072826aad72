// The target of a request: its path in parts and its query, with percent signs decoded.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace equipoise {

struct Target {
  std::vector<std::string> path;                           // "/v1/a%2Fb" is {"v1", "a/b"}; "/" is {}
  std::vector<std::pair<std::string, std::string>> query;  // in its order
};

/// Refusal (400) if it is not a path with perhaps a query, or what is decoded is not UTF-8, or holds a NUL. A name that
/// occurs twice in the query is refused too.
Target parse_target(std::string_view text);

/// As a part of a path.
std::string percent_encoded(std::string_view text);

}  // namespace equipoise
