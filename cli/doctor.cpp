// equipoise doctor: how biased a log is, and whether debiasing can help.
#include <fmt/format.h>

#include <cmath>

#include "app/outputs.h"
#include "cli.h"
#include "core/file.h"
#include "core/text.h"
#include "data/dataset_cache.h"
#include "doctor/diagnosis.h"
#include "report/doctor_page.h"
#include "summary.h"

namespace equipoise::cli {

namespace {

using Table = std::vector<std::vector<std::string>>;

std::string percent(double share) { return fmt::format("{:.1f}%", 100 * share); }

void print_size(const Diagnosis& d) {
  print_line(fmt::format("{}: {} users, {} items; {} train, {} valid, {} test rows; density {}", d.name,
                         thousands(d.users), thousands(d.items), thousands(d.train), thousands(d.valid),
                         thousands(d.test), percent(d.density)));
}

void print_concentration(const Concentration& c) {
  print_line("\nExposure by item");
  print_line(fmt::format("Gini {}; the most shown 1% of items have {} of the rows, 10% have {}; {} never shown",
                         number(c.gini, 3), percent(c.top_1_percent), percent(c.top_10_percent),
                         thousands(static_cast<std::int64_t>(c.never_shown))));
  Table rows = {{"items", "rows", ""}};
  for (std::size_t k = 0; k < c.tenths.size(); ++k) {
    std::string bar;
    for (double mark = 0.01; mark <= c.tenths[k] + 1e-9; mark += 0.02) bar += "█";
    rows.push_back({fmt::format("{}–{}%", 10 * k, 10 * (k + 1)), percent(c.tenths[k]), bar});
  }
  print_table(rows);
}

void print_tests(const Diagnosis& d) {
  print_line("\nWas it shown at random? (tests)");
  Table rows = {{"what departs from chance", "value", "by chance", "p-value"}};
  rows.push_back({"items: chi-square of their counts", number(d.exposure.items.statistic, 1),
                  number(d.exposure.items.degrees, 0), p_text(d.exposure.items.p_value, 4)});
  for (const DependenceTest& t : d.exposure.users.tests) {
    rows.push_back({"users: " + t.sentence, number(t.value, 5),
                    fmt::format("{} ± {}", number(t.shuffled_mean, 5), number(t.shuffled_deviation, 5)),
                    p_text(t.p_value, 4)});
  }
  rows.push_back({"users: all of these together", "", "", p_text(d.exposure.users.p_value, 4)});
  print_table(rows);
  if (!d.exposure.users.features_known)
    print_line("There are no user features: their balance between items is not known.");
}

void print_models(const Diagnosis& d) {
  print_line("\nWhich item is a user shown? (held-out rows against drawn items of the same user)");
  Table rows = {{"exposure model", "AUC ± error", "gain ± error", "over", "p-value"}};
  for (const ExposureGain& g : d.gains) {
    rows.push_back({g.model, fmt::format("{} ± {}", number(g.auc, 4), number(g.standard_error, 4)),
                    fmt::format("{:+.4f} ± {}", g.gain, number(g.gain_error, 4)),
                    g.model == "popularity" ? "chance" : "popularity", p_text(g.p_value, 4)});
  }
  print_table(rows);
}

void print_propensities(const Diagnosis& d) {
  print_line("\nPropensities (clips and the density's multiples as in propensity_clip)");
  Table rows = {
      {"estimator", "nats", "slope", "error", "small p̂", "largest weight", "effective", "at 0.1", "suggested clip"}};
  for (const PropensityQuality& q : d.propensities) {
    if (!q.missing.empty()) {
      rows.push_back({q.name, "–", "–", "–", "–", "–", "–", "–", "–"});
      continue;
    }
    rows.push_back(
        {q.name, q.information ? number(*q.information, 2) : "–", q.calibration ? number(q.calibration->slope, 2) : "–",
         q.calibration ? number(q.calibration->error, 2) : "–", q.small_share ? percent(*q.small_share) : "–",
         number(q.largest_weight, 1), percent(q.effective), percent(q.effective_clipped),
         fmt::format("{} ({})", to_text(q.suggested_clip), percent(q.effective_suggested))});
  }
  print_table(rows);
  for (const PropensityQuality& q : d.propensities) {
    if (!q.missing.empty()) print_line(fmt::format("{}: {}", q.name, q.missing));
  }
}

std::string share_text(const PositiveShare& s) {
  if (s.rows == 0) return "–";
  return fmt::format("{} [{}, {}]", number(s.share, 3), number(s.low, 3), number(s.high, 3));
}

void print_labels(const Diagnosis& d) {
  if (!d.labels) return;
  print_line("\nShare of positive labels [95% interval]");
  Table rows = {{"items", "shown", "unbiased part"}};
  rows.push_back({"all", share_text(d.labels->shown), share_text(d.labels->unbiased)});
  const char* names[] = {"least shown third", "middle third", "most shown third"};
  for (std::size_t k = 0; k < 3; ++k) {
    rows.push_back(
        {names[k], share_text(d.labels->by_popularity[k].shown), share_text(d.labels->by_popularity[k].unbiased)});
  }
  print_table(rows);
}

void print_held_out(const Diagnosis& d) {
  const SharedRows& s = d.shared;
  print_line("\nHeld-out rows");
  print_table({{"pairs in train and valid, train and test, valid and test",
                fmt::format("{}, {}, {}", thousands(s.train_valid), thousands(s.train_test), thousands(s.valid_test))},
               {"leaks removed from train on import", thousands(s.leaks_removed)}});
  if (!d.held_out_items) return;
  const HeldOutItems& h = *d.held_out_items;
  print_table(
      {{"items that occur in valid or test",
        fmt::format("{} of {}", thousands(static_cast<std::int64_t>(h.uniformity.items_present)), thousands(d.items))},
       {"correlation of item counts with train",
        fmt::format("{} of ranks (p {}), {} of counts", number(h.rank_correlation, 2),
                    p_equals(h.rank_correlation_p, 4), number(h.correlation, 2))},
       {"uniform over items?",
        fmt::format("chi-square {} on {}, p {} ({})", number(h.uniformity.statistic, 1),
                    number(h.uniformity.degrees, 0), p_equals(h.uniformity.p_value, 4), h.uniformity.method)}});
}

void print_headroom(const Diagnosis& d) {
  if (!d.headroom) return;
  const Headroom& h = *d.headroom;
  print_line(fmt::format("\nHeadroom (the base model on {} rows; random rows are those of valid, test is not read)",
                         thousands(h.rows)));
  const auto line = [](const std::string& name, const AucGap& gap) -> std::vector<std::string> {
    return {name, fmt::format("{:+.4f} ± {}", gap.value, number(gap.error, 4)),
            fmt::format("[{:+.4f}, {:+.4f}]", gap.low, gap.high), p_text(gap.p_value, 4)};
  };
  print_table({{"difference in AUC", "value ± error", "95%", "p-value"},
               line(fmt::format("random rows ({}) − log ({})", number(h.from_random, 4), number(h.from_log, 4)), h.gap),
               line("control: log − other rows of the log", h.control)});
}

class Doctor final : public Verb {
 public:
  explicit Doctor(CLI::App& root)
      : Verb(root, "doctor", "How biased is a log, and can debiasing help? Tests with p-values, rules of thumb marked.",
             "equipoise doctor data/coat --json\n"
             "  equipoise doctor data/coat --html doctor.html") {
    app().add_option("DIR", folder_, "the folder of a data set")->required();
    app().add_option("--html", html_, "also as a page; needs no network and no other file")->type_name("FILE");
    declare(params_, "Options");
    declare(cache_, "Options");
    declare(output_, "Options");
  }

  void run() override {
    refuse_leftovers("doctor");
    if (!html_.empty()) check_output(html_, kPageOutput, {}, output_.force);
    const Diagnosis d = diagnose(load_dataset(folder_, cache_, pool()), params_, pool());
    if (!html_.empty()) write_file(html_, doctor_html(to_json(d), folder_));
    if (common().json) return print_json(to_json(d));
    print_size(d);
    print_concentration(d.exposure.concentration);
    print_tests(d);
    print_models(d);
    print_propensities(d);
    print_labels(d);
    print_held_out(d);
    print_headroom(d);
    print_line("\nVerdict");
    Table rows;
    for (const VerdictLine& s : d.verdict) rows.push_back({"[" + how_known(s) + "]", s.text});
    print_table(rows);
  }

 private:
  std::string folder_, html_;
  DoctorParams params_;
  CacheParams cache_;
  OutputParams output_;
};

}  // namespace

std::unique_ptr<Verb> make_doctor(CLI::App& app) { return std::make_unique<Doctor>(app); }

}  // namespace equipoise::cli
