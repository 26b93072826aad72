// The linter's rules about metrics: what no model could change, what few users decide, what one answer for all gets.
#include <algorithm>
#include <cmath>

#include "core/named.h"
#include "doctor/lint_checks.h"
#include "eval/list_metrics.h"

namespace equipoise {

constexpr double kSameValue = 1e-9;  // sums of the same terms may differ in their last digits

bool order_matters(const MetricInfo& metric, const ListShape& list, const Ranker& ranker) {
  const auto* of_list = std::get_if<OfList>(&metric.function);
  if (of_list == nullptr) return true;
  const double best = value_of(*of_list, ranker.best(list.items, list.positives));
  const double worst = value_of(*of_list, ranker.worst(list.items, list.positives));
  return std::abs(best - worst) > kSameValue;  // false where either is NaN
}

namespace {

bool has_both_labels(const ListShape& list) { return list.positives > 0 && list.positives < list.items; }

struct OneAnswer {
  std::size_t pairs = 0, positives = 0;

  double share() const {
    return pairs == 0 ? 0 : static_cast<double>(std::max(positives, pairs - positives)) / static_cast<double>(pairs);
  }
  const char* label() const { return 2 * positives > pairs ? "positive" : "negative"; }
};

/// What a protocol ranks, looked at once for all metrics.
class Lists {
 public:
  Lists(const Dataset& data, const Protocol& protocol, Part part, int k)
      : where_(fmt::format("{} under {}", to_string(part), protocol.name())),
        k_(static_cast<std::size_t>(k)),
        catalogue_(static_cast<std::size_t>(data.items.size())),
        ranker_(k) {
    const Candidates candidates(data, protocol, part, 1);
    for (std::size_t slot = 0; slot < candidates.users(); ++slot) {
      const ListShape shape = candidates.shape(slot);
      if (shape.lists == 0) continue;
      shapes_.push_back(shape);
      longest_ = std::max(longest_, shape.items);
      answer_.pairs += shape.lists * shape.items;
      answer_.positives += shape.lists * shape.positives;
    }
  }

  const std::string& where() const { return where_; }
  const OneAnswer& one_answer() const { return answer_; }
  /// Users who could have a part in the metric: ranking metrics leave those without a positive out.
  std::size_t users(const MetricInfo& metric) const {
    return count([&](const ListShape& s) { return !metric.per_list() || s.positives > 0; });
  }
  /// Users for whom the metric can differ.
  std::size_t users_of(const MetricInfo& metric) const {
    // What is shown is of whole lists, whatever is ranked.
    if (metric.of_shown()) return catalogue_ > k_ ? shapes_.size() : 0;
    return count([&](const ListShape& s) { return order_matters(metric, s, ranker_); });
  }
  std::string why_fixed(const MetricInfo& metric) const {
    if (metric.of_shown()) return fmt::format("there are {} items and k is {}; take a smaller k", catalogue_, k_);
    const bool short_lists_fix_it = !order_matters(metric, {1, 2, 1}, Ranker(2));  // though they have both labels
    if (short_lists_fix_it && longest_ <= k_) {
      return fmt::format("the longest list has {} items and k is {}; take a smaller k or protocol full", longest_, k_);
    }
    if (count(has_both_labels) == 0) return "no list has both labels; take another metric or protocol full";
    if (count([&](const ListShape& s) { return has_both_labels(s) && s.items > k_; }) > 0) {
      return fmt::format(
          "no list has {} negatives, so that the first {} always hold a positive; take a smaller k or "
          "protocol full",
          k_, k_);
    }
    return fmt::format("no list with both labels has more than {} items; take a smaller k or protocol full", k_);
  }

 private:
  template <class Test>
  std::size_t count(Test test) const {
    return static_cast<std::size_t>(std::count_if(shapes_.begin(), shapes_.end(), test));
  }

