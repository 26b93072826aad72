// The page's style sheet and script, which are inside it.
#pragma once

namespace equipoise {

/// Declarations of the colours that all rules use.
extern const char* const kLightColours;
/// The rules in their order: of the page, of tables and charts wherever they are, of the page on other media.
extern const char* const kReportStyle;
extern const char* const kPartStyle;
extern const char* const kMediaStyle;
extern const char* const kReportScript;

}  // namespace equipoise
