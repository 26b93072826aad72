// The trainer: the loop, once, for every method.
#include "train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/listener.h"
#include "data/random_sample.h"
#include "propensity/weights.h"

namespace equipoise {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// What the model's file says is the metric that was taken, not that it was chosen.
TrainParams settled(TrainParams params, const Dataset& data) {
  params.metric = validation_metric(data, params.metric);
  return params;
}

}  // namespace

Trainer::Trainer(Recommender& recommender, const Dataset& data, const TrainParams& params, Pool& pool, TrainHooks hooks)
    : recommender_(recommender),
      data_(data),
      params_(settled(params, data)),
      pool_(pool),
      hooks_(std::move(hooks)),
      step_(recommender, params_, pool, *hooks_.ranks),
      batches_(data.train, data.known_users(), data.known_items(), static_cast<std::size_t>(params.batch_size),
               params.seed, static_cast<std::size_t>(recommender.recipe().method().needs().drawn),
               recommender.recipe().method().needs().against, data.withheld) {
  batches_.use(recommender.catalogue().history);
  if (recommender.recipe().method().needs().random) learn_from_half();
  result_.best_metric = kUnknown;
  if (!data.valid.empty()) {
    validation_ =
        std::make_unique<ValidationMetric>(judged_ ? *judged_ : data, Part::valid, params_.metric, params_.metric_k);
  }
}

// What a method learns from cannot judge it: epochs are judged by the other half.
void Trainer::learn_from_half() {
  RandomHalves halves = random_halves(data_);
  sample_ = Json::object({{"part", "valid"},
                          {"cut_by", "users"},
                          {"rows_learned_from", static_cast<std::int64_t>(halves.learned.size())},
                          {"rows_judging", static_cast<std::int64_t>(halves.judging.size())}});
  judged_ = data_;
  judged_->test.clear();
  judged_->valid = std::move(halves.judging);
  batches_.use_random(std::move(halves.learned));
}

void check_epochs(const Method& method, const TrainParams& params) {
  if (params.epochs > method.warm_up()) return;
  throw UsageError(fmt::format("epochs = {} must be above {} = {}: what predicts is trained only after those",
                               params.epochs, method.warm_up_parameter(), method.warm_up()));
}

TrainResult Trainer::run() {
  const FlushDenormals flush;
  Method& method = recommender_.recipe().method();
  check_epochs(method, params_);
  method.read(data_);
  if (!data_.train.weight.empty()) {
    warn_if_few_rows_count(effective_share(data_.train.weight), "the log's own weights");
  }
  if (method.phases(1).empty()) {
    if (validation_) choose_answer();
  } else {
    if (hooks_.resume) load_checkpoint();
    while (!finished()) {
      run_epoch();
      end_epoch();
    }
    restore_best();
    for (Network& network : recommender_.networks().all()) {
      for (TrainedArray& p : network.arrays()) p.forget_training();
    }
    if (method.finish(data_, reading_pool()) && validation_) result_.best_metric = validate();
  }
  recommender_.training = story();
  recommender_.training["findings"] = findings();
  return result_;
}

// What the method has to say, and whether lists of its model are personal.
Json Trainer::findings() {
  Json out = recommender_.recipe().method().findings(data_, reading_pool());
  recommender_.prepare_lists(reading_pool());
  const std::vector<std::int32_t> users = users_for_lists(recommender_, kMostUsersForLists);
  result_.lists = list_variety(recommender_, users, {}, reading_pool());
  recommender_.forget_lists();
  out["list_items"] = result_.lists.items;
  out["list_difference"] = number_or_null(result_.lists.difference);
  add_history_findings(out);
  return out;
}

// How long histories are, and how many users have more than may count.
void Trainer::add_history_findings(Json& findings) const {
  const UserItems& history = recommender_.catalogue().history;
  if (history.empty()) return;
  double users = 0, cut = 0;
  for (std::size_t u = 0; u + 1 < history.offsets.size(); ++u) {
    const std::int64_t items = history.offsets[u + 1] - history.offsets[u];
    users += items > 0 ? 1 : 0;
    cut += items > recommender_.recipe().model().history.most ? 1 : 0;
  }
  findings["history_items_per_user"] = users > 0 ? static_cast<double>(history.items.size()) / users : 0.0;
  findings["history_users_cut"] = users > 0 ? cut / users : 0.0;
}

void Trainer::choose_answer() {
  Method& method = recommender_.recipe().method();
  int best = 0;
  for (int answer = 0; answer < method.answers(); ++answer) {
    method.give(answer);
    const double value = validate();
    if (answer > 0 && !validation_->better(value, result_.best_metric)) continue;
    best = answer;
    result_.best_metric = value;
  }
  method.give(best);
}

bool Trainer::finished() const { return at_.epoch > params_.epochs || result_.stopped_early; }

void Trainer::run_epoch() {
  batches_.begin_epoch(at_.epoch);
  Method& method = recommender_.recipe().method();
  if (!in_epoch_) {
    method.begin_epoch(data_, at_.epoch, pool_);
    in_epoch_ = true;
  }
  const std::vector<Phase> phases = method.phases(at_.epoch);
  while (at_.batch < batches_.count()) {
    if (hooks_.ranks->any(stop_requested())) {
      if (hooks_.checkpoint.empty()) throw Interrupted(fmt::format("interrupted at step {}", at_.step));
      save_checkpoint();
      throw Interrupted(
          fmt::format("interrupted at step {}; resuming goes on from the checkpoint {}", at_.step, hooks_.checkpoint));
    }
    recommender_.networks().before_step(at_.step, pool_);
    run_batch(phases, batches_.make(at_.batch));
    ++at_.batch;
    ++at_.step;
    if (hooks_.on_step) hooks_.on_step(at_.step);
    if (checkpoint_due()) {
      save_if_possible();
      since_checkpoint_ = {};
    }
  }
}

