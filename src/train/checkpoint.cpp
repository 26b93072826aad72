// Checkpoints: everything the trainer needs to go on as if it had never stopped.
#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/file.h"
#include "core/log.h"
#include "recommender/model_file.h"
#include "train/trainer.h"

namespace equipoise {

namespace {

constexpr const char* kFormat = "equipoise checkpoint";

Json to_json(const std::map<std::string, double>& values) {
  Json out = Json::object();
  for (const auto& [name, value] : values) out[name] = value;
  return out;
}

std::map<std::string, double> to_map(const Json& json) {
  std::map<std::string, double> out;
  for (const auto& [name, value] : json.as_object()) out[name] = value.as_double();
  return out;
}

// JSON has no NaN; a metric that is not defined is null.
Json metric_json(double value) { return value == value ? Json(value) : Json(); }
double metric_of(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.as_double();
}

void add_floats(BlockFile& file, const std::string& name, const Floats& values) {
  file.add<float>(name, {static_cast<std::int64_t>(values.size())}, values);
}

void read_floats(const BlockFile& file, const std::string& name, std::size_t size, Floats& out) {
  const std::vector<float> values = file.values<float>(name);
  if (!values.empty() && values.size() != size) throw CheckError(fmt::format("array '{}' has another size", name));
  out.assign(values.begin(), values.end());
}

}  // namespace

// What must be the same for a checkpoint to go on from: recipe, settings, data.
std::string Trainer::identity() const {
  return Json::object({{"recipe", recommender_.recipe().to_json()},
                       {"settings", settings()},
                       {"data", recommender_.data().at("fingerprint")},
                       {"program", kVersion}})
      .dump();
}

void Trainer::save_checkpoint() const {
  BlockFile file;
  file.set_format(kFormat);
  file.set_meta("identity", identity());
  Json curve = Json::array();
  for (const EpochRecord& r : result_.curve) {
    curve.push_back(
        Json::object({{"epoch", r.epoch}, {"losses", to_json(r.losses)}, {"metric", metric_json(r.metric)}}));
  }
  file.set_meta("position", Json::object({{"epoch", at_.epoch},
                                          {"batch", static_cast<std::int64_t>(at_.batch)},
                                          {"step", at_.step},
                                          {"since_best", at_.since_best},
                                          {"in_epoch", in_epoch_},
                                          {"loss_sums", to_json(at_.loss_sums)},
                                          {"best_epoch", result_.best_epoch},
                                          {"best_step", result_.best_step},
                                          {"best_metric", metric_json(result_.best_metric)},
                                          {"steps", result_.steps},
                                          {"curve", curve}})
                                .dump());
  add_parameters(file, recommender_.networks(), "now/");
  for (const Network& network : recommender_.networks().all()) {
    for (const Parameter& p : network.parameters()) {
      add_floats(file, "memory1/" + p.name(), p.memory1);
      add_floats(file, "memory2/" + p.name(), p.memory2);
      const std::int64_t updates[] = {p.updates};
      file.add<std::int64_t>("updates/" + p.name(), {1}, updates);
      if (!best_.empty()) add_floats(file, "best/" + p.name(), best_.at(p.name()));
    }
  }
  file.save(hooks_.checkpoint);
}

bool Trainer::load_checkpoint() {
  if (!file_exists(hooks_.checkpoint)) return false;
  const BlockFile file = BlockFile::load(hooks_.checkpoint, "checkpoint");
  try {
    file.check_format(kFormat);
    if (file.meta("identity") != identity()) {
      throw UsageError("it belongs to another run (method, settings, data or version differ); remove it to begin anew");
    }
    const Json position = parse_json(file.meta("position"), "position");
    at_.epoch = static_cast<int>(position.at("epoch").as_int());
    at_.batch = static_cast<std::size_t>(position.at("batch").as_int());
    at_.step = position.at("step").as_int();
    at_.since_best = static_cast<int>(position.at("since_best").as_int());
    at_.loss_sums = to_map(position.at("loss_sums"));
    in_epoch_ = position.at("in_epoch").as_bool();
    result_.best_epoch = static_cast<int>(position.at("best_epoch").as_int());
    result_.best_step = position.at("best_step").as_int();
    result_.best_metric = metric_of(position.at("best_metric"));
    result_.steps = position.at("steps").as_int();
    for (const Json& r : position.at("curve").as_array()) {
      result_.curve.push_back(
          {static_cast<int>(r.at("epoch").as_int()), to_map(r.at("losses")), metric_of(r.at("metric"))});
    }
    read_parameters(file, recommender_.networks(), "now/");
    for (Network& network : recommender_.networks().all()) {
      for (Parameter& p : network.parameters()) {
        read_floats(file, "memory1/" + p.name(), p.values().size(), p.memory1);
        read_floats(file, "memory2/" + p.name(), p.values().size(), p.memory2);
        p.updates = file.values<std::int64_t>("updates/" + p.name(), 1).front();
        if (file.has("best/" + p.name())) {
          read_floats(file, "best/" + p.name(), p.values().size(), best_[p.name()]);
        }
      }
    }
  } catch (const Error& error) {
    throw Error(fmt::format("{}: cannot be resumed from: {}", hooks_.checkpoint, error.what()), error.exit());
  }
  note(fmt::format("resuming {} at epoch {}, step {}", recommender_.recipe().title(), at_.epoch, at_.step));
  return true;
}

}  // namespace equipoise
