// Shared pairs, counted by sorting each part.
#include "doctor/shared_rows.h"

#include <algorithm>
#include <vector>

namespace equipoise {

namespace {

struct Labelled {
  std::uint64_t pair;
  float label;
};

// Each different pair once, ascending, with its first label.
std::vector<Labelled> sorted_pairs(const Rows& rows, std::int64_t& repeats, std::int64_t& conflicts) {
  std::vector<Labelled> out;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    const auto user = static_cast<std::uint64_t>(rows.user[t]);
    out.push_back({user << 32U | static_cast<std::uint32_t>(rows.item[t]), rows.label[t]});
  }
  std::stable_sort(out.begin(), out.end(), [](const Labelled& a, const Labelled& b) { return a.pair < b.pair; });
  for (std::size_t first = 0, next = 0; first < out.size(); first = next) {
    bool other = false;
    for (; next < out.size() && out[next].pair == out[first].pair; ++next) other |= out[next].label != out[first].label;
    conflicts += other;
  }
  const auto last =
      std::unique(out.begin(), out.end(), [](const Labelled& a, const Labelled& b) { return a.pair == b.pair; });
  repeats = out.end() - last;
  out.erase(last, out.end());
  return out;
}

std::int64_t in_both(const std::vector<Labelled>& a, const std::vector<Labelled>& b, std::int64_t& other_label) {
  std::int64_t out = 0;
  for (std::size_t j = 0, k = 0; j < a.size() && k < b.size();) {
    if (a[j].pair == b[k].pair) {
      other_label += a[j].label != b[k].label;
      ++out, ++j, ++k;
    } else if (a[j].pair < b[k].pair) {
      ++j;
    } else {
      ++k;
    }
  }
  return out;
}

}  // namespace

SharedRows shared_rows(const Dataset& data) {
  SharedRows out;
  const auto train = sorted_pairs(data.train, out.train_repeats, out.train_conflicts),
             valid = sorted_pairs(data.valid, out.valid_repeats, out.valid_conflicts),
             test = sorted_pairs(data.test, out.test_repeats, out.test_conflicts);
  out.train_valid = in_both(train, valid, out.other_label);
  out.train_test = in_both(train, test, out.other_label);
  std::int64_t ignored = 0;
  out.valid_test = in_both(valid, test, ignored);
  const Json* removed = data.provenance.find("leaks_removed");
  if (removed != nullptr && removed->is_int()) out.leaks_removed = removed->as_int();
  return out;
}

Json to_json(const SharedRows& finding) {
  return Json::object({{"train_and_valid", finding.train_valid},
                       {"train_and_test", finding.train_test},
                       {"valid_and_test", finding.valid_test},
                       {"train_pairs_with_another_label_there", finding.other_label},
                       {"repeated_in_train", finding.train_repeats},
                       {"repeated_in_valid", finding.valid_repeats},
                       {"repeated_in_test", finding.test_repeats},
                       {"train_pairs_with_both_labels", finding.train_conflicts},
                       {"valid_pairs_with_both_labels", finding.valid_conflicts},
                       {"test_pairs_with_both_labels", finding.test_conflicts},
                       {"removed_from_train_on_import", finding.leaks_removed}});
}

}  // namespace equipoise
