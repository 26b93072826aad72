// Balancing weights of rows: sides from φ and the items, Newton's answer as two tables.
#include "balance/row_weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "propensity/moment_side.h"
#include "propensity/weights.h"

namespace equipoise {

namespace {

std::size_t table_width(const BalanceParams& params) { return static_cast<std::size_t>(params.weights.width) + 1; }

// auto: item features where there are any
std::string kind_of_moments(const BalanceParams& params, const BalanceContext& context) {
  const bool features = context.item_features != nullptr && !context.item_features->empty();
  std::string kind = params.groups_or(features ? "features" : "vectors");
  if (kind == "items") {
    throw UsageError(
        "item_groups = items would be more moments than weights can meet: choose features, vectors, clusters or "
        "popularity");
  }
  if (kind == "features" && !features) throw no_item_features();
  return kind;
}

}  // namespace

RowWeights::RowWeights(const BalanceParams& params, const BalanceContext& context, Project project, Network& network)
    : params_(params),
      context_(context),
      project_(std::move(project)),
      kind_(kind_of_moments(params, context)),
      user_(network.add("user.weights", TrainedArray::Kind::table, context.users, table_width(params))),
      item_(network.add("item.weights", TrainedArray::Kind::table, context.items, table_width(params))) {
  if (kind_ == "clusters" || kind_ == "popularity") {
    groups_ = std::make_unique<ItemGroups>(kind_, params, context, network);
  }
}

void RowWeights::read(const Dataset& data) {
  data_ = &data;
  const Rows& log = data.train;
  by_user_ = RowsByUser(log, context_.users);
  users_ = entities_with_rows(log.user, context_.users);
  items_ = entities_with_rows(log.item, context_.items);
  r_.resize(log.size());
  for (std::size_t t = 0; t < log.size(); ++t) {
    const double own = log.weight.empty() ? 1.0 : static_cast<double>(log.weight[t]);
    r_[t] = own * (context_.item_weight ? static_cast<double>(context_.item_weight(log.item[t])) : 1.0);
  }
  if (groups_) groups_->read(data);
  if (kind_ == "features") features_ = feature_columns(data.item_features, context_.seed, items_);
}

// a_u: the mean of φ over the user's rows, in its main directions
MomentSide RowWeights::user_side(Pool& pool) const {
  Floats mean;
  std::size_t width = 0;
  std::vector<double> sum;
  over_users(by_user_, pool, project_, [&](std::size_t user, const Matrix& phi, std::span<const std::int32_t>) {
    width = phi.cols;
    mean.resize(context_.users * width, 0.0f);
    sum.assign(width, 0.0);
    for (std::size_t t = 0; t < phi.rows; ++t) {
      for (std::size_t k = 0; k < width; ++k) sum[k] += phi.row(t)[k];
    }
    for (std::size_t k = 0; k < width; ++k) {
      mean[user * width + k] = static_cast<float>(sum[k] / static_cast<double>(phi.rows));
    }
  });
  return moment_side({mean.data(), context_.users, width}, users_, static_cast<std::size_t>(params_.weights.width),
                     pool);
}

MomentSide RowWeights::item_side(Pool& pool) {
  const auto most = static_cast<std::size_t>(params_.weights.width);
  Columns columns;
  if (kind_ == "features") {
    columns = features_;
  } else if (groups_) {
    groups_->refresh(pool);
    groups_->settle();
    columns = group_columns(groups_->now());
  } else {
    std::vector<std::int32_t> every(context_.items);
    std::iota(every.begin(), every.end(), 0);
    columns.values = vectors_of(context_.item_vectors, every, pool);
    columns.width = columns.values.size() / every.size();
  }
  return moment_side({columns.values.data(), context_.items, columns.width}, items_, most, pool);
}

BalancingWeights RowWeights::solve(const MomentSide& users, const MomentSide& items, Pool& pool) const {
  const WeightedRows rows{data_->train.user, data_->train.item, r_};
  return EntropyBalance(rows, users, items, pool).balance(params_.weights.floor);
}

void RowWeights::refresh(Pool& pool) {
  const MomentSide users = user_side(pool), items = item_side(pool);
  const BalancingWeights found = solve(users, items, pool);
  std::fill(user_.values().begin(), user_.values().end(), 0.0f);
  std::fill(item_.values().begin(), item_.values().end(), 0.0f);
  for (const std::int32_t i : items_) {  // y_i
    std::transform(items.row(i), items.row(i) + items.width, item_.value().row(static_cast<std::size_t>(i)),
                   [](double y) { return static_cast<float>(y); });
  }
  for (const std::int32_t u : users_) {  // v_u = Λᵀ x_u
    float* v = user_.value().row(static_cast<std::size_t>(u));
    for (std::size_t k = 0; k < items.width; ++k) {
      double sum = 0;
      for (std::size_t j = 0; j < users.width; ++j) sum += found.lambda[j * items.width + k] * users.row(u)[j];
      v[k] = static_cast<float>(sum);
    }
  }
}

Var RowWeights::operator()(Tape& tape, const Pairs& shown, Var w) const {
  const Var out = tape.make(shown.size(), 1, false);
  const std::size_t width = user_.cols();
  for (std::size_t k = 0; k < shown.size(); ++k) {
    const float* v = user_.values().data() + static_cast<std::size_t>(shown.user[k]) * width;
    const float* y = item_.values().data() + static_cast<std::size_t>(shown.item[k]) * width;
    out.value().data[k] = w.value().data[k] * std::exp(std::inner_product(v, v + width, y, 0.0f));
  }
  return out;
}

void RowWeights::add_findings(Json& findings, Pool& pool) {
  const MomentSide users = user_side(pool), items = item_side(pool);
  const BalancingWeights now = solve(users, items, pool);
  std::vector<float> w;
  double largest = 0;
  for (std::size_t t = 0; t < r_.size(); ++t) {
    w.push_back(static_cast<float>(r_[t] * now.factor(users.row(data_->train.user[t]), users.width,
                                                      items.row(data_->train.item[t]), items.width)));
    largest = std::max<double>(largest, w.back());
  }
  findings["weights_moments_before"] = now.moments_before;
  findings["weights_moments_after"] = now.moments_after;
  findings["weights_ridge"] = now.rho;
  findings["weight_largest"] = largest;
  findings["effective_sample_share"] = effective_share(w);
}

}  // namespace equipoise
