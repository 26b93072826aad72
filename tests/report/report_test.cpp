// The report: what is in it, that nothing outside is referred to, and that no name can break it.
#include "report/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <set>
#include <sstream>

#include "report/made_report.h"
#include "report/report_figures.h"
#include "report/report_tables.h"
#include "report/report_values.h"
#include "report/well_formed.h"

namespace equipoise {
namespace {

using test::count_of;
using test::has;
using test::made_comparison;
using test::made_study;
using test::xml_problem;

const std::string kEvil = "</td><script>alert(1)</script>\"'&|\\_$\n\x02\xfe";

std::string files_of(const std::vector<Figure>& figures) {
  std::string out;
  for (const Figure& figure : figures) out += figure_svg(figure);
  return out;
}

std::vector<Report> all_reports() {
  return {made_comparison(), made_comparison("a", kEvil), made_study(false), made_study(true), Report{}};
}

TEST(Report, IsWellFormedAndRefersToNothingOutside) {
  for (const Report& report : all_reports()) {
    const std::string html = report_html(report);
    EXPECT_EQ(xml_problem(html), "");
    EXPECT_EQ(html.find("http:"), std::string::npos);
    EXPECT_EQ(html.find("https:"), std::string::npos);
    EXPECT_EQ(html.find("url("), std::string::npos);
    EXPECT_EQ(html.find("@import"), std::string::npos);
    EXPECT_EQ(count_of(html, "<script"), 1u);
    for (const std::string attribute : {" href=\"", " src=\"", " srcset=\"", " action=\"", " data=\"", " poster=\""}) {
      for (std::size_t at = html.find(attribute); at != std::string::npos; at = html.find(attribute, at + 1)) {
        const std::string target = html.substr(at + attribute.size(), 8);
        EXPECT_TRUE(target.starts_with("data:,\"") || target.starts_with('#')) << target;
      }
    }
    EXPECT_EQ(html, report_html(report));
  }
}

TEST(Report, EveryLinkOfItsOwnLeadsSomewhere) {
  const std::string html = report_html(made_comparison());
  const std::string link = "href=\"#";
  int links = 0;
  for (std::size_t at = html.find(link); at != std::string::npos; at = html.find(link, at + 1), ++links) {
    const std::size_t from = at + link.size();
    const std::string name = html.substr(from, html.find('"', from) - from);
    EXPECT_EQ(count_of(html, " id=\"" + name + "\""), 1u) << name;
  }
  EXPECT_EQ(links, 11 + 2 + 1);  // every section but the warnings, both panels, and the command at the end
}

TEST(Report, HoldsWhatIsNeededToRunItAgain) {
  const std::string html = report_html(made_comparison());
  for (const char* piece : {"equipoise compare coat pcic --methods all --out runs", "00c0ffee00c0ffee", ">0.1.0<",
                            "1000, 1001, 1002, 1003, 1004", "learning_rate=0.01, batch_size=256", "confounder=false",
                            "training diverged: the loss of phase &#39;fit&#39; is nan at step 3 &lt;b&gt;"}) {
    EXPECT_TRUE(has(html, piece)) << piece;
  }
}

// The best first; a word only where Holm allows, and never the same for a loss as for a gain.
TEST(Report, BetterAndWorseOnlyWhereHolmAllows) {
  const Report report = made_comparison();
  const PaperTable table = result_table(report, report.tables[0]);
  ASSERT_EQ(table.rows.size(), report.plan.arms.size());
  std::set<std::string> words;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const Cell& cell = *std::find_if(report.tables[0].cells.begin(), report.tables[0].cells.end(),
                                     [&](const Cell& one) { return one.arm == table.rows[r][0]; });
    ASSERT_EQ(table.rows[r].size(), table.columns.size());
    const bool told = cell.base && cell.base->significant;
    const std::string word = !cell.base                  ? ""
                             : !told                     ? "not told apart"
                             : cell.base->difference > 0 ? "better"
                                                         : "worse";
    EXPECT_EQ(table.rows[r][2], word) << cell.arm;
    EXPECT_EQ(table.tones[r] == Tone::gain, word == "better") << cell.arm;
    EXPECT_EQ(table.tones[r] == Tone::loss, word == "worse") << cell.arm;
    EXPECT_EQ(table.rows[r][1].empty(), !cell.base) << cell.arm;
    if (r > 0) {
      EXPECT_LE(table.rows[r][4], table.rows[r - 1][4]);
    }
    words.insert(word);
  }
  EXPECT_EQ(words.size(), 4u);
  EXPECT_EQ(table.rows.back()[0], "popularity");
  EXPECT_EQ(table.rows.back()[4], "0.6000 ± 0.0040");
  EXPECT_EQ(table.rows.back()[5], "0.5850 to 0.6200");
}

TEST(Report, ArmAgainstArmBeginsWithTheClearestDifference) {
  Report report = made_comparison();
  EXPECT_FALSE(has(report_html(report), "Arm against arm"));
  const auto test = [](const char* arm, const char* other, double p, bool significant) {
    return PairTest{"coat", arm, {other, 0.01, 0.005, 0.0002, 0.0198, p, 2 * p, 0.2, significant}};
  };
  report.tables[0].pairs = {test("ips gmf", "base gmf", std::nan(""), false), test("cbr gmf", "base gmf", 0.3, false),
                            test("cbr gmf", "ips gmf", 0.004, true)};
  const PaperTable table = pair_table(report, report.tables[0]);
  EXPECT_EQ(table.rows[0],
            (std::vector<std::string>{"cbr gmf", "ips gmf", "+0.0100 [0.0002, 0.0198]", "better", "0.0080", "+0.20"}));
  EXPECT_EQ(table.rows[1][4], "0.6000");
  EXPECT_EQ(table.rows[2][0], "ips gmf");
  EXPECT_TRUE(has(report_html(report), "Arm against arm"));
}

TEST(Report, FailedRunsAreCountedAndLeftOutOfMeans) {
  const Report report = made_comparison();
  const PaperTable table = settings_table(report, "pcic");
  EXPECT_EQ(table.rows.back()[6], "1");
  EXPECT_EQ(table.rows.front()[6], "0");
  const ReportArm& arm = report.at("pcic", "cbr mlp");
  double sum = 0;
  for (int r = 0; r < 4; ++r) {
    sum += arm.runs[static_cast<std::size_t>(r)].evaluations[0].summary.at("metrics").at("ndcg").at("mean").as_double();
  }
  EXPECT_NEAR(metric_of(arm, "test-items", "ndcg").mean, sum / 4, 1e-12);
}

TEST(Report, SaysWhatIsMissing) {
  Report report = made_comparison();
  EXPECT_FALSE(has(report_html(report), "Not finished"));
  report.arms.at({"coat", "cbr gmf"}).runs.pop_back();
  EXPECT_TRUE(has(report_html(report), "Not finished: 179 of 180 final runs"));
  for (ReportTable& table : report.tables) {
    for (Cell& cell : table.cells)
      cell.mean = cell.standard_error = cell.low = cell.high = std::nan(""), cell.base = {};
  }
  const std::string html = report_html(report);
  EXPECT_TRUE(has(html, "Nothing was measured yet"));
  EXPECT_EQ(xml_problem(html), "");
  EXPECT_FALSE(has(html, ">nan"));
}

TEST(Report, MeansAndErrorsOverSeeds) {
  const Spread spread = spread_of({1, 2, 3, 6});
  EXPECT_DOUBLE_EQ(spread.mean, 3);
  EXPECT_DOUBLE_EQ(spread.error, std::sqrt(14.0 / 3 / 4));
  EXPECT_TRUE(std::isnan(spread_of({1}).error));
  EXPECT_TRUE(std::isnan(spread_of({}).mean));
}

// Two runs with 10 and 30 pairs in one bin: shares 0.5 and 0.9 make (5 + 27) / 40.
TEST(Report, CalibrationBinsArePooledOverRuns) {
  const auto bin = [](double p, double share, int pairs) {
    return Json::object({{"probability", p}, {"positive_share", share}, {"pairs", pairs}});
  };
  ReportArm arm;
  for (const Json& calibration :
       {Json::array({bin(0.01, 0, 4), bin(0.50, 0.5, 10)}), Json::array({bin(0.52, 0.9, 30), bin(1.0, 1, 2)})}) {
    StoredTrial run;
    run.evaluations.push_back({"full", Json::object({{"calibration", calibration}}), {}, {}, {}});
    arm.runs.push_back(run);
  }
  const std::vector<ReliabilityBin> bins = reliability(arm, "full");
  ASSERT_EQ(bins.size(), 3u);
  EXPECT_DOUBLE_EQ(bins[1].positive_share, 0.8);
  EXPECT_DOUBLE_EQ(bins[1].probability, 0.515);
  EXPECT_DOUBLE_EQ(bins[1].pairs, 20);
  EXPECT_DOUBLE_EQ(bins[2].probability, 1);
  EXPECT_TRUE(reliability(arm, "test-items").empty());
}

TEST(Report, ArmsOfOneChartNeverShareAStyle) {
  for (const Report& report : all_reports()) {
    for (const std::string& base : bases_of(report.plan)) {
      std::map<std::size_t, std::set<std::string>> names;
      for (const Arm* arm : arms_on(report.plan, base)) names[style_of(report.plan, *arm)].insert(curve_name(*arm));
      for (const auto& [style, curves] : names) EXPECT_EQ(curves.size(), 1u) << style;
    }
  }
}

// A study along the sources: a curve per arm, a point per source. Along the arms: a curve per series, the others
// levels.
TEST(Report, StudiesAreDrawnAlongTheirAxis) {
  const auto both = [](const Report& report) {
    return files_of(axis_figures(report)) + files_of(axis_figures(report, true));
  };
  const std::string by_source = both(made_study(false));
  EXPECT_EQ(count_of(by_source, "xmlns="), 4u);  // quality and time for two base models
  EXPECT_EQ(count_of(by_source, "data-name=\"cbr gmf\""), 2u);
  EXPECT_EQ(count_of(by_source, "<title>cbr gmf, α "), 12u);
  EXPECT_EQ(count_of(by_source, "curve level"), 0u);
  const std::string by_arm = both(made_study(true));
  EXPECT_EQ(count_of(by_arm, "xmlns="), 2u);  // gmf has no arm on the axis
  EXPECT_EQ(count_of(by_arm, "data-name=\"clipping\""), 2u);
  EXPECT_EQ(count_of(by_arm, "curve level"), 3u + 3u + 1u);  // the best baseline is in the figure of quality alone
  EXPECT_TRUE(axis_figures(made_comparison()).empty());
}

TEST(Report, LearningCurvesOfEveryRunWithTheEpochThatWasKept) {
  const std::string figures = files_of(learning_figures(made_comparison(), "coat"));
  EXPECT_EQ(count_of(figures, "xmlns="), 16u);
  EXPECT_EQ(count_of(figures, "data-name=\"seed 1003\""), 16u);
  EXPECT_EQ(count_of(figures, "best at epoch"), 16u * 5);
  EXPECT_EQ(count_of(files_of(loss_figures(made_comparison(), "coat")), "data-name=\"discriminate\""), 16u);
}

TEST(Report, PopularityHasNoCalibration) {
  const Report report = made_comparison();
  const std::string figures = files_of(calibration_figures(report, report.tables[0]));
  EXPECT_FALSE(has(figures, "data-name=\"popularity\""));
  EXPECT_EQ(count_of(figures, "data-name=\"mean\""), 2u);
  EXPECT_EQ(count_of(figures, "class=\"diagonal\""), 4u);
}

TEST(Report, MarkdownTablesHaveEqualRows) {
  const std::regex cell_border(R"((^|[^\\])\|)");
  std::size_t columns = 0, tables = 0;
  std::istringstream lines(report_markdown(made_comparison("a", kEvil)));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('|')) {
      columns = 0;
      continue;
    }
    const auto borders = static_cast<std::size_t>(
        std::distance(std::sregex_iterator(line.begin(), line.end(), cell_border), std::sregex_iterator()));
    if (columns == 0) columns = borders, ++tables;
    EXPECT_EQ(borders, columns) << line;
  }
  EXPECT_EQ(tables, 4u * 3 + 2 * 2 + 1);
}

TEST(Report, LatexIsBalancedAndEscaped) {
  const std::string latex = report_latex(made_comparison("a", kEvil));
  EXPECT_EQ(count_of(latex, "\\begin{table}"), count_of(latex, "\\end{table}"));
  int depth = 0;
  for (std::size_t at = 0; at < latex.size(); ++at) {
    if (latex[at] == '\\') {
      ++at;  // whatever it is, it is escaped
      continue;
    }
    depth += latex[at] == '{' ? 1 : latex[at] == '}' ? -1 : 0;
    ASSERT_GE(depth, 0);
  }
  EXPECT_EQ(depth, 0);
  EXPECT_FALSE(has(latex, "±"));
  EXPECT_TRUE(has(latex, "0.6000 $\\pm$ 0.0040"));
  EXPECT_TRUE(has(latex, "not told apart"));
}

}  // namespace
}  // namespace equipoise
