// Scores of several models for the same pairs, and cross-fitted ridge regressions on them.
#include "app/expected_rewards.h"

#include <algorithm>

#include "eval/ridge.h"

namespace equipoise {

namespace {

constexpr double kShrink = 1;         // of the coefficients
constexpr double kItemRows = 10;      // an item's mean counts as if so many rows more had the mean of all
constexpr std::int32_t kPlaces = 20;  // positions with a part of their own; later ones share the last
constexpr std::size_t kFixed = 2;     // the constant and the item's mean

std::vector<std::int32_t> numbers_in(const IdMap& there, const IdMap& here) {
  std::vector<std::int32_t> out;
  for (const std::string& name : here.names()) out.push_back(there.find(name));
  return out;
}

}  // namespace

ModelScores::ModelScores(const std::vector<NamedPolicy>& policies, const Dataset& data, const ValueLists& lists)
    : policies_(policies), between_(policies.size()) {
  for (const NamedPolicy& policy : policies) {
    const Recommender& model = *policy.recommender;
    user_.emplace_back();
    for (const std::int32_t user : lists.users) user_.back().push_back(model.users().find(data.users.name(user)));
    item_.push_back(numbers_in(model.items(), data.items));
    data_item_.push_back(numbers_in(data.items, model.items()));
  }
  for (std::size_t from = 0; from < policies.size(); ++from) {
    for (std::size_t to = 0; to < policies.size(); ++to) {
      const bool same = policies[from].recommender == policies[to].recommender;
      between_[from].push_back(
          same ? std::vector<std::int32_t>{}
               : numbers_in(policies[to].recommender->items(), policies[from].recommender->items()));
    }
  }
}

void ModelScores::score(std::size_t model, std::size_t of_model, std::size_t user, std::span<const std::int32_t> items,
                        std::vector<float>& out) const {
  const std::vector<std::int32_t>& to = between_[of_model][model];
  std::vector<std::int32_t> own(items.begin(), items.end());
  for (std::int32_t& item : own) item = to.empty() || item < 0 ? item : to[static_cast<std::size_t>(item)];
  out.resize(items.size());
  recommender(model).score(std::vector<std::int32_t>(items.size(), user_[model][user]), own, out, one_thread());
}

ExpectedRewards::ExpectedRewards(const ValueLists& lists, const Dataset& data, const ModelScores& scores,
                                 bool by_position, int folds, Pool& pool)
    : models_(scores.models()), by_position_(by_position), predicted_(lists.rows()) {
  const auto all_folds = static_cast<std::size_t>(folds);
  for (std::size_t u = 0; u < lists.users.size(); ++u) fold_.push_back(u % all_folds);
  std::vector<std::size_t> row_user(lists.rows());
  for (std::size_t l = 0; l < lists.logged.lists(); ++l) {
    std::fill(row_user.begin() + static_cast<std::ptrdiff_t>(lists.logged.begin[l]),
              row_user.begin() + static_cast<std::ptrdiff_t>(lists.logged.begin[l + 1]),
              static_cast<std::size_t>(lists.logged.user[l]));
  }
  std::vector<std::vector<float>> of_row(models_, std::vector<float>(lists.rows()));  // (models × rows)
  for (std::size_t m = 0; m < models_; ++m) {
    std::vector<std::int32_t> users, items;
    for (std::size_t r = 0; r < lists.rows(); ++r) {
      users.push_back(scores.user(m, row_user[r])), items.push_back(scores.item(m, lists.item[r]));
    }
    scores.recommender(m).score(users, items, of_row[m], pool);
  }
  const std::size_t features = kFixed + models_ + (by_position ? kPlaces : 0);
  item_mean_.resize(all_folds), coefficients_.resize(all_folds);
  pool.run(all_folds, [&](std::size_t f) {
    const auto items = static_cast<std::size_t>(data.items.size());
    std::vector<double> sum(items + 1), count(items + 1);
    for (std::size_t r = 0; r < lists.rows(); ++r) {
      if (fold_[row_user[r]] == f) continue;
      for (const std::size_t i : {static_cast<std::size_t>(lists.item[r]), items}) {
        sum[i] += lists.logged.label[r], count[i] += 1;
      }
    }
    const double mean = count[items] > 0 ? sum[items] / count[items] : 0;
    for (std::size_t i = 0; i < items; ++i) {
      item_mean_[f].push_back((sum[i] + kItemRows * mean) / (count[i] + kItemRows));
    }
    item_mean_[f].push_back(mean);
    Ridge ridge(features, kShrink);
    std::vector<double> x(features);
    for (std::size_t r = 0; r < lists.rows(); ++r) {
      if (fold_[row_user[r]] == f) continue;
      std::fill(x.begin(), x.end(), 0);
      x[0] = 1, x[1] = item_mean(f, lists.item[r]);
      for (std::size_t m = 0; m < models_; ++m) x[kFixed + m] = static_cast<double>(of_row[m][r]);
      if (by_position) x[kFixed + models_ + static_cast<std::size_t>(std::min(lists.position[r], kPlaces) - 1)] = 1;
      ridge.add(x, lists.logged.label[r]);
    }
    coefficients_[f] = ridge.fit();
  });
  std::vector<float> own(models_);
  for (std::size_t r = 0; r < lists.rows(); ++r) {
    for (std::size_t m = 0; m < models_; ++m) own[m] = of_row[m][r];
    const std::size_t f = fold_[row_user[r]];
    predicted_[r] = of_item(f, lists.item[r], own) + of_position(f, lists.position[r]);
  }
}

double ExpectedRewards::item_mean(std::size_t fold, std::int32_t item) const {
  return item < 0 ? item_mean_[fold].back() : item_mean_[fold][static_cast<std::size_t>(item)];
}

double ExpectedRewards::of_item(std::size_t fold, std::int32_t item, std::span<const float> scores) const {
  const std::vector<double>& b = coefficients_[fold];
  double sum = b[0] + b[1] * item_mean(fold, item);
  for (std::size_t m = 0; m < models_; ++m) sum += b[kFixed + m] * static_cast<double>(scores[m]);
  return sum;
}

double ExpectedRewards::of_position(std::size_t fold, std::int32_t position) const {
  if (!by_position_) return 0;
  return coefficients_[fold][kFixed + models_ + static_cast<std::size_t>(std::min(position, kPlaces) - 1)];
}

}  // namespace equipoise
