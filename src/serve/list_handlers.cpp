// Answers of lists, scores and similar items.
#include <cmath>

#include "app/asked.h"
#include "app/score.h"
#include "core/json_text.h"
#include "serve/handlers.h"
#include "serve/service.h"

namespace equipoise {

namespace {

std::string text_or(const Json& object, std::string_view name) {
  const Json* found = object.find(name);
  return found == nullptr ? "" : found->as_string();
}

bool flag_or(const Json& object, std::string_view name, bool otherwise) {
  const Json* found = object.find(name);
  return found == nullptr ? otherwise : found->as_bool();
}

ListJob job_of(Service& service, const Json& asked) {
  ListJob job;
  job.user = text_or(asked, "user");
  job.model = &service.model_for(asked.find("model"), job.user);
  job.asked = asked_of(asked);
  job.asked_text = asked_text(asked);
  const Json* k = asked.find("k");
  job.asked.request.k = k == nullptr ? static_cast<std::size_t>(std::min(10, service.shared().params.most_k))
                                     : static_cast<std::size_t>(k->as_double());
  job.explore = flag_or(asked, "explore", true);
  job.preview = flag_or(asked, "preview", false);
  return job;
}

HttpAnswer one_list(const std::vector<ListJob>& jobs, std::vector<std::string> texts) {
  HttpAnswer answer;
  answer.body = std::move(texts.front()) + '\n';
  if (jobs.front().age) answer.headers.emplace_back("Age", std::to_string(std::lround(std::floor(*jobs.front().age))));
  return answer;
}

HttpAnswer many_lists(const std::vector<ListJob>&, std::vector<std::string> texts) {
  HttpAnswer answer;
  answer.body = "{\"answers\":[";
  for (std::size_t n = 0; n < texts.size(); ++n) {
    if (n > 0) answer.body += ',';
    answer.body += texts[n];
  }
  answer.body += "]}\n";
  return answer;
}

// Users of whom more is known than at training are guests, as for lists.
void score_with(const ServedModel& model, const FeedbackMemory& memory, const std::vector<std::string>& users,
                const std::vector<std::string>& items, std::vector<float>& out) {
  NumberedPairs pairs;
  GuestBook book(*model.recommender);
  bool any = false;
  for (const std::string& user : users) {
    const bool fresh = book.find(user) < 0;
    pairs.users.push_back(book.guest(user));
    if (!fresh) continue;
    const std::vector<Evidence> told = memory.of(user).items;
    give_all(book, pairs.users.back(), told);
    any = any || !told.empty();
  }
  const Guests guests = any ? book.guests() : Guests{};
  if (any)
    pairs.guests = &guests;
  else
    pairs.users = numbers_of<std::string>(model.recommender->users(), users);
  pairs.items = numbers_of<std::string>(model.recommender->items(), items);
  out.resize(items.size());
  score(*model.recommender, pairs, {}, out, one_thread());
}

void append_score(std::string& out, const Json& pair, const ServedModel& model, float score) {
  out += "{\"user\":";
  append_json(out, pair.at("user").as_string());
  out += ",\"item\":";
  append_json(out, pair.at("item").as_string());
  out += ",\"model\":";
  append_json(out, model.name);
  out += ",\"score\":";
  append_json(out, score);
  if (model.chances) {
    out += ",\"probability\":";
    append_json(out, chance(static_cast<double>(score)));
  }
  out += '}';
}

}  // namespace

void recommend_user(Service& service, Call call) {
  std::vector<ListJob> jobs;
  jobs.push_back(job_of(service, call.arguments));
  service.make_lists(std::move(jobs), one_list, std::move(call.reply));
}

void recommend_many(Service& service, Call call) {
  std::vector<ListJob> jobs;
  for (const Json& one : call.body.at("requests").as_array()) jobs.push_back(job_of(service, one));
  service.make_lists(std::move(jobs), many_lists, std::move(call.reply));
}

void score_pairs(Service& service, Call call) {
  const Json::Array& pairs = call.body.at("pairs").as_array();
  std::map<const ServedModel*, std::vector<std::size_t>> by_model;
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    by_model[&service.model_for(call.body.find("model"), pairs[n].at("user").as_string())].push_back(n);
  }
  std::vector<std::pair<const ServedModel*, float>> scores(pairs.size());
  for (const auto& [model, places] : by_model) {
    std::vector<std::string> users, items;
    for (const std::size_t n : places) {
      users.push_back(pairs[n].at("user").as_string());
      items.push_back(pairs[n].at("item").as_string());
    }
    std::vector<float> of_model;
    score_with(*model, service.shared().memory, users, items, of_model);
    for (std::size_t n = 0; n < places.size(); ++n) scores[places[n]] = {model, of_model[n]};
  }
  HttpAnswer answer;
  answer.body = "{\"scores\":[";
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    if (n > 0) answer.body += ',';
    append_score(answer.body, pairs[n], *scores[n].first, scores[n].second);
  }
  answer.body += "]}\n";
  call.reply(std::move(answer));
}

void similar_to(Service& service, Call call) {
  const std::string& item = call.argument("item")->as_string();
  const ServedModel& model = service.model_or_first(call.argument("model"));
  const Recommender& recommender = *model.recommender;
  if (recommender.items().find(item) < 0) throw Refusal(404, "the model does not know this item");
  ListRequest request;
  request.k = static_cast<std::size_t>(call.argument("k")->as_int());
  Json items = Json::array();
  for (const Recommended& one : similar(recommender, item, request, one_thread())) {
    Json near = Json::object({{"item", recommender.items().name(one.item)}});
    if (!recommender.item_names().empty()) near["name"] = recommender.item_name(one.item);
    near["similarity"] = static_cast<double>(one.score);
    items.push_back(std::move(near));
  }
  call.reply(json_answer(Json::object({{"item", item}, {"model", model.name}, {"items", std::move(items)}})));
}

}  // namespace equipoise
