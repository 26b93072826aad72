// The target of configuration: JSON or TOML, then its values as parameters.
#include "core/json.h"
#include "fuzz/targets.h"
#include "recommender/recipe.h"

namespace equipoise::fuzz {

namespace {

// What was read is written, and what was written is read as the same.
void must_round_trip(const Json& value, bool toml) {
  const std::string json = value.dump();
  must(parse_json(json, "again").dump() == json, "JSON that we write is read as the same");
  if (!toml) return;  // JSON knows null, which TOML does not
  const std::string text = dump_toml(value);
  must(dump_toml(parse_toml(text, "again")) == text, "TOML that we write is read as the same");
}

// Made once, because describing them takes longer than reading an input; what was set before decides nothing.
struct Settings {
  Settings() { train.describe(params); }
  Recipe recipe{"cbr", "mlp"};
  TrainParams train;
  Params params;
};

}  // namespace

void fuzz_config(std::string_view input) {
  if (input.empty()) return;
  const bool toml = (input[0] & 1) != 0;
  const std::string_view text = input.substr(1);
  Json value;
  if (!accepted([&] { value = toml ? parse_toml(text, "c.toml") : parse_json(text, "c.json"); })) return;
  if (makes_round_trip(input)) must_round_trip(value, toml);
  if (!value.is_object()) return;
  static Settings settings;
  int left = 2;  // each unknown name is compared with all that are known
  for (const auto& [name, member] : value.as_object()) {
    if (left-- == 0) break;
    const Json one = Json::object({{name, member}});
    accepted([&] { settings.recipe.params().set_all(one, "c"); });
    accepted([&] { settings.params.set_all(one, "c"); });
  }
}

}  // namespace equipoise::fuzz
