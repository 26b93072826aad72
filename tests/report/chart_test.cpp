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

// 560 × 300; the plot is 38 pixels above the bottom and 24 below the top, 14 from the right, and on the left there is
// room for "0.0".
TEST(Chart, PointsStandWhereTheyShould) {
  Chart chart = unit_chart();
  chart.series.push_back({.name = "a", .points = {{0.5, 0.25, 0.2, 0.3}, {1, 1}, {0, 0}}});
  const std::string svg = chart_svg(chart, ChartRoom::half);
  const double left = 12 + text_width("0.0"), right = 560 - 14;
  EXPECT_NE(svg.find("viewBox=\"0 0 560 300\""), std::string::npos);
  EXPECT_NE(svg.find("data-at=\"" + pixels((left + right) / 2) + " " + pixels(262 - 238 * 0.25) + "\""),
            std::string::npos);
  EXPECT_NE(svg.find("data-at=\"546 24\""), std::string::npos);
  EXPECT_NE(svg.find("data-at=\"" + pixels(left) + " 262\""), std::string::npos);
  EXPECT_EQ(count_of(svg, "class=\"bar\""), 3u);  // one point has a bar: a line and its two ends
  EXPECT_NE(svg.find("<title>a: x 0.5000, y 0.2500 (0.2000 to 0.3000)</title>"), std::string::npos);
  EXPECT_EQ(xml_problem(svg), "");
}

TEST(Chart, ACurveIsBrokenWhereAValueIsMissing) {
  Chart chart = unit_chart();
  chart.series.push_back({.name = "a", .points = {{0, 0}, {0.2, 0.1}, {0.4, kNan}, {0.6, 0.2}, {1, INFINITY}}});
  const std::string svg = chart_svg(chart, ChartRoom::wide);
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
  const std::string svg = chart_svg(chart, ChartRoom::wide);
  EXPECT_EQ(count_of(svg, "class=\"diagonal\""), 1u);
  EXPECT_EQ(count_of(svg, "curve level"), 1u);
  EXPECT_EQ(xml_problem(chart_svg(Chart{}, ChartRoom::narrow)), "");
  EXPECT_EQ(xml_problem(row_chart_svg(RowChart{}, ChartRoom::wide)), "");
}

TEST(Chart, RowsHaveNamesMarksAndRoom) {
  RowChart chart{.title = "t", .x_label = "auc"};
  chart.rows = {{"base", {{.style = 0, .value = 0.5, .low = 0.4, .high = 0.6}}},
                {"a name that is much too long for the margin", {{.value = 0.7}, {.value = kNan}}}};
  const std::string svg = row_chart_svg(chart, ChartRoom::half);
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
  ParallelChart tried{
      .title = evil, .axes = {{evil, {{0, evil}}}, {evil, {}}}, .lines = {{{0, 1}, {evil, evil}, true, evil}}};
  const Figure second{"rows", rows, {{evil, 0, false}, {evil, 1, true}}};
  for (const std::string& html : {figure_html({"a", chart}), figure_html(second), figure_html({"c", tried}),
                                  figure_svg({"a", chart}), figure_svg(second), figure_svg({"c", tried})}) {
    EXPECT_EQ(xml_problem(html), "");
    EXPECT_EQ(html.find("<script"), std::string::npos);
    EXPECT_EQ(html.find('\x01'), std::string::npos);
    EXPECT_EQ(html.find('\xff'), std::string::npos);
  }
}

