// A matrix of labels of which every cell is known, and what is known of its rows and columns from outside it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/dataset.h"

namespace equipoise {

/// Labels of users × items, user by user.
struct LabelMatrix {
  /// DataError if the test part is not every pair of its users and its items, once each.
  explicit LabelMatrix(const Dataset& data);

  std::size_t cells() const { return labels.size(); }
  float at(std::size_t user, std::size_t item) const { return labels[user * items.size() + item]; }

  std::vector<std::int32_t> users, items;  // numbers in the data set, ascending
  std::vector<float> labels;               // (users × items)
};

/// x_u and x_i: (rows × width), row by row, each column with mean 0.
struct Covariates {
  std::size_t width = 0;
  std::vector<float> users, items;
  std::vector<std::string> names;  // of the columns of `users`, where they are profiles; otherwise empty
};

/// Where users and items have the same number of continuous features these are the covariates, each divided by its
/// deviation. Otherwise x_i has a share for each value of the item's categorical fields and tags, and x_u is the mean
/// x_i over the user's positive rows of train: the user's profile. A width of 0 where there is neither.
Covariates covariates(const Dataset& data, const LabelMatrix& matrix);

/// (users × items) x_uᵀx_i, scaled to variance 1. DataError if there are no covariates, or it is the same for all.
std::vector<float> match_index(const Dataset& data, const LabelMatrix& matrix, const Covariates& x);

/// (items) log(1 + rows of train), with mean 0.
std::vector<double> log_popularity(const Dataset& data, const LabelMatrix& matrix);

/// (users) The first left singular vector of the labels without the items' means: how much a user likes what those
/// like who like most. Mean 0, variance 1, and larger for users with more positives.
std::vector<double> hidden_factor(const LabelMatrix& matrix);

}  // namespace equipoise
