// Models: names and shares, loading, and who gets which.
#include "serve/models.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/quote.h"
#include "core/text.h"
#include "recommender/vectors.h"

namespace equipoise {

namespace {

constexpr double kShareRounding = 1e-9;

// Names are parts of paths and of lines: letters that need no quotes there.
void check_name(const std::string& name) {
  const auto is_good = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
  };
  if (!name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), is_good)) return;
  throw UsageError(
      fmt::format("expected a model's name of letters, digits, '-', '_' and '.', got {}", in_quotes(name)));
}

void set_share(std::vector<ModelChoice>& choices, const std::string& text) {
  const std::size_t at = text.find('=');
  const auto share = at == std::string::npos ? std::nullopt : parse_double(text.substr(at + 1));
  if (!share || !(*share >= 0 && *share <= 1)) {
    throw UsageError(fmt::format("share: expected NAME=NUMBER from 0 to 1, got {}", in_quotes(text)));
  }
  std::vector<std::string> known;
  for (ModelChoice& choice : choices) {
    known.push_back(choice.name);
    if (choice.name != text.substr(0, at)) continue;
    choice.share = *share;
    return;
  }
  throw UsageError(
      fmt::format("share: no model {}{}", in_quotes(text.substr(0, at)), suggest(text.substr(0, at), known)));
}

void share_out(std::vector<ModelChoice>& choices) {
  double sum = 0;
  ModelChoice* rest = nullptr;
  for (ModelChoice& choice : choices) {
    if (choice.share < 0 && rest == nullptr) rest = &choice;
    sum += std::max(0.0, choice.share);
  }
  if (sum > 1 + kShareRounding || (rest == nullptr && sum < 1 - kShareRounding)) {
    throw UsageError(fmt::format("the models' shares sum to {}, expected 1", to_text(sum)));
  }
  if (rest != nullptr) rest->share = std::max(0.0, 1 - sum);
  for (ModelChoice& choice : choices) choice.share = std::max(0.0, choice.share);
}

}  // namespace

std::vector<ModelChoice> model_choices(const std::vector<std::string>& models, const std::vector<std::string>& shares) {
  std::vector<ModelChoice> out;
  for (const std::string& text : models) {
    const std::size_t at = text.find('=');
    ModelChoice choice;
    choice.file = at == std::string::npos ? text : text.substr(at + 1);
    choice.number = out.size();
    choice.name = at == std::string::npos ? std::filesystem::path(text).stem().string() : text.substr(0, at);
    check_name(choice.name);
    for (const ModelChoice& other : out) {
      if (other.name == choice.name) throw UsageError(fmt::format("two models are named {}", in_quotes(choice.name)));
    }
    out.push_back(std::move(choice));
  }
  for (const std::string& text : shares) set_share(out, text);
  share_out(out);
  return out;
}

std::shared_ptr<const ServedModel> ServedModel::load(const ModelChoice& choice, std::int64_t now) {
  const std::string bytes = read_file(choice.file);
  auto out = std::make_shared<ServedModel>();
  out->name = choice.name;
  out->file = choice.file;
  out->share = choice.share;
  out->number = choice.number;
  out->loaded = now;
  out->fingerprint = hex(hash64(bytes));
  out->recommender = Recommender::from_bytes(bytes, choice.file, one_thread());
  out->groups = Popularity(out->recommender->catalogue().items.rows);
  out->chances = out->recommender->recipe().method().scores_are_chances();
  for (const Recommended& one : out->recommender->top_k(0, {10, true, {}}, one_thread())) {
    if (!std::isfinite(one.score)) throw CheckError(fmt::format("{}: its scores are not finite", choice.file));
  }
  return out;
}

Json ServedModel::card(bool whole) const {
  const Recipe& recipe = recommender->recipe();
  Json out = Json::object({{"name", name},
                           {"share", share},
                           {"fingerprint", fingerprint},
                           {"loaded", loaded},
                           {"method", recipe.method_name()},
                           {"base", recipe.base_name()},
                           {"title", recipe.title()},
                           {"users", static_cast<std::int64_t>(recommender->users().size())},
                           {"items", static_cast<std::int64_t>(recommender->items().size())},
                           {"has_names", !recommender->item_names().empty()},
                           {"scores_are_chances", chances}});
  if (!whole) return out;
  out["recipe"] = recipe.to_json();
  out["data"] = recommender->data();
  out["training"] = recommender->training;
  return out;
}

ModelTable::ModelTable(std::vector<std::shared_ptr<const ServedModel>> models, std::uint64_t seed)
    : models_(std::move(models)), seed_(seed) {}

const ServedModel* ModelTable::find(std::string_view name) const {
  for (const auto& model : models_) {
    if (model->name == name) return model.get();
  }
  return nullptr;
}

// A number in [0, 1) by the user's hash, against the running sum of shares.
const ServedModel& ModelTable::of_user(std::string_view user) const {
  const double place = static_cast<double>(hash64(user, hash64("share of users", seed_)) >> 11) * 0x1.0p-53;
  double sum = 0;
  const ServedModel* last = models_.front().get();
  for (const auto& model : models_) {
    if (model->share <= 0) continue;
    sum += model->share;
    last = model.get();
    if (place < sum) break;
  }
  return *last;
}

std::shared_ptr<const ModelTable> ModelTable::with(std::shared_ptr<const ServedModel> fresh) const {
  auto models = models_;
  for (auto& model : models) {
    if (model->name == fresh->name) model = fresh;
  }
  return std::make_shared<ModelTable>(std::move(models), seed_);
}

}  // namespace equipoise