// A loss never looks like a gain, in colour or in black and white.
TEST(Chart, TonesDifferInShapeAndClass) {
  std::set<std::string> shapes, classes;
  for (const Tone tone : {Tone::gain, Tone::loss, Tone::unclear}) {
    shapes.insert(tone_marker_svg(tone, 0, 0));
    classes.insert(tone_class(tone));
  }
  EXPECT_EQ(shapes.size(), 3u);
  EXPECT_EQ(classes.size(), 3u);
  RowChart chart{.title = "t", .zero = true};
  chart.rows = {{"a", {{.value = 1, .low = 0.5, .high = 1.5, .tone = Tone::gain}}, "+1", true},
                {"b", {{.value = -1, .low = -2, .high = -0.5, .tone = Tone::loss}}, "−1"}};
  for (const ChartRoom room : {ChartRoom::wide, ChartRoom::narrow, ChartRoom::half}) {
    const std::string svg = row_chart_svg(chart, room);
    EXPECT_EQ(count_of(svg, "class=\"gain point\""), 1u);
    EXPECT_EQ(count_of(svg, "class=\"loss point\""), 1u);
    EXPECT_EQ(count_of(svg, "class=\"star\""), 1u);
    EXPECT_EQ(count_of(svg, ">+1</text>"), 1u);
    EXPECT_EQ(xml_problem(svg), "");
  }
}

// One line is 1 and 10 and 100 apart by powers of ten.
TEST(Chart, PowersOfTenAlongX) {
  Chart chart = unit_chart();
  chart.x_range = {0, 2};
  chart.log_x = true;
  chart.series.push_back({.name = "a", .points = {{1, 0}, {10, 0}, {100, 0}}});
  const std::string svg = chart_svg(chart, ChartRoom::half);
  const double left = 12 + text_width("0.0"), right = 560 - 14;
  EXPECT_NE(svg.find("data-at=\"" + pixels((left + right) / 2) + " 262\""), std::string::npos);
  EXPECT_NE(svg.find(">100</text>"), std::string::npos);
}

TEST(Chart, LinesAcrossParallelAxes) {
  ParallelChart chart{.title = "t",
                      .axes = {{"rate", {{0, "0.001"}, {1, "0.1"}}}, {"valid auc", {}}},
                      .lines = {{{0, 1}, {"0.001", "0.8"}, true, "best"}, {{1, kNan}, {"0.1", ""}, false, "other"}}};
  const std::string svg = parallel_chart_svg(chart, ChartRoom::wide);
  EXPECT_EQ(count_of(svg, "class=\"tried best point\""), 1u);
  EXPECT_EQ(count_of(svg, "class=\"tried point\""), 1u);
  EXPECT_GT(svg.find("tried best"), svg.find("tried point"));  // drawn last, above the others
  EXPECT_NE(svg.find(">0.001</text>"), std::string::npos);
  EXPECT_EQ(figure_csv({"x", chart}), "setting,best,rate,valid auc\n0,yes,0.001,0.8\n1,,0.1,\n");
}

TEST(Figure, StandsAloneAndGivesItsData) {
  Chart chart = unit_chart();
  chart.series.push_back({.name = "a, b", .points = {{0.5, 0.25, 0.2, 0.3}, {1, kNan}}});
  chart.levels = {{"base", 2, 0.5}};
  const Figure figure{"f", chart};
  EXPECT_EQ(figure_csv(figure), "series,x,y,low,high\n\"a, b\",0.5,0.25,0.2,0.3\n\"a, b\",1,,,\nbase,,0.5,,\n");
  const std::string svg = figure_svg(figure);
  EXPECT_EQ(xml_problem(svg), "");
  EXPECT_EQ(svg.find("var("), std::string::npos);  // programs other than browsers know no variables
  EXPECT_EQ(count_of(svg, "xmlns="), 1u);
  EXPECT_EQ(name_part("coat, τ = 0.1: cbr(-g)"), "coat-0-1-cbr-g");
  RowChart rows{.rows = {{"x", {{.style = 1, .value = 2}, {.value = -1, .tone = Tone::loss}}}}};
  EXPECT_EQ(figure_csv({"r", rows, {{"before", 0, false}, {"after", 1, false}}}),
            "row,mark,value,low,high\nx,after,2,,\nx,loss,-1,,\n");
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
