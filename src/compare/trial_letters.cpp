// Jobs as JSON; reports as a file of arrays that is never a file.
#include "compare/trial_letters.h"

#include <fmt/format.h>

#include "core/blocks.h"

namespace equipoise {

namespace {

constexpr const char* kLetter = "a letter of another rank";

Json key_json(const TrialKey& key) {
  return Json::object(
      {{"source", key.source}, {"arm", key.arm}, {"stage", key.stage}, {"rung", key.rung}, {"number", key.number}});
}

TrialKey key_of(const Json& json) {
  return {json.at("source").as_string(), json.at("arm").as_string(), json.at("stage").as_string(),
          static_cast<int>(json.at("rung").as_int()), static_cast<int>(json.at("number").as_int())};
}

void add_bytes(BlockFile& file, const std::string& name, const std::string& bytes) {
  file.add<char>(name, {static_cast<std::int64_t>(bytes.size())}, bytes);
}

std::string bytes_of(const BlockFile& file, const std::string& name) { return file.block(name).bytes; }

void add_evaluation(BlockFile& file, const std::string& name, const StoredEvaluation& evaluation) {
  const PackedColumns per_user = pack_doubles(evaluation.per_user), resampled = pack_doubles(evaluation.resampled);
  file.set_meta(name + ".protocol", evaluation.protocol);
  file.set_meta(name + ".summary", evaluation.summary.dump());
  file.set_meta(name + ".per_user", per_user.names);
  file.set_meta(name + ".resampled", resampled.names);
  file.add<std::int32_t>(name + ".users", {static_cast<std::int64_t>(evaluation.users.size())}, evaluation.users);
  add_bytes(file, name + ".per_user", per_user.bytes);
  add_bytes(file, name + ".resampled", resampled.bytes);
}

StoredEvaluation evaluation_of(const BlockFile& file, const std::string& name) {
  return {file.meta(name + ".protocol"), parse_json(file.meta(name + ".summary"), kLetter),
          file.values<std::int32_t>(name + ".users"),
          unpack_doubles({file.meta(name + ".per_user"), bytes_of(file, name + ".per_user")}),
          unpack_doubles({file.meta(name + ".resampled"), bytes_of(file, name + ".resampled")})};
}

}  // namespace

std::string to_letter(const Job& job) {
  Json out = key_json(job.key);
  out["settings"] = to_json(job.settings);
  out["epochs"] = job.epochs;
  return out.dump();
}

Job job_of(const std::string& letter) {
  const Json json = parse_json(letter, kLetter);
  return {key_of(json), settings_of(json.at("settings")), static_cast<int>(json.at("epochs").as_int())};
}

std::string to_letter(const TrialReport& report) {
  const StoredTrial& trial = report.trial;
  Json story = key_json(trial.key), said = Json::array();
  for (const auto& [warns, text] : report.said) said.push_back(Json::object({{"warns", warns}, {"text", text}}));
  story["settings"] = to_json(trial.settings);
  story["failed"] = trial.failed;
  story["error"] = trial.error;
  story["training"] = trial.training;
  story["data"] = trial.data;
  story["version"] = trial.version;
  story["said"] = said;
  story["evaluations"] = static_cast<int>(trial.evaluations.size());
  BlockFile file;
  file.set_meta("story", story.dump());
  const double numbers[] = {trial.valid, trial.seconds};
  const std::int64_t seed = static_cast<std::int64_t>(trial.seed);
  file.add<double>("numbers", {2}, numbers);
  file.add<std::int64_t>("seed", {1}, std::span(&seed, 1));
  for (std::size_t k = 0; k < trial.evaluations.size(); ++k) {
    add_evaluation(file, fmt::format("evaluation {}", k), trial.evaluations[k]);
  }
  return file.serialise();
}

TrialReport report_of(const std::string& letter) {
  const BlockFile file = BlockFile::parse(letter, kLetter, "trial");
  const Json story = parse_json(file.meta("story"), kLetter);
  const std::vector<double> numbers = file.values<double>("numbers", 2);
  StoredTrial trial;
  trial.key = key_of(story);
  trial.seed = static_cast<std::uint64_t>(file.values<std::int64_t>("seed", 1)[0]);
  trial.settings = settings_of(story.at("settings"));
  trial.failed = story.at("failed").as_bool();
  trial.error = story.at("error").as_string();
  trial.valid = numbers[0];
  trial.training = story.at("training");
  trial.seconds = numbers[1];
  trial.data = story.at("data").as_string();
  trial.version = story.at("version").as_string();
  for (int k = 0; k < story.at("evaluations").as_int(); ++k) {
    trial.evaluations.push_back(evaluation_of(file, fmt::format("evaluation {}", k)));
  }
  TrialReport out{std::move(trial), {}};
  for (const Json& sentence : story.at("said").as_array()) {
    out.said.emplace_back(sentence.at("warns").as_bool(), sentence.at("text").as_string());
  }
  return out;
}

}  // namespace equipoise
