// Checkpoints: everything the trainer needs to go on as if it had never stopped.
#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/file.h"
#include "core/listener.h"
#include "grad/table_rows.h"
#include "recommender/model_file.h"
#include "train/trainer.h"

namespace equipoise {

namespace {

constexpr const char* kFormat = "equipoise checkpoint";

Json numbers_json(const std::map<std::string, double>& values) {
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
double metric_of(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.as_double();
}

// Numbers of an array as one row; an optimiser's memory is empty where it has none.
void add_floats(BlockFile& file, const std::string& name, const TrainedArray& p, const Floats& values) {
  const auto numbers = static_cast<std::int64_t>(values.empty() ? 0 : p.rows() * p.cols());
  file.add_source(name, Type::f32, {numbers}, [&p, &values](BlockFile::Sink sink) {
    pass_table(p, values, [&](std::span<const float> some) {
      sink({reinterpret_cast<const char*>(some.data()), some.size_bytes()});
    });
  });
}

// An optimiser's memory is empty where it has none.
Floats read_memory(const BlockFile& file, const std::string& name, const TrainedArray& p) {
  const std::vector<float> values = file.values<float>(name);
  if (!values.empty() && values.size() != p.rows() * p.cols()) {
    throw CheckError(fmt::format("array '{}' has another size", name));
  }
  return own_rows(p, values);
}

// The member of that name, if it is a whole number that a run can have there.
std::int64_t whole_of(const Json& json, const char* name, std::int64_t least, std::int64_t most) {
  const std::int64_t value = json.at(name).as_int();
  if (value < least || value > most) {
    throw CheckError(fmt::format("its {} is {}, expected {} to {}", name, value, least, most));
  }
  return value;
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
        Json::object({{"epoch", r.epoch}, {"losses", numbers_json(r.losses)}, {"metric", number_or_null(r.metric)}}));
  }
  file.set_meta("position", Json::object({{"epoch", at_.epoch},
                                          {"batch", static_cast<std::int64_t>(at_.batch)},
                                          {"step", at_.step},
                                          {"since_best", at_.since_best},
                                          {"in_epoch", in_epoch_},
                                          {"loss_sums", numbers_json(at_.loss_sums)},
                                          {"best_epoch", result_.best_epoch},
                                          {"best_step", result_.best_step},
                                          {"best_metric", number_or_null(result_.best_metric)},
                                          {"steps", result_.steps},
                                          {"curve", curve}})
                                .dump());
  add_parameters(file, recommender_.networks(), "now/");
  for (const Network& network : recommender_.networks().all()) {
    for (const TrainedArray& p : network.arrays()) {
      add_floats(file, "memory1/" + p.name(), p, p.memory1);
      add_floats(file, "memory2/" + p.name(), p, p.memory2);
      const std::int64_t updates[] = {p.updates};
      file.add<std::int64_t>("updates/" + p.name(), {1}, updates);
      if (!best_.empty()) add_floats(file, "best/" + p.name(), p, best_.at(p.name()));
    }
  }
  if (hooks_.ranks->first())
    file.save(hooks_.checkpoint);
  else
    file.take_part();
}

void Trainer::read_position(const Json& position) {
  const int epochs = params_.epochs;
  const auto batches = static_cast<std::int64_t>(batches_.count());
  const auto epoch_of = [&](const Json& json, const char* name, int least) {
    return static_cast<int>(whole_of(json, name, least, epochs));
  };
  at_.epoch = epoch_of(position, "epoch", 1);
  at_.batch = static_cast<std::size_t>(whole_of(position, "batch", 0, batches));
  at_.step = whole_of(position, "step", 0, epochs * batches);
  at_.since_best = epoch_of(position, "since_best", 0);
  at_.loss_sums = to_map(position.at("loss_sums"));
  in_epoch_ = position.at("in_epoch").as_bool();
  result_.best_epoch = epoch_of(position, "best_epoch", 0);
  result_.best_step = whole_of(position, "best_step", 0, at_.step);
  result_.best_metric = metric_of(position.at("best_metric"));
  result_.steps = whole_of(position, "steps", 0, at_.step);
  for (const Json& r : position.at("curve").as_array()) {
    result_.curve.push_back({epoch_of(r, "epoch", 1), to_map(r.at("losses")), metric_of(r.at("metric"))});
  }
}

void Trainer::read_values(const BlockFile& file) {
  constexpr std::int64_t kMostUpdates = std::int64_t{1} << 53;  // exact as a double, and never reached
  read_parameters(file, recommender_.networks(), "now/");
  const bool best = result_.best_epoch > 0 && validation_ != nullptr;
  for (Network& network : recommender_.networks().all()) {
    for (TrainedArray& p : network.arrays()) {
      p.memory1 = read_memory(file, "memory1/" + p.name(), p);
      p.memory2 = read_memory(file, "memory2/" + p.name(), p);
      p.updates = file.values<std::int64_t>("updates/" + p.name(), 1).front();
      if (p.updates < 0 || p.updates > kMostUpdates) {
        throw CheckError(fmt::format("'{}' has an impossible count of updates", p.name()));
      }
      if (!best) continue;
      const auto numbers = static_cast<std::int64_t>(p.rows() * p.cols());
      best_[p.name()] = own_rows(p, file.values<float>("best/" + p.name(), numbers));
    }
  }
}

bool Trainer::load_checkpoint() {
  // The first rank reads for all: the others may be on hosts that do not have the file.
  Ranks& ranks = *hooks_.ranks;
  if (!ranks.any(ranks.first() && file_exists(hooks_.checkpoint))) return false;
  const BlockFile file =
      ranks.alone() ? BlockFile::load(hooks_.checkpoint, "checkpoint")
                    : BlockFile::parse(broadcast_text(ranks, ranks.first() ? read_file(hooks_.checkpoint) : ""),
                                       hooks_.checkpoint, "checkpoint");
  try {
    file.check_format(kFormat);
    if (file.meta("identity") != identity()) {
      throw UsageError(
          "it belongs to another run (method, settings, data or version differ); remove it to start again");
    }
    read_position(parse_json(file.meta("position"), "position"));
    read_values(file);
  } catch (const Error& error) {
    // What is wrong with its content is a file that is not whole, not a log of the user's.
    throw Error(fmt::format("{}: cannot be resumed from: {}", hooks_.checkpoint, error.what()),
                error.exit() == Exit::bad_data ? Exit::check_failed : error.exit());
  }
  note(fmt::format("resuming {} at epoch {}, step {}", recommender_.recipe().title(), at_.epoch, at_.step));
  return true;
}

}  // namespace equipoise
