// A list as an answer and as a line of the log.
#pragma once

#include <string>

#include "serve/list_maker.h"

namespace equipoise {

/// One object, as the table of routes declares it.
std::string list_text(const ListJob& job, const std::string& request_id);
void fill_line(ServedList& line, const ListJob& job, const std::string& policy);

}  // namespace equipoise
