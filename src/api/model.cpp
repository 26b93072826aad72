// The public face of recommenders.
#include <fmt/format.h>

#include <cmath>

#include "api/hidden.h"
#include "core/text.h"
#include "eval/evaluation.h"
#include "recommender/aligned.h"
#include "train/trainer.h"

namespace equipoise {

struct Model::Hidden {
  explicit Hidden(int threads) : pool(threads) {}

  Pool pool;  // before what works on it
  std::unique_ptr<Recommender> recommender;
};

Model::Model(std::shared_ptr<Hidden> hidden) : hidden_(std::move(hidden)) {}

Model Model::train(const Data& data, const TrainOptions& options) {
  return guarded([&] {
    auto recipe = std::make_unique<Recipe>(options.method, options.base);
    TrainParams training;
    Params training_params;
    training.describe(training_params);
    set_parameters(options.parameters, {&recipe->params(), &training_params});
    const Dataset& log = data.hidden_->data;
    check_trainable(log);
    auto hidden = std::make_shared<Hidden>(options.threads);
    hidden->recommender = std::make_unique<Recommender>(std::move(recipe), log, training.seed, hidden->pool);
    TrainHooks hooks;
    if (options.on_epoch) {
      hooks.on_epoch = [&](const EpochRecord& r) { options.on_epoch({r.epoch, r.losses, r.metric}); };
    }
    Trainer(*hidden->recommender, log, training, hooks).run();
    return Model(std::move(hidden));
  });
}

Model Model::load(const std::string& path, int threads) {
  return guarded([&] {
    auto hidden = std::make_shared<Hidden>(threads);
    hidden->recommender = Recommender::load(path, hidden->pool);
    return Model(std::move(hidden));
  });
}

void Model::save(const std::string& path) const {
  guarded([&] { hidden_->recommender->save(path); });
}

const std::string& Model::method() const { return hidden_->recommender->recipe().method_name(); }
const std::string& Model::base() const { return hidden_->recommender->recipe().base_name(); }

std::string Model::parameter(const std::string& name) const {
  return guarded([&] {
    const Params& params = hidden_->recommender->recipe().params();
    const Param* found = params.find(name);
    if (found == nullptr) {
      throw UsageError(fmt::format("there is no parameter '{}' here{}", name, suggest(name, params.names())));
    }
    return found->text();
  });
}

std::map<std::string, MetricValue> Model::evaluate(const Data& data, const EvaluateSettings& settings) const {
  return guarded([&] {
    const Dataset& log = data.hidden_->data;
    EvaluateOptions options;
    options.protocol = settings.protocol.empty() ? log.protocol : settings.protocol;
    options.part = parse_part(settings.part);
    options.k = settings.k;
    options.replicates = settings.replicates;
    options.seed = settings.seed;
    const Evaluation found = equipoise::evaluate(Aligned(*hidden_->recommender, log), log, options, hidden_->pool);
    std::map<std::string, MetricValue> out;
    for (const MetricResult& metric : found.metrics) out[metric.name] = {metric.mean, metric.low, metric.high};
    return out;
  });
}

std::vector<double> Model::score(const std::vector<std::pair<std::string, std::string>>& pairs) const {
  return guarded([&] {
    const Recommender& recommender = *hidden_->recommender;
    std::vector<std::int32_t> users, items;
    for (const auto& [user, item] : pairs) {
      users.push_back(recommender.users().find(user));
      items.push_back(recommender.items().find(item));
    }
    std::vector<float> scores(pairs.size());
    recommender.score(users, items, scores);
    return std::vector<double>(scores.begin(), scores.end());
  });
}

std::vector<Recommendation> Model::recommend(const std::string& user, std::size_t k, bool include_seen) const {
  return guarded([&] {
    const Recommender& recommender = *hidden_->recommender;
    std::vector<Recommendation> out;
    for (const Recommended& best : recommender.top_k(recommender.users().find(user), k, !include_seen)) {
      out.push_back({recommender.items().name(best.item), static_cast<double>(best.score)});
    }
    return out;
  });
}

double probability(double logit) { return 1 / (1 + std::exp(-logit)); }

std::vector<std::string> method_names() {
  std::vector<std::string> out;
  for (const MethodEntry& entry : methods()) out.emplace_back(entry.name);
  return out;
}

std::vector<std::string> base_names() {
  std::vector<std::string> out;
  for (const BaseEntry& entry : bases()) out.emplace_back(entry.name);
  return out;
}

}  // namespace equipoise
