// A text of the user's, quoted for a message: one line whatever it holds, and never long.
#pragma once

#include <string>
#include <string_view>

namespace equipoise {

/// The same text with \n, \x1b, \u202e … for all that would break a line, move a cursor or turn the text's direction:
/// control characters, C1 ones too, line separators, bidirectional overrides. Bytes that are no UTF-8 become \xff ….
std::string one_line(std::string_view text);

/// Does so for a text of several lines: line ends and tabs stay.
std::string visible_lines(std::string_view text);

/// JSON as it is printed: what `one_line` would change in its texts is written \u007f, \u202e …, and is read as it was.
std::string visible_json(std::string_view json);

/// Whether the letter, valid UTF-8, is a control character, a line separator or turns the text's direction.
bool is_control(std::string_view letter);

/// In double quotes, with \n, \t, \x00 … for control characters, and "…" where it was cut.
std::string in_quotes(std::string_view text);

}  // namespace equipoise