// The first rank's clock decides for all.
bool Trainer::checkpoint_due() const {
  if (hooks_.checkpoint.empty() || params_.checkpoint_seconds <= 0) return false;
  return hooks_.ranks->any(hooks_.ranks->first() && since_checkpoint_.seconds() >= params_.checkpoint_seconds);
}

// The checkpoint before it is still whole, and hours of training are not given up for want of a newer one.
void Trainer::save_if_possible() const {
  try {
    save_checkpoint();
  } catch (const OutputError& error) {
    warn(fmt::format("no checkpoint at step {}: {}; training goes on", at_.step, error.what()));
  }
}

void Trainer::run_batch(const std::vector<Phase>& phases, const Batch& batch) {
  step_(phases, batch, [&](const Phase& phase, float loss) {
    if (!std::isfinite(loss)) {
      throw diverged(fmt::format("the loss of phase '{}' is {}", phase.name, loss), at_.step + 1, batch.number + 1,
                     phase.rate_factor);
    }
    at_.loss_sums[phase.name] += loss / phase.steps;
  });
}

CheckError Trainer::diverged(const std::string& what, std::int64_t step, std::size_t batch, float factor) const {
  return CheckError(
      fmt::format("training diverged: {} at step {} (epoch {}, batch {}, learning rate {}); nothing was written. Try a "
                  "smaller learning_rate",
                  what, step, at_.epoch, batch, params_.learning_rate * factor));
}

// The last step of an epoch has no loss after it, and a row that it spoiled may not be looked up for long.
void Trainer::check_finite() const {
  if (const TrainedArray* p = not_finite(recommender_.networks())) {
    throw diverged(fmt::format("array '{}' is not finite", p->name()), at_.step, at_.batch, 1.0f);
  }
}

// Lists are made ready for the time that the arrays stay as they are.
double Trainer::validate() {
  if (!validation_) return kUnknown;
  const bool by_lists = validation_->over_catalogue() || validation_->metric().of_shown();
  if (by_lists) recommender_.prepare_lists(reading_pool());
  const double value = (*validation_)(PoolScorer(recommender_, reading_pool()));
  recommender_.forget_lists();
  return value;
}

void Trainer::end_epoch() {
  check_finite();
  EpochRecord record{at_.epoch, at_.loss_sums, kUnknown};
  for (auto& [phase, total] : record.losses) total /= static_cast<double>(batches_.count());
  record.metric = validate();
  result_.curve.push_back(record);
  result_.steps = at_.step;
  const bool judged = at_.epoch > recommender_.recipe().method().warm_up();
  if (!judged) {
    at_.since_best = 0;
  } else if (!validation_ || validation_->better(record.metric, result_.best_metric)) {
    result_.best_metric = record.metric;
    result_.best_epoch = at_.epoch;
    result_.best_step = at_.step;
    at_.since_best = 0;
    if (validation_) keep_best();
  } else {
    ++at_.since_best;
  }
  result_.stopped_early = validation_ && params_.patience > 0 && at_.since_best >= params_.patience;
  ++at_.epoch;
  at_.batch = 0;
  at_.loss_sums.clear();
  in_epoch_ = false;
  if (hooks_.on_epoch) hooks_.on_epoch(record);
  const bool stop = hooks_.stop_after && hooks_.stop_after(record);
  if (hooks_.ranks->any(stop) && judged) result_.stopped_early = true;
}

void Trainer::keep_best() {
  for (const Network& network : recommender_.networks().all()) {
    for (const TrainedArray& p : network.arrays()) best_[p.name()] = p.values();
  }
}

// Without a validation part the last epoch is the best one there is.
void Trainer::restore_best() {
  if (best_.empty()) return;
  for (Network& network : recommender_.networks().all()) {
    for (TrainedArray& p : network.arrays()) {
      p.values() = std::move(best_.at(p.name()));
      if (p.fetched() != nullptr) p.fetched()->forget();
    }
  }
  best_.clear();
}

// How often checkpoints are written decides nothing, so it is not among what a run is told by.
Json Trainer::settings() const {
  Params described;
  TrainParams copy = params_;
  copy.describe(described);
  Json out = Json::object();
  for (const Param& p : described.all()) {
    if (p.name() != "checkpoint_seconds") out[p.name()] = p.json();
  }
  return out;
}

Json Trainer::story() const {
  Json curve = Json::array();
  for (const EpochRecord& record : result_.curve) {
    Json losses = Json::object();
    for (const auto& [phase, loss] : record.losses) losses[phase] = loss;
    curve.push_back(
        Json::object({{"epoch", record.epoch}, {"losses", losses}, {params_.metric, number_or_null(record.metric)}}));
  }
  Json out = Json::object({{"settings", settings()},
                           {"metric", params_.metric},
                           {"best_epoch", result_.best_epoch},
                           {"best_step", result_.best_step},
                           {"best_metric", number_or_null(result_.best_metric)},
                           {"steps", result_.steps},
                           {"stopped_early", result_.stopped_early},
                           {"curve", curve}});
  if (!sample_.is_null()) out["random_sample"] = sample_;
  return out;
}

}  // namespace equipoise
