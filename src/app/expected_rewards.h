// Rewards as a model expects them that has not seen the user: scores of every policy's model, and a regression on them.
#pragma once

#include <string>
#include <vector>

#include "app/value_lists.h"
#include "policy/policy.h"
#include "recommender/recommender.h"

namespace equipoise {

/// A model whose lists are made by a policy.
struct NamedPolicy {
  std::string name;
  const Recommender* recommender;
  Policy explore = {};
};

/// Scores of models for the users and items of a data set, whatever their own numbers are.
class ModelScores {
 public:
  ModelScores(const std::vector<NamedPolicy>& policies, const Dataset& data, const ValueLists& lists);
  std::size_t models() const { return policies_.size(); }
  /// The user's number of the lists in that model, and of a data set's item in that model; −1 = unknown.
  std::int32_t user(std::size_t model, std::size_t user) const { return user_[model][user]; }
  std::int32_t item(std::size_t model, std::int32_t item) const { return item_[model][static_cast<std::size_t>(item)]; }
  /// Scores of one user's items, which are numbers of `of_model`, by another model.
  void score(std::size_t model, std::size_t of_model, std::size_t user, std::span<const std::int32_t> items,
             std::vector<float>& out) const;
  /// The data set's number of a model's item; −1 = the data set has none such.
  std::int32_t data_item(std::size_t model, std::int32_t item) const {
    return data_item_[model][static_cast<std::size_t>(item)];
  }
  const Recommender& recommender(std::size_t model) const { return *policies_[model].recommender; }

 private:
  const std::vector<NamedPolicy>& policies_;
  std::vector<std::vector<std::int32_t>> user_, item_, data_item_;
  std::vector<std::vector<std::vector<std::int32_t>>> between_;  // (from × to) item numbers of one model in another
};

/// Expects rewards: a ridge regression on the item's mean, every model's score and the position, fitted for each fold
/// of users on the others.
class ExpectedRewards {
 public:
  ExpectedRewards(const ValueLists& lists, const Dataset& data, const ModelScores& scores, bool by_position, int folds,
                  Pool& pool);
  std::size_t fold(std::size_t user) const { return fold_[user]; }
  /// Without the position's part. `scores`: of every model.
  double of_item(std::size_t fold, std::int32_t item, std::span<const float> scores) const;
  /// The mean of an item in the rows of the other folds; of all items where `item` is −1.
  double item_mean(std::size_t fold, std::int32_t item) const;
  double of_position(std::size_t fold, std::int32_t position) const;
  std::span<const double> coefficients(std::size_t fold) const { return coefficients_[fold]; }
  /// (rows) by the model of the row's own fold.
  const std::vector<double>& predicted() const { return predicted_; }

 private:
  std::size_t models_;
  bool by_position_;
  std::vector<std::size_t> fold_;                  // (users)
  std::vector<std::vector<double>> item_mean_;     // (folds × items + 1)
  std::vector<std::vector<double>> coefficients_;  // (folds × features)
  std::vector<double> predicted_;
};

}  // namespace equipoise
