// The public face of recommenders: how they come and go, and what they say of themselves.
#include "api/model.h"

#include "api/hidden.h"
#include "app/inventory.h"
#include "app/outputs.h"
#include "app/train.h"
#include "core/file.h"

namespace equipoise {

Model::Model(std::shared_ptr<const Hidden> hidden) : hidden_(std::move(hidden)) {}

namespace {

TrainJob job_of(const TrainOptions& options) {
  const bool fitted = make_method(options.method)->needs().base;
  TrainJob job(options.method, fitted && options.base.empty() ? "mlp" : options.base, options.preset);
  Given given = given_of(options.parameters);
  job.apply(given);
  given.refuse_leftovers(job.title(), elsewhere(train_groups()));
  return job;
}

}  // namespace

void check_training(const TrainOptions& options) {
  guarded([&] { job_of(options); });
}

Model Model::train(const Data& data, const TrainOptions& options) {
  CallbackListener listener(options.callbacks);
  return guarded(listener, [&] {
    TrainJob job = job_of(options);
    auto pool = std::make_unique<Pool>(options.threads);
    const auto on_epoch = [&](const EpochRecord& r) {
      const EpochReport report{r.epoch, r.losses, r.metric};
      bool last = false;
      if (options.on_epoch) listener.call([&] { options.on_epoch(report); });
      if (options.stop_after) listener.call([&] { last = options.stop_after(report); });
      return last;
    };
    if (options.resume && options.checkpoint.empty()) throw UsageError("resume needs a checkpoint to go on from");
    if (!options.checkpoint.empty()) check_checkpoint(options.checkpoint, {}, options.resume, false);
    Trained trained = job.run(*Access::data(data), {"", options.checkpoint, options.resume}, *pool, on_epoch);
    auto frozen = Recommender::frozen(std::move(trained.recommender), *pool);
    if (!options.checkpoint.empty()) remove_file(options.checkpoint);
    return Model(std::make_shared<const Hidden>(std::move(pool), std::move(frozen)));
  });
}

Model Model::load(const std::string& path, int threads) {
  return guarded([&] {
    auto pool = std::make_unique<Pool>(threads);
    auto recommender = Recommender::load(path, *pool);
    return Model(std::make_shared<const Hidden>(std::move(pool), std::move(recommender)));
  });
}

Model Model::from_bytes(std::string_view bytes, int threads) {
  return guarded([&] {
    auto pool = std::make_unique<Pool>(threads);
    auto recommender = Recommender::from_bytes(bytes, "the bytes given", *pool);
    return Model(std::make_shared<const Hidden>(std::move(pool), std::move(recommender)));
  });
}

void Model::save(const std::string& path) const {
  guarded([&] { hidden_->recommender->save(path); });
}

std::string Model::bytes() const {
  return guarded([&] { return hidden_->recommender->bytes(); });
}

const std::string& Model::method() const { return hidden_->recommender->recipe().method_name(); }
const std::string& Model::base() const { return hidden_->recommender->recipe().base_name(); }
const std::vector<std::string>& Model::users() const { return hidden_->recommender->users().names(); }
const std::vector<std::string>& Model::items() const { return hidden_->recommender->items().names(); }

std::string Model::parameter(const std::string& name) const {
  return guarded([&] { return hidden_->recommender->recipe().params().at(name).text(); });
}

std::string Model::card() const {
  return guarded([&] {
    Json out = hidden_->recommender->recipe().to_json();
    out["data"] = hidden_->recommender->data();
    out["training"] = hidden_->recommender->training;
    return out.dump();
  });
}

}  // namespace equipoise
