// Sizes, shares of positive labels, and what the provenance says of labels and parts.
#include "data/data_card.h"

#include <algorithm>

namespace equipoise {

namespace {

Json told_as_is(const Dataset& data, const char* key) {
  const Json* value = data.provenance.find(key);
  return value != nullptr ? *value : Json("");
}

Json positive_share(const Rows& rows) {
  if (rows.empty()) return {};
  const auto positives = std::count_if(rows.label.begin(), rows.label.end(), [](float y) { return y > 0.5f; });
  return static_cast<double>(positives) / static_cast<double>(rows.size());
}

}  // namespace

Json data_card(const Dataset& data) {
  const Json* leaks = data.provenance.find("leaks_removed");
  return Json::object({{"users", std::int64_t{data.users.size()}},
                       {"items", std::int64_t{data.items.size()}},
                       {"train", static_cast<std::int64_t>(data.train.size())},
                       {"valid", static_cast<std::int64_t>(data.valid.size())},
                       {"test", static_cast<std::int64_t>(data.test.size())},
                       {"train_positive", positive_share(data.train)},
                       {"test_positive", positive_share(data.test)},
                       {"label_rule", told_as_is(data, "label_rule")},
                       {"split", told_as_is(data, "split")},
                       {"test_part", told_as_is(data, "test_part")},
                       {"source", told_as_is(data, "source")},
                       {"leaks_removed", leaks != nullptr ? *leaks : Json(0)},
                       {"user_features", !data.user_features.empty()},
                       {"item_features", !data.item_features.empty()},
                       {"positives_only", data.positives_only}});
}

}  // namespace equipoise
