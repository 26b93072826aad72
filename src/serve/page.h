// The page that the server shows at /: one text, which the build makes of the parts in src/serve/page.
#pragma once

#include <string_view>

namespace equipoise {

std::string_view page_text();
/// Its Content-Security-Policy: nothing runs but the page's own script, by its hash.
std::string_view page_policy();

}  // namespace equipoise
