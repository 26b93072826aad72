// The public face of recommenders: lists, similar items, and the vectors that scores are made of.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "api/audience.h"
#include "api/hidden.h"
#include "api/model.h"
#include "app/export.h"
#include "app/item_text.h"
#include "app/recommend.h"
#include "core/listener.h"
#include "core/quote.h"
#include "core/text.h"
#include "recommender/vectors.h"

namespace equipoise {

namespace {

ListRequest request_of(const ListOptions& options) {
  return {options.k,
          options.include_seen,
          options.candidates,
          options.exclude,
          {options.filter.begin(), options.filter.end()}};
}

std::vector<Recommendation> in_words(const Recommender& recommender, std::span<const Recommended> list,
                                     const std::vector<std::string>& columns) {
  const ItemText text(recommender, columns);
  std::vector<Recommendation> out;
  for (const Recommended& one : list) {
    out.push_back({text.id(one.item), static_cast<double>(one.score), text.name(one.item), text.known(one.item), {}});
    const std::vector<std::string> values = text.values(one.item);
    for (std::size_t c = 0; c < values.size(); ++c) out.back().columns[columns[c]] = values[c];
  }
  return out;
}

std::vector<Recommendation> list_of(const Recommender& recommender, const Audience& audience,
                                    const ListRequest& request, const std::vector<std::string>& columns) {
  ListQuery query = query_of(recommender, request);
  query.guests = audience.given();
  return in_words(recommender, recommender.top_k(audience.numbers.front(), query, one_thread()), columns);
}

Factors factors_of(const Recommender& recommender, Side side, Pool& pool) {
  Factors out{{}, 0, vector_width(recommender), vectors_of(recommender) == Vectors::factors};
  each_vector(recommender, side, pool, [&](const Matrix& rows) {
    out.values.insert(out.values.end(), rows.data, rows.data + rows.size());
    out.rows += rows.rows;
  });
  return out;
}

// Of users whose rows or features were not given, either. Nobody is called "": that is somebody new.
void say_who_is_unknown(const Ids& users, const std::vector<std::int32_t>& numbers) {
  const auto first = std::find(numbers.begin(), numbers.end(), -1);
  if (first == numbers.end()) return;
  char room[24];
  const std::string_view id = users.text(static_cast<std::size_t>(first - numbers.begin()), room);
  if (id.empty()) return;
  warn(fmt::format(
      "{} of {} users are unknown to the model, first {}: each gets the list of somebody of whom nothing is known",
      thousands(std::count(first, numbers.end(), -1)), thousands(std::ssize(numbers)), in_quotes(id)));
}

}  // namespace

std::string Model::knows_user(const std::string& user) const {
  return to_string(hidden_->recommender->knows_user(hidden_->recommender->users().find(user)));
}

std::string Model::knows_item(const std::string& item) const {
  return to_string(hidden_->recommender->knows_item(hidden_->recommender->items().find(item)));
}

std::string Model::item_name(const std::string& item) const {
  const std::int32_t number = hidden_->recommender->items().find(item);
  return number < 0 || hidden_->recommender->item_names().empty() ? "" : hidden_->recommender->item_name(number);
}

std::vector<std::string> Model::item_names() const { return hidden_->recommender->item_names(); }

std::vector<std::string> Model::item_column(const std::string& feature) const {
  return guarded([&] {
    const ItemText text(*hidden_->recommender, {feature});
    std::vector<std::string> out;
    for (std::int32_t item = 0; item < hidden_->recommender->items().size(); ++item) {
      out.push_back(text.values(item).front());
    }
    return out;
  });
}

bool Model::item_column_is_number(const std::string& feature) const {
  const auto& fields = hidden_->recommender->catalogue().items.features.continuous;
  return std::any_of(fields.begin(), fields.end(), [&](const ContinuousField& field) { return field.name == feature; });
}

bool Model::scores_are_chances() const { return hidden_->recommender->recipe().method().scores_are_chances(); }

std::vector<Recommendation> Model::recommend(const std::string& user, const ListOptions& options) const {
  return guarded([&] {
    const Audience audience = audience_of(*hidden_->recommender, std::span(&user, 1), options);
    return list_of(*hidden_->recommender, audience, request_of(options), options.columns);
  });
}

std::vector<Recommendation> Model::recommend(const std::string& user, const Parameters& parameters) const {
  return guarded([&] {
    const RecommendParams params = with(RecommendParams{}, parameters, "recommend");
    const Audience audience = audience_of(*hidden_->recommender, std::span(&user, 1), {});
    return list_of(*hidden_->recommender, audience, params.request(), params.column_names());
  });
}

std::vector<Recommendation> Model::similar(const std::string& item, const ListOptions& options) const {
  return guarded([&] {
    const Recommender& recommender = *hidden_->recommender;
    return in_words(recommender, equipoise::similar(recommender, item, request_of(options), one_thread()),
                    options.columns);
  });
}

std::vector<Recommendation> Model::similar(const std::string& item, const Parameters& parameters) const {
  return guarded([&] {
    const Recommender& recommender = *hidden_->recommender;
    const SimilarParams params = with(SimilarParams{}, parameters, "similar");
    return in_words(recommender, equipoise::similar(recommender, item, params.request(), one_thread()),
                    params.column_names());
  });
}

Factors Model::user_factors() const {
  return guarded([&] {
    const WorkersOf workers(hidden_->pool, hidden_->taken);
    return factors_of(*hidden_->recommender, Side::users, workers.pool());
  });
}

Factors Model::item_factors() const {
  return guarded([&] {
    const WorkersOf workers(hidden_->pool, hidden_->taken);
    return factors_of(*hidden_->recommender, Side::items, workers.pool());
  });
}

void Model::save_factors(const std::string& folder) const {
  guarded([&] {
    const WorkersOf workers(hidden_->pool, hidden_->taken);
    export_factors(*hidden_->recommender, folder, false, workers.pool());
  });
}

void Model::recommend(const Ids& users, const ListOptions& options, const ListArrays& out,
                      const Callbacks& callbacks) const {
  guarded(callbacks, [&] {
    ListQuery query = query_of(*hidden_->recommender, request_of(options));
    if (out.items.size() != users.size() * query.k || out.scores.size() != out.items.size()) {
      throw UsageError("items and scores must have users × k places");
    }
    std::fill(out.items.begin(), out.items.end(), -1);
    std::fill(out.scores.begin(), out.scores.end(), std::numeric_limits<float>::quiet_NaN());
    const Audience audience = audience_of(*hidden_->recommender, users, options);
    query.guests = audience.given();
    if (options.history.empty() && options.features.empty() && options.more_rows.user.size() == 0) {
      say_who_is_unknown(users, audience.numbers);
    }
    const WorkersOf workers(hidden_->pool, hidden_->taken);
    Progress progress("recommending", std::ssize(audience.numbers), "users");
    const auto put = [&](std::size_t u, std::span<const Recommended> list) {
      for (std::size_t place = 0; place < list.size(); ++place) {
        out.items[u * query.k + place] = list[place].item;
        out.scores[u * query.k + place] = list[place].score;
      }
      progress.update(static_cast<std::int64_t>(u) + 1);
      if (stop_requested()) throw Interrupted("interrupted while recommending");
    };
    hidden_->recommender->top_k(audience.numbers, query, workers.pool(), put);
  });
}

}  // namespace equipoise
