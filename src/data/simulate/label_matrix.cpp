// Reading a matrix of labels, its covariates and its hidden factor.
#include "data/simulate/label_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/text.h"
#include "data/cells.h"

namespace equipoise {

namespace {

/// Where each number is in an ascending list, −1 where it is not.
std::vector<std::int32_t> places(const std::vector<std::int32_t>& numbers, std::int32_t count) {
  std::vector<std::int32_t> out(static_cast<std::size_t>(count), -1);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    out[static_cast<std::size_t>(numbers[k])] = static_cast<std::int32_t>(k);
  }
  return out;
}

/// Takes the mean of every column from it, and divides by the deviation where asked; missing values become the mean.
void centre(std::vector<float>& values, std::size_t width, bool scale) {
  const std::size_t rows = values.size() / width;
  for (std::size_t c = 0; c < width; ++c) {
    double sum = 0, squares = 0, known = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      const double v = values[r * width + c];
      if (std::isfinite(v)) sum += v, squares += v * v, known += 1;
    }
    const double mean = known > 0 ? sum / known : 0;
    const double variance = known > 0 ? std::max(0.0, squares / known - mean * mean) : 0;
    const double factor = !scale ? 1 : variance > 0 ? 1 / std::sqrt(variance) : 0;
    for (std::size_t r = 0; r < rows; ++r) {
      float& v = values[r * width + c];
      v = std::isfinite(v) ? static_cast<float>((v - mean) * factor) : 0;
    }
  }
}

std::vector<float> continuous_rows(const Features& features, const std::vector<std::int32_t>& numbers) {
  std::vector<float> out;
  for (const std::int32_t k : numbers) {
    for (const ContinuousField& field : features.continuous) out.push_back(field.values[static_cast<std::size_t>(k)]);
  }
  return out;
}

/// Every item of the data set: of each categorical field shares that add up to 1 over the item's values.
struct ItemShares {
  explicit ItemShares(const Features& features) {
    for (const CategoricalField& field : features.categorical) {
      for (const std::string& value : field.values) names.push_back(field.name + "_" + value);
    }
    values.assign(static_cast<std::size_t>(features.rows) * names.size(), 0);
    std::size_t first = 0;
    for (const CategoricalField& field : features.categorical) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(features.rows); ++i) {
        const auto count = static_cast<float>(field.offsets[i + 1] - field.offsets[i]);
        for (std::int32_t k = field.offsets[i]; k < field.offsets[i + 1]; ++k) {
          const auto code = static_cast<std::size_t>(field.codes[static_cast<std::size_t>(k)]);
          values[i * names.size() + first + code] += 1 / count;
        }
      }
      first += field.values.size();
    }
  }
  const float* row(std::int32_t item) const { return values.data() + static_cast<std::size_t>(item) * names.size(); }

  std::vector<std::string> names;
  std::vector<float> values;  // (items × names)
};

/// The mean shares of the items in each user's positive rows of train; those of a user without any are unknown.
std::vector<float> profiles(const Dataset& data, const LabelMatrix& matrix, const ItemShares& shares) {
  const std::size_t width = shares.names.size();
  std::vector<double> sums(matrix.users.size() * width, 0.0), rows(matrix.users.size(), 0.0);
  const std::vector<std::int32_t> place = places(matrix.users, data.users.size());
  for (std::size_t r = 0; r < data.train.size(); ++r) {
    const std::int32_t u = place[static_cast<std::size_t>(data.train.user[r])];
    if (u < 0 || data.train.label[r] != 1) continue;
    const float* x = shares.row(data.train.item[r]);
    double* sum = sums.data() + static_cast<std::size_t>(u) * width;
    for (std::size_t c = 0; c < width; ++c) sum[c] += x[c];
    rows[static_cast<std::size_t>(u)] += 1;
  }
  std::vector<float> out(sums.size());
  for (std::size_t k = 0; k < sums.size(); ++k) out[k] = static_cast<float>(sums[k] / rows[k / width]);
  return out;
}

double norm(const std::vector<double>& values) {
  return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
}

}  // namespace

LabelMatrix::LabelMatrix(const Dataset& data)
    : users(sorted_unique(data.test.user)), items(sorted_unique(data.test.item)) {
  const Rows& rows = data.test;
  const auto gaps = [&](const std::string& what) {
    throw DataError(fmt::format(
        "{}: its test part must hold every pair of its users and items once, as a fully observed matrix; {}", data.name,
        what));
  };
  if (rows.empty()) gaps("it has no test part");
  const std::size_t all = users.size() * items.size();
  if (rows.size() != all) {
    gaps(fmt::format("{} users × {} items are {} pairs, and it has {} rows", thousands(std::ssize(users)),
                     thousands(std::ssize(items)), thousands(static_cast<std::int64_t>(all)),
                     thousands(std::ssize(rows.user))));
  }
  labels.assign(all, -1);
  const auto user = places(users, data.users.size()), item = places(items, data.items.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto u = static_cast<std::size_t>(user[static_cast<std::size_t>(rows.user[r])]);
    const auto i = static_cast<std::size_t>(item[static_cast<std::size_t>(rows.item[r])]);
    float& label = labels[u * items.size() + i];
    if (label >= 0) gaps("a pair is there twice");
    label = rows.label[r];
  }
}

