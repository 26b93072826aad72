// The random sample that some methods learn from: half of the users of valid, drawn by name.
#include "data/random_sample.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/random.h"

namespace equipoise {

namespace {

std::string told(const Dataset& data, const char* key) {
  const Json* part = data.provenance.find(key);
  return part != nullptr && part->is_string() ? part->as_string() : "";
}

std::vector<std::int32_t> users_of(const Rows& rows) {
  std::vector<std::int32_t> users = rows.user;
  std::sort(users.begin(), users.end());
  users.erase(std::unique(users.begin(), users.end()), users.end());
  return users;
}

}  // namespace

std::string test_part(const Dataset& data) { return told(data, "test_part"); }

std::string not_random(const Dataset& data) {
  // Of some sources valid is something else than test.
  const std::string own = told(data, "valid_part"), part = own.empty() ? test_part(data) : own;
  if (part == "resampled" || part == "biased") return fmt::format("it was cut from the log ({})", part);
  const std::vector<float>& label = data.valid.label;
  const auto positives = std::count_if(label.begin(), label.end(), [](float y) { return y > 0.5f; });
  if (positives == 0 || positives == std::ssize(label)) return "it has no rows of both labels";
  if (users_of(data.valid).size() < 2) return "it has one user only";
  return "";
}

RandomHalves random_halves(const Dataset& data) {
  const Rows& valid = data.valid;
  if (const std::string why = not_random(data); !why.empty()) {
    throw DataError(
        fmt::format("the method learns from rows shown at random, half of the validation part, and that of {} is none: "
                    "{}; expected feedback on items that were shown at random",
                    data.name, why));
  }
  std::vector<std::int32_t> users = users_of(valid);
  Stream(1, "halves of the random sample").shuffle(std::span(users));
  users.resize(users.size() / 2);
  std::sort(users.begin(), users.end());
  std::vector<std::size_t> learned, judging;
  for (std::size_t r = 0; r < valid.size(); ++r) {
    (std::binary_search(users.begin(), users.end(), valid.user[r]) ? learned : judging).push_back(r);
  }
  return {valid.select(learned), valid.select(judging)};
}

}  // namespace equipoise
