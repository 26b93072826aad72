// Charts: round ticks, places computed by hand, broken curves, styles that differ, names that would break a page.
#include "report/chart.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "report/chart_marks.h"
#include "report/chart_scale.h"
#include "report/figure.h"
#include "report/markup.h"
#include "report/paper_table.h"
#include "report/well_formed.h"

namespace equipoise {
namespace {

using test::count_of;
using test::xml_problem;

const double kNan = std::nan("");

TEST(ChartScale, TicksAreRoundAndCoverTheRange) {
  const ChartScale scale({0.031, 0.187}, {0, 100}, 5);
  EXPECT_EQ(scale.low(), 0);
  EXPECT_NEAR(scale.high(), 0.2, 1e-12);
  ASSERT_EQ(scale.ticks().size(), 5u);
  EXPECT_EQ(scale.text(scale.ticks()[1]), "0.05");
  EXPECT_NEAR(scale(0.05), 25, 1e-9);
  EXPECT_EQ(scale.longest_text().size(), 4u);
}

TEST(ChartScale, ExactRangesKeepTheirEnds) {
  const ChartScale scale({1, 17}, {10, 110}, 4, true, true);
  EXPECT_EQ(scale.low(), 1);
  EXPECT_EQ(scale.high(), 17);
  EXPECT_EQ(scale.ticks(), (std::vector<double>{5, 10, 15}));
  EXPECT_EQ(scale.text(5), "5");
  EXPECT_EQ(ChartScale({1, 2}, {0, 1}, 6, true, true).ticks(), (std::vector<double>{1, 2}));
}

TEST(ChartScale, UpsideDownAndNegative) {
  const ChartScale scale({-3, 1}, {100, 0}, 4);
  EXPECT_EQ(scale(-3), 100);
  EXPECT_EQ(scale(1), 0);
  EXPECT_EQ(scale.text(-3), "−3");
}

TEST(ChartRange, IsNeverEmpty) {
  ChartRange range;
  EXPECT_EQ(range.get(), (std::pair<double, double>{0, 1}));
  range.add(kNan);
  range.add(INFINITY);
  EXPECT_EQ(range.get(), (std::pair<double, double>{0, 1}));
  for (const double only : {0.0, 0.75, -12.0, 1e9}) {
    ChartRange one;
    one.add(only);
    EXPECT_LT(one.get().first, only);
    EXPECT_GT(one.get().second, only);
    const ChartScale scale(one.get(), {0, 100}, 5);
    EXPECT_GE(scale.ticks().size(), 2u);
    EXPECT_LE(scale.ticks().size(), 12u);
  }
}

Chart unit_chart() {
  Chart chart{.title = "t", .x_label = "x", .y_label = "y"};
  chart.x_range = chart.y_range = {0, 1};
  return chart;
}

// 360 × 230; the plot is 34 pixels above the bottom and 22 below the top, 12 from the right, and on the left there is
// room for "0.0".
TEST(Chart, PointsStandWhereTheyShould) {
  Chart chart = unit_chart();
  chart.series.push_back({.name = "a", .points = {{0.5, 0.25, 0.2, 0.3}, {1, 1}, {0, 0}}});
  const std::string svg = chart_svg(chart);
  const double left = 12 + text_width("0.0"), right = 360 - 12;
  EXPECT_NE(svg.find("viewBox=\"0 0 360 230\""), std::string::npos);
  EXPECT_NE(svg.find("data-at=\"" + pixels((left + right) / 2) + " " + pixels(196 - 174 * 0.25) + "\""),
            std::string::npos);
  EXPECT_NE(svg.find("data-at=\"348 22\""), std::string::npos);
  EXPECT_NE(svg.find("data-at=\"" + pixels(left) + " 196\""), std::string::npos);
  EXPECT_EQ(count_of(svg, "class=\"bar\""), 3u);  // one point has a bar: a line and its two ends
  EXPECT_NE(svg.find("<title>a: x 0.5000, y 0.2500 (0.2000 to 0.3000)</title>"), std::string::npos);
  EXPECT_EQ(xml_problem(svg), "");
}

TEST(Chart, ACurveIsBrokenWhereAValueIsMissing) {
  Chart chart = unit_chart();
  chart.series.push_back({.name = "a", .points = {{0, 0}, {0.2, 0.1}, {0.4, kNan}, {0.6, 0.2}, {1, INFINITY}}});
  const std::string svg = chart_svg(chart);
  const std::size_t from = svg.find("class=\"curve\""), end = svg.find("/>", from);
  EXPECT_EQ(count_of(svg.substr(from, end - from), "M"), 2u);
  EXPECT_EQ(count_of(svg, "class=\"mark\""), 3u);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(Chart, LevelsDiagonalAndNothingAtAll) {
  Chart chart = unit_chart();
  chart.diagonal = true;
  chart.levels = {{"base", 2, 0.5}, {"none", 3, kNan}};
  const std::string svg = chart_svg(chart);
  EXPECT_EQ(count_of(svg, "class=\"diagonal\""), 1u);
  EXPECT_EQ(count_of(svg, "curve level"), 1u);
  EXPECT_EQ(xml_problem(chart_svg(Chart{})), "");
  EXPECT_EQ(xml_problem(row_chart_svg(RowChart{})), "");
}

TEST(Chart, RowsHaveNamesMarksAndRoom) {
  RowChart chart{.title = "t", .x_label = "auc"};
  chart.rows = {{"base", {{.style = 0, .value = 0.5, .low = 0.4, .high = 0.6}}},
                {"a name that is much too long for the margin", {{.value = 0.7}, {.value = kNan}}}};
  const std::string svg = row_chart_svg(chart);
  EXPECT_EQ(count_of(svg, "class=\"mark\""), 2u);
  EXPECT_EQ(count_of(svg, "class=\"bar\""), 3u);
  EXPECT_NE(svg.find(">a name that is much too l…</text>"), std::string::npos);
  EXPECT_EQ(xml_problem(svg), "");
}

TEST(Chart, NoTwoOfFiftySixStylesLookAlike) {
  std::set<std::string> looks;
  for (std::size_t style = 0; style < 56; ++style) looks.insert(style_class(style) + marker_svg(style, 0, 0));
  EXPECT_EQ(looks.size(), 56u);
  // Without colours: neighbours still differ.
  for (std::size_t style = 0; style < 6; ++style) EXPECT_NE(marker_svg(style, 0, 0), marker_svg(style + 1, 0, 0));
}

TEST(Chart, NamesCannotBreakOut) {
  const std::string evil = "</svg><script>alert('&\"')</script>\x01\xff";
  Chart chart{.title = evil, .x_label = evil, .y_label = evil};
  chart.series.push_back({.name = evil, .points = {{0, 0, 0, 1, ""}, {1, 1, 0, 1, evil}}});
  chart.levels = {{evil, 1, 0.5}};
  RowChart rows{.title = evil, .x_label = evil, .rows = {{evil, {{.value = 1}}}}};
  for (const std::string& html : {figure_html(chart), figure_html(rows, {{evil, 0, false}, {evil, 1, true}})}) {
    EXPECT_EQ(xml_problem(html), "");
    EXPECT_EQ(html.find("<script"), std::string::npos);
    EXPECT_EQ(html.find('\x01'), std::string::npos);
    EXPECT_EQ(html.find('\xff'), std::string::npos);
  }
}

TEST(Legend, NamesEachOnceAndOnlyWhereThereIsAChoice) {
  Chart chart = unit_chart();
  chart.series = {{.name = "a"}, {.name = "a"}, {.name = "hidden", .in_legend = false}};
  EXPECT_EQ(legend_of(chart).size(), 1u);
  EXPECT_EQ(legend_html(legend_of(chart)), "");
  chart.levels = {{"b", 1, 0.5}};
  EXPECT_EQ(count_of(legend_html(legend_of(chart)), "<li>"), 2u);
}

TEST(Markup, EscapesForEveryFormat) {
  EXPECT_EQ(html_text("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(html_text("a\u202Eb\u0085c\u2028d\u2067"), "a\uFFFDb\uFFFDc\uFFFDd\uFFFD");
  EXPECT_EQ(html_text(std::string("x\x00y\x1b", 4) + "\xc3z\xef\xbf\xbf"), "x\uFFFDy\uFFFD\uFFFDz\uFFFD");
  EXPECT_EQ(markdown_text("a|b_*`[x](y)\n<i>"), "a\\|b\\_\\*\\`\\[x\\](y) &lt;i&gt;");
  EXPECT_EQ(latex_text("100% of $x_1 & {α} ± \\n~^#"),
            "100\\% of \\$x\\_1 \\& \\{$\\alpha$\\} $\\pm$ \\textbackslash{}n\\textasciitilde{}\\textasciicircum{}\\#");
}

TEST(Markup, NumbersForPeople) {
  EXPECT_EQ(number_text(-0.00001), "0.0000");
  EXPECT_EQ(number_text(-0.5, 2), "−0.50");
  EXPECT_EQ(number_text(kNan), "–");
  EXPECT_EQ(signed_text(0.25, 2), "+0.25");
  EXPECT_EQ(signed_text(0.001, 2), "0.00");
  EXPECT_EQ(signed_text(-1, 1), "−1.0");
  EXPECT_EQ(sized_text(12345.6), "12,346");
  EXPECT_EQ(sized_text(0.01234), "0.0123");
  EXPECT_EQ(sized_text(12.345), "12.35");
  EXPECT_EQ(p_value_text(0.00001), "< 0.0001");
  EXPECT_EQ(p_value_text(0.04), "0.0400");
  EXPECT_EQ(mean_text(0.5, kNan, 2), "0.50");
  EXPECT_EQ(mean_text(0.5, 0.1, 2), "0.50 ± 0.10");
}

TEST(PaperTable, OneTableInThreeFormats) {
  const PaperTable table{"a_b", "note", {{"arm", PaperTable::Column::Kind::words}, {"auc"}}, {{"x|y", "0.5 ± 0.1"}}};
  EXPECT_EQ(xml_problem(table_html(table)), "");
  EXPECT_NE(table_html(table).find("<th scope=\"row\">x|y</th><td class=\"number\">0.5 ± 0.1</td>"), std::string::npos);
  EXPECT_EQ(table_markdown(table), "**a\\_b**\n\n| arm | auc |\n|---|---:|\n| x\\|y | 0.5 ± 0.1 |\n\nnote\n");
  EXPECT_NE(table_latex(table).find(
                "\\begin{tabular}{lr}\n\\toprule\narm & auc \\\\\n\\midrule\nx$|$y & 0.5 $\\pm$ 0.1 \\\\\n"),
            std::string::npos);
}

}  // namespace
}  // namespace equipoise
