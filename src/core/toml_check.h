// Refuses TOML that would not be safe in the library's hands, before it is given to it.
#pragma once

#include <string>
#include <string_view>

namespace equipoise {

/// The most levels of tables and lists, one within the other; less than JSON's, so that what a data set's file tells
/// can be part of a model's header.
inline constexpr int kDeepestToml = 32;

/// DataError where brackets or dotted keys nest too deeply (the library destroys tables one within the other and would
/// use up the stack), or where a letter that is not ASCII occurs outside quotes and comments (TOML has none there, and
/// toml++ 3.3 reaches "unreachable" code at some of them).
void check_toml(std::string_view text, const std::string& name);

}  // namespace equipoise
