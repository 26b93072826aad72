// The public face of recommenders: metrics, scores and lists, by any number of threads at once.
#include <algorithm>
#include <limits>

#include "api/hidden.h"
#include "api/model.h"
#include "app/evaluate.h"
#include "app/recommend.h"
#include "app/score.h"

namespace equipoise {

namespace {

std::vector<std::int32_t> numbers_of(const IdMap& ids, const Ids& texts) {
  std::vector<std::int32_t> out;
  out.reserve(texts.size());
  char room[24];
  for (std::size_t k = 0; k < texts.size(); ++k) out.push_back(ids.find(texts.text(k, room)));
  return out;
}

ListQuery query_of(const Recommender& recommender, const ListOptions& options) {
  return query_of(recommender, ListRequest{options.k,
                                           options.include_seen,
                                           options.candidates,
                                           options.exclude,
                                           {options.filter.begin(), options.filter.end()}});
}

std::vector<Recommendation> list_of(const Recommender& recommender, const std::string& user, const ListQuery& query) {
  std::vector<Recommendation> out;
  for (const Recommended& best : recommender.top_k(recommender.users().find(user), query, one_thread())) {
    out.push_back({recommender.items().name(best.item), static_cast<double>(best.score)});
  }
  return out;
}

std::string words_of(Known known) {
  return known == Known::trained ? "trained" : known == Known::features_only ? "features_only" : "nothing";
}

}  // namespace

std::string Model::knows_user(const std::string& user) const {
  return words_of(hidden_->recommender->knows_user(hidden_->recommender->users().find(user)));
}

std::string Model::knows_item(const std::string& item) const {
  return words_of(hidden_->recommender->knows_item(hidden_->recommender->items().find(item)));
}

std::map<std::string, MetricValue> Model::evaluate(const Data& data, const Parameters& parameters,
                                                   const Callbacks& callbacks) const {
  return guarded(callbacks, [&] {
    const WorkersOf workers(hidden_->pool, hidden_->taken);
    const Evaluation found = equipoise::evaluate(*hidden_->recommender, "the model", *Access::data(data),
                                                 with(EvaluateParams{}, parameters, "evaluate"), workers.pool());
    std::map<std::string, MetricValue> out;
    for (const MetricResult& metric : found.metrics) out[metric.name] = {metric.mean, metric.low, metric.high};
    return out;
  });
}

void Model::score(const Ids& users, const Ids& items, std::span<float> out, const Parameters& parameters) const {
  guarded([&] {
    if (users.size() != items.size() || users.size() != out.size()) {
      throw UsageError("users, items and scores are not of the same length");
    }
    const Recommender& recommender = *hidden_->recommender;
    const NumberedPairs pairs{numbers_of(recommender.users(), users), numbers_of(recommender.items(), items)};
    const WorkersOf workers(hidden_->pool, hidden_->taken);
    equipoise::score(recommender, pairs, with(ScoreParams{}, parameters, "score"), out, workers.pool());
  });
}

std::vector<float> Model::score(const Ids& users, const Ids& items, const Parameters& parameters) const {
  std::vector<float> out(users.size());
  score(users, items, out, parameters);
  return out;
}

double Model::score(const std::string& user, const std::string& item) const {
  return static_cast<double>(score(Ids(std::span(&user, 1)), Ids(std::span(&item, 1))).front());
}

std::vector<Recommendation> Model::recommend(const std::string& user, const ListOptions& options) const {
  return guarded([&] { return list_of(*hidden_->recommender, user, query_of(*hidden_->recommender, options)); });
}

std::vector<Recommendation> Model::recommend(const std::string& user, const Parameters& parameters) const {
  return guarded([&] {
    const RecommendParams params = with(RecommendParams{}, parameters, "recommend");
    return list_of(*hidden_->recommender, user, query_of(*hidden_->recommender, params.request()));
  });
}

void Model::recommend(const Ids& users, const ListOptions& options, const ListArrays& out,
                      const Callbacks& callbacks) const {
  guarded(callbacks, [&] {
    const ListQuery query = query_of(*hidden_->recommender, options);
    if (out.items.size() != users.size() * query.k || out.scores.size() != out.items.size()) {
      throw UsageError("items and scores must have users × k places");
    }
    std::fill(out.items.begin(), out.items.end(), -1);
    std::fill(out.scores.begin(), out.scores.end(), std::numeric_limits<float>::quiet_NaN());
    const std::vector<std::int32_t> numbers = numbers_of(hidden_->recommender->users(), users);
    const WorkersOf workers(hidden_->pool, hidden_->taken);
    Progress progress("recommending", static_cast<std::int64_t>(numbers.size()), "users");
    hidden_->recommender->top_k(numbers, query, workers.pool(), [&](std::size_t u, std::span<const Recommended> list) {
      for (std::size_t place = 0; place < list.size(); ++place) {
        out.items[u * query.k + place] = list[place].item;
        out.scores[u * query.k + place] = list[place].score;
      }
      progress.update(static_cast<std::int64_t>(u) + 1);
      if (stop_requested()) throw Interrupted("interrupted while recommending");
    });
  });
}

double probability(double logit) { return chance(logit); }

}  // namespace equipoise
