// The first screen: verdicts by hand-made results, the data card, warnings once, and what old stores do not hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "report/card.h"
#include "report/made_report.h"
#include "report/report_answers.h"
#include "report/report_first.h"
#include "report/report_verdict.h"
#include "report/well_formed.h"

namespace equipoise {
namespace {

using test::count_of;
using test::has;
using test::made_comparison;
using test::xml_problem;

struct Line {
  const char* arm;
  double mean;
  double difference = std::nan("");  // to base; NaN = none
  bool significant = false;
};

Versus versus(const char* other, double difference, bool significant) {
  return {other, difference, 0.005, difference - 0.0098, difference + 0.0098, 0.01, 0.02, 0.1, significant};
}

// One source, the arms of `lines`; against popularity by `over_popularity`, which holds for the best trained arm.
Report small_report(const std::vector<Line>& lines, std::vector<PairTest> pairs = {}, const char* metric = "auc") {
  Report report;
  report.plan.metric = metric;
  report.plan.command = "equipoise compare data/coat --out 'my runs' --seeds 5";
  DataSource source;
  source.name = "coat";
  source.folder = "data/coat";
  report.plan.sources = {source};
  ReportTable table{"coat", "test-items", {}, std::move(pairs)};
  for (const Line& line : lines) {
    const std::string name = line.arm, method = name.substr(0, name.find(' '));
    const bool baseline = method == "popularity";
    report.plan.arms.push_back({name, method, baseline ? "" : "gmf", {}, "", kNoX});
    Cell cell;
    cell.source = "coat", cell.arm = name, cell.metric = metric, cell.mean = line.mean, cell.runs = 5;
    if (!std::isnan(line.difference)) {
      cell.base = versus("base gmf", line.difference, line.significant);
    }
    table.cells.push_back(cell);
  }
  report.tables = {table};
  return report;
}

ResultVerdict verdict(const Report& report) { return verdict_of(report.plan, report.tables[0]); }

PairTest pair(const char* arm, const char* other, double difference, bool significant) {
  return {"coat", arm, versus(other, difference, significant)};
}

TEST(Verdict, AGainWithItsInterval) {
  const Report report = small_report({{"popularity", 0.60}, {"base gmf", 0.70}, {"cbr gmf", 0.736, 0.036, true}},
                                     {pair("cbr gmf", "popularity", 0.136, true)});
  const ResultVerdict v = verdict(report);
  EXPECT_EQ(v.tone, Tone::gain);
  EXPECT_EQ(v.sentence,
            "cbr gmf is better than base gmf (no correction): auc 0.7360, by 0.0360 [0.0262, 0.0458]. The best "
            "baseline, popularity, is "
            "behind by 0.1360 [0.1262, 0.1458].");
  EXPECT_EQ(v.recommended->arm, "cbr gmf");
}

TEST(Verdict, WhatMayBeChanceIsNoGain) {
  const ResultVerdict v = verdict(small_report({{"base gmf", 0.70}, {"cbr gmf", 0.706, 0.006, false}}));
  EXPECT_EQ(v.tone, Tone::unclear);
  EXPECT_EQ(v.badge, "No clear gain");
  EXPECT_TRUE(has(v.sentence, "by 0.0060 [−0.0038, 0.0158]; that may be chance."));
  EXPECT_EQ(v.recommended->arm, "base gmf");
  EXPECT_TRUE(v.more_runs);
}

TEST(Verdict, LossesAreLosses) {
  const Report report =
      small_report({{"base gmf", 0.70}, {"ips gmf", 0.66, -0.04, true}, {"cbr gmf", 0.65, -0.05, true}});
  const ResultVerdict v = verdict(report);
  EXPECT_EQ(v.tone, Tone::loss);
  EXPECT_EQ(v.badge, "Worse than base");
  EXPECT_EQ(v.sentence, "No method is better than base gmf (no correction), auc 0.7000: 2 of 2 are worse.");
  const auto d = to_base(report.plan, report.tables[0], report.tables[0].cells[1]);
  EXPECT_EQ(d->tone, Tone::loss);
  EXPECT_EQ(size_text(*d), "0.0400 [0.0302, 0.0498]");
}

TEST(Verdict, ABaselineThatBeatsAllIsSaidAndRecommended) {
  const Report report =
      small_report({{"popularity", 0.80}, {"base gmf", 0.70}, {"cbr gmf", 0.736, 0.036, true}},
                   {pair("cbr gmf", "popularity", -0.064, true), pair("base gmf", "popularity", -0.1, true)});
  const ResultVerdict v = verdict(report);
  EXPECT_EQ(v.badge, "A baseline is ahead");
  EXPECT_TRUE(
      has(v.sentence,
          "The baseline popularity is best: auc 0.8000, better by 0.0640 [0.0542, 0.0738] than the best trained "
          "arm, cbr gmf. cbr gmf is better than base gmf (no correction): auc 0.7360, by 0.0360 [0.0262, 0.0458]."));
  EXPECT_TRUE(v.surely_ahead);
  EXPECT_EQ(v.recommended->arm, "popularity");
  // In the figure of differences the baseline is compared with the base of the best arm, the other way round.
  const auto d = to_base(report.plan, report.tables[0], report.tables[0].cells[0]);
  ASSERT_TRUE(d);
  EXPECT_DOUBLE_EQ(d->value, 0.1);
  EXPECT_EQ(d->tone, Tone::gain);
}

// A baseline that is ahead is said even where that may be chance; what is recommended stays.
TEST(Verdict, ABaselineThatMayBeAhead) {
  const ResultVerdict v =
      verdict(small_report({{"popularity", 0.74}, {"base gmf", 0.70}, {"cbr gmf", 0.736, 0.036, true}},
                           {pair("cbr gmf", "popularity", -0.004, false)}));
  EXPECT_TRUE(has(v.sentence,
                  "The baseline popularity (auc 0.7400) is ahead by 0.0040 [−0.0058, 0.0138]; that may be chance."));
  EXPECT_EQ(v.ahead->arm, "popularity");
  EXPECT_FALSE(v.surely_ahead);
  EXPECT_EQ(v.recommended->arm, "cbr gmf");
}

TEST(Verdict, OfManyDataSets) {
  const Report gain = small_report({{"popularity", 0.74}, {"base gmf", 0.70}, {"cbr gmf", 0.736, 0.036, true}},
                                   {pair("cbr gmf", "popularity", -0.004, false)});
  const Report maybe = small_report({{"popularity", 0.60}, {"base gmf", 0.70}, {"ips gmf", 0.71, 0.01, false}});
  const Report none = small_report({{"popularity", 0.60}, {"base gmf", 0.70}, {"cbr gmf", 0.69, -0.01, true}});
  const ResultVerdict v = verdict_of_all(gain.plan, {verdict(gain), verdict(maybe), verdict(none)});
  EXPECT_EQ(v.badge, "Better than base on 1 of 3");
  EXPECT_EQ(v.tone, Tone::unclear) << "one loss among them is no gain";
  EXPECT_EQ(
      v.sentence,
      "Of the trained arms the best in auc is base gmf (1 of 3) or cbr gmf (1 of 3) or ips gmf (1 of 3). On 1 of 3 it "
      "is better than base, by 0.0360. On 1 of 3 it is ahead of base by 0.0100, which may be chance. On 1 of 3 no "
      "method is ahead of base. But a baseline is ahead of every trained arm: popularity (1 of 3); that may be "
      "chance.");
  EXPECT_TRUE(v.more_runs);
  EXPECT_EQ(verdict_of_all(gain.plan, {verdict(gain)}).tone, Tone::gain);
}

// Of log_loss lower is better: a difference below 0 is the gain.
TEST(Verdict, LowerMayBeBetter) {
  const Report report =
      small_report({{"base gmf", 0.50}, {"cbr gmf", 0.45, -0.05, true}, {"ips gmf", 0.6, 0.1, true}}, {}, "log_loss");
  const ResultVerdict v = verdict(report);
  EXPECT_EQ(v.best->arm, "cbr gmf");
  EXPECT_EQ(v.tone, Tone::gain);
  EXPECT_EQ(to_base(report.plan, report.tables[0], report.tables[0].cells[2])->tone, Tone::loss);
}

TEST(Verdict, NothingMeasured) {
  EXPECT_EQ(verdict(small_report({{"base gmf", std::nan("")}})).sentence, "Nothing was measured yet.");
}

TEST(FirstScreen, SaysWhetherToBelieveItAndWhatIsNext) {
  Report report = small_report({{"base gmf", 0.70}, {"cbr gmf", 0.736, 0.036, true}});
  report.plan.seeds = 0;  // nothing is missing
  std::string html = first_screen(report);
  EXPECT_EQ(xml_problem("<x>" + html + "</x>"), "");
  EXPECT_TRUE(has(html, "class=\"verdict gain\""));
  EXPECT_TRUE(has(html, "equipoise train --from &#39;my runs&#39; --arm &#39;cbr gmf&#39; --out best.model"));
  EXPECT_TRUE(has(html, "not recorded by the version that ran this"));
  const Report made = made_comparison();
  const std::string whole = first_screen(made);
  EXPECT_TRUE(has(belief(made, {&made.tables[0]}), "Yes: measured on items shown at random"));
  EXPECT_TRUE(has(whole, "290 users, 300 items; rows: 6,960 train (27.0% positive), 1,536 valid, 3,064 test"));
  EXPECT_TRUE(has(whole, "rating at least 4"));
  EXPECT_TRUE(has(whole, "shown at random: what holds there holds for all pairs"));
  EXPECT_EQ(count_of(whole, "<article"), 2u);
}

TEST(FirstScreen, FindingsAboutTheTestPartSpeakAgainstIt) {
  Report report = made_comparison();
  report.plan.findings = {"coat [test-not-uniform]: 3 of 300 items occur there",
                          "pcic [fixed-metric]: recall says nothing"};
  EXPECT_TRUE(has(belief(report, {&report.tables[0]}),
                  "With care: the test part holds some items far more often than others;"));
  const auto pcic =
      std::find_if(report.tables.begin(), report.tables.end(), [](const auto& t) { return t.source == "pcic"; });
  EXPECT_FALSE(has(belief(report, {&*pcic}), "the test part"));
}

TEST(FirstScreen, WarningsOnceAndGrouped) {
  Report report = made_comparison();
  report.plan.findings = {"coat [short-lists]: lists are short", "pcic [short-lists]: lists are short",
                          "pcic [leak]: 3 pairs <leak>"};
  const std::string html = report_html(report);
  EXPECT_EQ(count_of(html, "lists are short"), 1u);
  EXPECT_TRUE(has(html, "coat, pcic: lists are short"));
  EXPECT_TRUE(has(html, "short-lists (2 findings)"));
  EXPECT_EQ(warned_rules(report.plan, "coat"), 1u);
  EXPECT_EQ(warned_rules(report.plan, "pcic"), 2u);
  EXPECT_EQ(xml_problem(html), "");
}

TEST(OldStores, SayNotRecorded) {
  Report report = made_comparison();
  for (auto& [key, arm] : report.arms) {
    for (StoredTrial& run : arm.runs) {
      run.training = Json::object();
      for (StoredEvaluation& evaluation : run.evaluations) {
        evaluation.summary = Json::object({{"metrics", evaluation.summary.at("metrics")}});
      }
    }
  }
  const std::string html = report_html(report);
  EXPECT_EQ(count_of(html, "not recorded by the version that ran this"), 2u);
  EXPECT_EQ(count_of(html, "Not recorded"), 3u);  // learning curves, calibration, lists
  EXPECT_EQ(xml_problem(html), "");
}

TEST(Examples, ShowNamesAndWhatTestSays) {
  const std::string html = report_html(made_comparison());
  EXPECT_TRUE(has(html, "In the log: 24 rows, liked Parka; Blazer &amp; tie and 7 more."));
  EXPECT_TRUE(has(html, "Coat &lt;em&gt;No.&lt;/em&gt;"));
  EXPECT_TRUE(has(html, "✓ liked in test"));
  EXPECT_TRUE(has(html, "✗ not liked in test"));
}

}  // namespace
}  // namespace equipoise
