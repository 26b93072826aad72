// A text of the user's, quoted for a message: one line whatever it holds, and never long.
#pragma once

#include <string>
#include <string_view>

namespace equipoise {

/// The same text with \n, \t, \x1b … for control characters, so that it stays on one line and cannot move a cursor.
std::string one_line(std::string_view text);

/// In double quotes, with \n, \t, \x00 … for control characters, and "…" where it was cut.
std::string in_quotes(std::string_view text);

}  // namespace equipoise
