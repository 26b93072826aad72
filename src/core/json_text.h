// JSON written piece by piece to the end of a text, where building a value first would cost more than the work.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace equipoise {

/// In quotes; bytes that are not UTF-8 become U+FFFD, as in Json::dump.
void append_json(std::string& out, std::string_view text);
/// The shortest text that reads back as the same number; null where it is not finite.
void append_json(std::string& out, double value);
void append_json(std::string& out, float value);
void append_json(std::string& out, std::int64_t value);

}  // namespace equipoise
