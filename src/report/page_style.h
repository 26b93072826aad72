// The style sheet and scripts that are inside every page.
#pragma once

namespace equipoise {

/// Declarations of the colours that all rules use.
extern const char* const kLightColours;
/// The rules in their order: of the page, of what a notebook's cell has too, of the page on other media.
extern const char* const kPageStyle;
extern const char* const kPartStyle;
extern const char* const kMediaStyle;
/// Notes where a reader points at a chart; folded parts on paper.
extern const char* const kChartScript;
/// Tables that can be sorted and filtered; without it they are tables.
extern const char* const kTableScript;

}  // namespace equipoise
