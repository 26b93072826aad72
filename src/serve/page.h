// The page that the server shows at /, one file of src/serve/page that the build puts into the program.
#pragma once

#include <string_view>

namespace equipoise {

std::string_view page_text();

}  // namespace equipoise