  std::string where_;
  std::size_t k_;
  std::size_t catalogue_;  // items
  Ranker ranker_;
  std::vector<ListShape> shapes_;  // of users who have lists
  std::size_t longest_ = 0;
  OneAnswer answer_;
};

/// Metrics that one sentence is about.
struct Group {
  std::string text;  // what follows their names
  bool refuses;
  std::vector<std::string> names;
};

void add_to(std::vector<Group>& groups, const std::string& text, bool refuses, const std::string& name) {
  const auto at = std::find_if(groups.begin(), groups.end(),
                               [&](const Group& g) { return g.text == text && g.refuses == refuses; });
  (at == groups.end() ? groups.emplace_back(Group{text, refuses, {}}) : *at).names.push_back(name);
}

void say(const char* rule, const std::vector<Group>& groups, LintReport& report) {
  for (const Group& group : groups) report.add(rule, group.refuses, "{} {}", join(group.names, ", "), group.text);
}

void check_accuracy(const Lists& lists, bool used, LintReport& report) {
  const OneAnswer& answer = lists.one_answer();
  if (answer.share() < kOneLabel) return;
  report.add("accuracy-of-one-label", used,
             "acc says little on {}: calling every pair {} is right for {:.1f}% of {} pairs; take auc or log_loss",
             lists.where(), answer.label(), 100 * answer.share(), thousands(static_cast<std::int64_t>(answer.pairs)));
}

/// `used` metrics may refuse; of the others it is only said, and only of `looked_at` ones.
void check_lists(const Lists& lists, const std::vector<std::string>& looked_at, const std::vector<std::string>& used,
                 LintReport& report) {
  std::vector<Group> fixed, few;
  for (const std::string& name : looked_at) {
    const MetricInfo& metric = find_metric(name);
    const std::size_t all = lists.users(metric), users = lists.users_of(metric);
    const bool small_share = static_cast<double>(users) < kFewUsersShare * static_cast<double>(all);
    const bool few_users = metric.per_list() && (users < kFewUsers || small_share);
    if (users == 0) {
      add_to(fixed, fmt::format("cannot tell models apart on {}: {}", lists.where(), lists.why_fixed(metric)),
             named(used, name), name);
    } else if (few_users) {
      add_to(few,
             fmt::format("can differ for {} of {} users only on {}, by their lists' lengths and labels; take another "
                         "metric, k or protocol, or get more users",
                         users, thousands(static_cast<std::int64_t>(all)), lists.where()),
             users < kFewestLabels && named(used, name), name);
    }
  }
  say("fixed-metric", fixed, report);
  say("few-users", few, report);
  if (named(looked_at, "acc")) check_accuracy(lists, named(used, "acc"), report);
}

}  // namespace

void check_metrics(const Dataset& data, const PlannedComparison& planned, LintReport& report) {
  const std::vector<std::string> all = names_of(metric_table());
  for (const std::string& name : planned.metrics) find_metric(name);
  const std::vector<std::string> choice = {find_metric(planned.choice).name};
  if (!data.valid.empty()) {
    const bool all_items = count_labels(data.valid).positives_only() && data.positives_only;
    const Protocol judged{all_items ? Protocol::Kind::full : Protocol::Kind::test_items, 0};
    check_lists(Lists(data, judged, Part::valid, planned.k), choice, choice, report);
  }
  if (data.test.empty()) return;
  for (const Protocol& protocol : protocols_of(data, planned)) {
    check_lists(Lists(data, protocol, Part::test, planned.k), all, planned.metrics, report);
  }
}

std::optional<LintFinding> lint_accuracy(const Dataset& data, const std::string& protocol, const std::string& model,
                                         double accuracy) {
  const Lists lists(data, parse_protocol(protocol), Part::test, 1);
  const OneAnswer& answer = lists.one_answer();
  if (!(accuracy < answer.share())) return std::nullopt;
  LintReport report;
  report.add(
      "accuracy-below-one-label", false,
      "acc of {} is {:.3f} on {}, and calling every pair {} would give {:.3f}: its probabilities are off; do not "
      "rank models by acc",
      model, accuracy, lists.where(), answer.label(), answer.share());
  return report.take().front();
}

}  // namespace equipoise
