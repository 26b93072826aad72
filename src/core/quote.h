// A text of the user's, quoted for a message: one line whatever it holds, and never long.
#pragma once

#include <string>
#include <string_view>

namespace equipoise {

/// In double quotes, with \n, \t, \x00 … for control characters, and "…" where it was cut.
std::string in_quotes(std::string_view text);

}  // namespace equipoise
