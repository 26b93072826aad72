// Answers about the models: their cards, their users and items, and reloading them.
#include <algorithm>

#include "serve/handlers.h"
#include "serve/service.h"

namespace equipoise {

namespace {

std::string lower(std::string_view text) {
  std::string out;
  for (const char c : text) out += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c);
  return out;
}

// Calls take(number) for those that hold the text, in their order, until there are enough.
template <class Holds, class Take>
void find_all(const Call& call, std::int32_t count, Holds holds, Take take) {
  const Json* find = call.argument("find");
  const std::string part = find == nullptr ? "" : lower(find->as_string());
  std::int64_t left = call.argument("limit")->as_int();
  for (std::int32_t number = 0; number < count && left > 0; ++number) {
    if (!part.empty() && !holds(number, part)) continue;
    take(number);
    --left;
  }
}

}  // namespace

void list_models(Service& service, Call call) {
  Json models = Json::array();
  for (const auto& model : service.models().all()) models.push_back(model->card(false));
  call.reply(json_answer(Json::object({{"models", std::move(models)},
                                       {"explore", service.shared().policy_text},
                                       {"logs", service.shared().log != nullptr}})));
}

void show_model(Service& service, Call call) {
  call.reply(json_answer(service.model_or_first(call.argument("name")).card(true)));
}

void reload_model(Service& service, Call call) {
  const std::string name = service.model_or_first(call.argument("name")).name;
  service.shared().reload(name, [&service, number = service.keep(std::move(call.reply))](
                                    std::shared_ptr<const ServedModel> fresh, const std::string& error) {
    service.post()([&service, number, fresh, error] {
      service.take(number)(fresh ? json_answer(fresh->card(false)) : problem(422, error));
    });
  });
}

// The values of models are computed from the log; GET shows them, POST has them computed.
void show_value(Service& service, Call call) {
  Shared& shared = service.shared();
  if (!shared.value) throw Refusal(409, "this server keeps no log to judge models by");
  call.reply(json_answer(shared.value->answer()));
}

void compute_value(Service& service, Call call) {
  if (service.shared().value) service.shared().value->ask(service.table());
  show_value(service, std::move(call));
}

void find_users(Service& service, Call call) {
  const IdMap& users = service.model_or_first(call.argument("model")).recommender->users();
  Json found = Json::array();
  find_all(
      call, users.size(),
      [&](std::int32_t n, const std::string& part) { return lower(users.name(n)).find(part) != std::string::npos; },
      [&](std::int32_t n) { found.push_back(users.name(n)); });
  call.reply(json_answer(Json::object({{"users", std::move(found)}})));
}

void find_items(Service& service, Call call) {
  const Recommender& recommender = *service.model_or_first(call.argument("model")).recommender;
  const bool named = !recommender.item_names().empty();
  Json found = Json::array();
  find_all(
      call, recommender.items().size(),
      [&](std::int32_t n, const std::string& part) {
        return lower(recommender.items().name(n)).find(part) != std::string::npos ||
               (named && lower(recommender.item_name(n)).find(part) != std::string::npos);
      },
      [&](std::int32_t n) {
        Json item = Json::object({{"item", recommender.items().name(n)}});
        if (named) item["name"] = recommender.item_name(n);
        found.push_back(std::move(item));
      });
  call.reply(json_answer(Json::object({{"items", std::move(found)}})));
}

}  // namespace equipoise
