// Answers of lists, scores and similar items.
#include <cmath>
#include <limits>

#include "app/recommend.h"
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

std::vector<std::string> texts_of(const Json& list) {
  std::vector<std::string> out;
  for (const Json& one : list.as_array()) out.push_back(one.as_string());
  return out;
}

// What GET and POST both have.
ListJob common_job(const Service& service, const Json& asked, std::size_t default_k) {
  ListJob job;
  job.user = text_or(asked, "user");
  job.model = &service.model_for(asked.find("model"), job.user);
  const Json* k = asked.find("k");
  job.request.k = k == nullptr ? default_k : static_cast<std::size_t>(k->as_int());
  job.request.include_seen = flag_or(asked, "include_seen", false);
  job.explore = flag_or(asked, "explore", true);
  return job;
}

ListJob job_of(Service& service, const Json& asked) {
  const int most = service.shared().params.most_k;
  ListJob job = common_job(service, asked, static_cast<std::size_t>(std::min(10, most)));
  if (const Json* ids = asked.find("candidates")) job.request.candidates = texts_of(*ids);
  if (const Json* ids = asked.find("exclude")) job.request.exclude = texts_of(*ids);
  if (const Json* filter = asked.find("filter")) {
    for (const auto& [field, values] : filter->as_object()) job.request.filter.emplace_back(field, texts_of(values));
  }
  if (const Json* history = asked.find("history")) {
    for (const Json& one : history->as_array()) {
      const Json* label = one.find("label");
      job.history.push_back({one.at("item").as_string(), label == nullptr ? std::numeric_limits<float>::quiet_NaN()
                                                                          : static_cast<float>(label->as_double())});
    }
  }
  if (const Json* features = asked.find("features")) {
    for (const auto& [name, value] : features->as_object()) job.features[name] = value.as_string();
  }
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
    for (const auto& told : fresh ? memory.of(user) : std::vector<FeedbackMemory::Evidence>{}) {
      book.give(pairs.users.back(), told.item, static_cast<double>(told.label));
      any = true;
    }
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
  jobs.push_back(common_job(service, call.arguments, 10));
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
  const Json* name = call.argument("model");
  const ServedModel& model = name == nullptr ? *service.models().all().front() : service.model_for(name, "");
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
  const Json answer = Json::object({{"item", item}, {"model", model.name}, {"items", std::move(items)}});
  call.reply({200, "application/json", answer.dump() + "\n", {}});
}

}  // namespace equipoise
