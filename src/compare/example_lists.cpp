// Chooses users by the data alone, and names what is shown to them.
#include "compare/example_lists.h"

#include <algorithm>
#include <map>

#include "eval/whole_lists.h"

namespace equipoise {

namespace {

constexpr std::size_t kExamples = 3, kMostLiked = 6;
constexpr int kPlaces = 5;

bool is_positive(const Rows& rows, std::size_t row) { return rows.label[row] > 0.5f; }

// Users with something liked both in train and in test, by their rows of train, most first.
std::vector<std::int32_t> candidates(const Dataset& data) {
  const auto users = static_cast<std::size_t>(data.users.size());
  std::vector<std::int32_t> rows(users), liked(users), wanted(users), out;
  for (std::size_t r = 0; r < data.train.size(); ++r) {
    const auto user = static_cast<std::size_t>(data.train.user[r]);
    ++rows[user];
    liked[user] += is_positive(data.train, r) ? 1 : 0;
  }
  for (std::size_t r = 0; r < data.test.size(); ++r) {
    wanted[static_cast<std::size_t>(data.test.user[r])] += is_positive(data.test, r) ? 1 : 0;
  }
  for (std::size_t u = 0; u < users; ++u) {
    if (liked[u] > 0 && wanted[u] > 0) out.push_back(static_cast<std::int32_t>(u));
  }
  std::stable_sort(out.begin(), out.end(), [&](std::int32_t a, std::int32_t b) {
    return rows[static_cast<std::size_t>(a)] > rows[static_cast<std::size_t>(b)];
  });
  return out;
}

std::vector<std::int32_t> chosen(const std::vector<std::int32_t>& from) {
  std::vector<std::int32_t> out;
  for (std::size_t k = 1; k <= kExamples && !from.empty(); ++k) {
    const std::int32_t user = from[from.size() * k / (kExamples + 1)];
    if (std::find(out.begin(), out.end(), user) == out.end()) out.push_back(user);
  }
  return out;
}

std::string name_of(const Dataset& data, std::int32_t item) {
  return data.item_names.empty() ? "" : data.item_names[static_cast<std::size_t>(item)];
}

Json about(const Dataset& data, std::int32_t user) {
  std::vector<std::int32_t> liked;
  std::int64_t rows = 0;
  for (std::size_t r = 0; r < data.train.size(); ++r) {
    if (data.train.user[r] != user) continue;
    ++rows;
    if (is_positive(data.train, r)) liked.push_back(data.train.item[r]);
  }
  Json names = Json::array();
  for (std::size_t k = liked.size() - std::min(liked.size(), kMostLiked); k < liked.size(); ++k) {
    const std::string name = name_of(data, liked[k]);
    names.push_back(name.empty() ? data.items.name(liked[k]) : name);
  }
  return Json::object({{"user", data.users.name(user)},
                       {"train", rows},
                       {"liked", names},
                       {"liked_in_all", static_cast<std::int64_t>(liked.size())}});
}

Json list_of(const Dataset& data, std::int32_t user, std::span<const std::int32_t> items) {
  std::map<std::int32_t, int> labels;
  for (std::size_t r = 0; r < data.test.size(); ++r) {
    if (data.test.user[r] == user) labels[data.test.item[r]] = is_positive(data.test, r) ? 1 : 0;
  }
  Json out = Json::array();
  for (const std::int32_t item : items) {
    const auto label = labels.find(item);
    out.push_back(Json::object({{"item", data.items.name(item)},
                                {"name", name_of(data, item)},
                                {"label", label == labels.end() ? Json() : Json(label->second)}}));
  }
  return out;
}

}  // namespace

Json example_lists(const Scorer& scorer, const Dataset& data) {
  const std::vector<std::int32_t> users = chosen(candidates(data));
  Json out = Json::array();
  for_whole_lists(scorer, data, ItemFacts(data), users, kPlaces,
                  [&](std::size_t place, std::span<const std::int32_t> items) {
                    Json one = about(data, users[place]);
                    one["list"] = list_of(data, users[place], items);
                    out.push_back(std::move(one));
                  });
  return out;
}

}  // namespace equipoise