Covariates covariates(const Dataset& data, const LabelMatrix& matrix) {
  Covariates out;
  out.width = data.item_features.continuous.size();
  if (out.width > 0 && out.width == data.user_features.continuous.size()) {
    out.users = continuous_rows(data.user_features, matrix.users);
    out.items = continuous_rows(data.item_features, matrix.items);
    centre(out.users, out.width, true), centre(out.items, out.width, true);
    return out;
  }
  const ItemShares shares(data.item_features);
  out.width = data.train.empty() ? 0 : shares.names.size();
  if (out.width == 0) return out;
  out.names = shares.names;
  for (const std::int32_t item : matrix.items) {
    out.items.insert(out.items.end(), shares.row(item), shares.row(item) + out.width);
  }
  out.users = profiles(data, matrix, shares);
  centre(out.users, out.width, false), centre(out.items, out.width, false);
  return out;
}

std::vector<float> match_index(const Dataset& data, const LabelMatrix& matrix, const Covariates& x) {
  if (x.width == 0) {
    throw DataError(fmt::format(
        "{}: strength needs something to match; expected as many continuous features of users as of items, or "
        "categorical features (or tags) of items and a train part outside the matrix",
        data.name));
  }
  std::vector<float> out(matrix.cells());
  double squares = 0;
  for (std::size_t u = 0; u < matrix.users.size(); ++u) {
    for (std::size_t i = 0; i < matrix.items.size(); ++i) {
      const float *a = x.users.data() + u * x.width, *b = x.items.data() + i * x.width;
      const double product = std::inner_product(a, a + x.width, b, 0.0);
      out[u * matrix.items.size() + i] = static_cast<float>(product);
      squares += product * product;
    }
  }
  // Both sides are centred, so that the mean over all cells is 0.
  const double deviation = std::sqrt(squares / static_cast<double>(out.size()));
  if (!(deviation > 0)) {
    throw DataError(fmt::format("{}: the covariates match every user with every item alike", data.name));
  }
  for (float& m : out) m = static_cast<float>(m / deviation);
  return out;
}

std::vector<double> log_popularity(const Dataset& data, const LabelMatrix& matrix) {
  std::vector<double> out(matrix.items.size(), 1.0);
  const std::vector<std::int32_t> place = places(matrix.items, data.items.size());
  for (const std::int32_t item : data.train.item) {
    const std::int32_t i = place[static_cast<std::size_t>(item)];
    if (i >= 0) out[static_cast<std::size_t>(i)] += 1;
  }
  for (double& value : out) value = std::log(value);
  const double mean = std::accumulate(out.begin(), out.end(), 0.0) / static_cast<double>(out.size());
  for (double& value : out) value -= mean;
  return out;
}

// Power iteration on (Y − ȳ)(Y − ȳ)ᵀ from the users' shares of positives, which gives the sign too.
std::vector<double> hidden_factor(const LabelMatrix& matrix) {
  constexpr int kRounds = 50;
  const std::size_t users = matrix.users.size(), items = matrix.items.size();
  std::vector<double> mean(items, 0.0), z(users, 0.0), q(items);
  for (std::size_t u = 0; u < users; ++u) {
    for (std::size_t i = 0; i < items; ++i) mean[i] += matrix.at(u, i) / static_cast<double>(users);
  }
  for (std::size_t u = 0; u < users; ++u) {
    for (std::size_t i = 0; i < items; ++i) z[u] += matrix.at(u, i) - mean[i];
  }
  for (int round = 0; round < kRounds && norm(z) > 0; ++round) {
    std::fill(q.begin(), q.end(), 0.0);
    for (std::size_t u = 0; u < users; ++u) {
      for (std::size_t i = 0; i < items; ++i) q[i] += z[u] * (matrix.at(u, i) - mean[i]);
    }
    const double length = norm(q);
    for (std::size_t u = 0; u < users; ++u) {
      z[u] = 0;
      for (std::size_t i = 0; i < items; ++i) z[u] += q[i] / length * (matrix.at(u, i) - mean[i]);
    }
  }
  const double deviation = norm(z) / std::sqrt(static_cast<double>(users));
  for (double& value : z) value = deviation > 0 ? value / deviation : 0;
  return z;
}

}  // namespace equipoise
