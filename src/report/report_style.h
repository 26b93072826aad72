// The page's style sheet and script, which are inside it.
#pragma once

namespace equipoise {

extern const char* const kReportStyle;
extern const char* const kReportScript;

}  // namespace equipoise
