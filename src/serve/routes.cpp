// The routes, one entry each.
#include "serve/routes.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"
#include "serve/handlers.h"

namespace equipoise {

namespace {

constexpr double kLongestId = 1024;   // letters
constexpr double kMostIds = 10000;    // in a list of candidates, of exclusions, of a history
constexpr double kMostFields = 100;   // of a filter or of features
constexpr double kLongestName = 128;  // of a model, of a feature

Field id_field(const char* name, const char* sentence) { return text_field(name, sentence).within(1, kLongestId); }

Field ids_field(const char* name, const char* sentence) {
  return list_field(name, sentence, text_field("", "the id of an item").within(0, kLongestId)).within(0, kMostIds);
}

Field model_field() {
  return text_field("model", "the name of a model; without it the user's share decides").within(1, kLongestName);
}

Field k_field(const ServeParams& params) {
  return whole_field("k", "how many items")
      .within(1, params.most_k)
      .or_else(std::to_string(std::min(10, params.most_k)));
}

Field explore_field() {
  return boolean_field("explore", "whether the server's policy draws the list; false = the best items").or_else("true");
}

Field include_seen_field() {
  return boolean_field("include_seen", "also items that the user has had").or_else("false");
}

Field preview_field() {
  return boolean_field("preview",
                       "only a look: the list is not logged and takes no feedback, and its items say how "
                       "popular they are")
      .or_else("false");
}

Field history_field() {
  Field one = object_field(
      "", "an item that the user has",
      {id_field("item", "the id of an item").needed(), number_field("label", "what the user made of it").within(0, 1)});
  return list_field("history", "items that the user has, the newest last; beside what the model knows", one)
      .within(0, kMostIds);
}

Field list_request(const ServeParams& params) {
  Field values = list_field("", "one of these", text_field("", "a value").within(0, kLongestId)).within(1, kMostIds);
  Field filter =
      map_field("filter", "only items that have, of each feature, one of these values", values).within(0, kMostFields);
  Field features = map_field("features", "what is known of the user, as text; several values are written a|b",
                             text_field("", "a value").within(0, kLongestId))
                       .within(0, kMostFields);
  return object_field("", "one list",
                      {id_field("user", "the user's id; without one, somebody new"), model_field(), k_field(params),
                       ids_field("candidates", "only these items"), ids_field("exclude", "none of these items"), filter,
                       history_field(), features, explore_field(), include_seen_field(), preview_field()});
}

Field list_answer() {
  Field item = object_field(
      "", "an item of the list, the best place first",
      {text_field("item", "its id").needed(), text_field("name", "what people call it, where the data said"),
       number_field("score", "the model's logit; orders items").needed(),
       number_field("probability", "the chance of a positive label, where scores are chances"),
       number_field("propensity", "the chance that this item is in the list at all, by the policy").needed(),
       whole_field("popularity", "rows of the training log with this item; in a preview")});
  return object_field("", "a list",
                      {text_field("user", "as asked; null = somebody new").or_null().needed(),
                       text_field("model", "the model that ranked").needed(),
                       text_field("request_id", "names this list, for feedback").needed(),
                       text_field("known", "what the list rests on: trained, history, features_only, nothing").needed(),
                       number_field("age", "seconds since the ranking was made, where it is from the cache"),
                       list_field("items", "", item).needed()});
}

Field card_answer(bool whole) {
  std::vector<Field> members = {text_field("name", "").needed(),
                                number_field("share", "of the users").needed(),
                                text_field("fingerprint", "of its file").needed(),
                                whole_field("loaded", "milliseconds since 1970").needed(),
                                text_field("method", "").needed(),
                                text_field("base", "").needed(),
                                text_field("title", "method and base model").needed(),
                                whole_field("users", "that it knows").needed(),
                                whole_field("items", "that it ranks").needed(),
                                boolean_field("has_names", "whether items have names").needed(),
                                boolean_field("scores_are_chances", "").needed()};
  if (whole) {
    members.push_back(any_field("recipe", "method, base model and all their parameters").needed());
    members.push_back(any_field("data", "what it was trained on").needed());
    members.push_back(any_field("training", "settings, curves and findings").needed());
  }
  return object_field("", "a model", members);
}

void add_lists(std::vector<Route>& routes, const ServeParams& params) {
  routes.push_back({.method = "GET",
                    .path = "/v1/recommend/{user}",
                    .name = "recommend_user",
                    .sentence = "The best items for a user.",
                    .in_path = {id_field("user", "the user's id; unknown ones get what is common to all")},
                    .in_query = {k_field(params), model_field(), explore_field(), include_seen_field()},
                    .answer = list_answer(),
                    .problems = {503},
                    .run = recommend_user});
  const Field requests =
      list_field("requests", "one for each list", list_request(params)).within(1, params.most_batch).needed();
  routes.push_back(
      {.method = "POST",
       .path = "/v1/recommend",
       .name = "recommend_many",
       .sentence = "Lists for many at once, or for somebody described by history and features.",
       .body = object_field("", "", {requests}),
       .answer = object_field("", "", {list_field("answers", "in the order of the requests", list_answer()).needed()}),
       .problems = {503},
       .run = recommend_many});
}

void add_scores(std::vector<Route>& routes, const ServeParams& params) {
  Field pair = object_field("", "a pair",
                            {id_field("user", "the user's id").needed(), id_field("item", "the item's id").needed()});
  Field scored = object_field(
      "", "as asked, in the same order",
      {text_field("user", "").needed(), text_field("item", "").needed(), text_field("model", "").needed(),
       number_field("score", "the logit").needed(), number_field("probability", "where scores are chances")});
  routes.push_back(
      {.method = "POST",
       .path = "/v1/score",
       .name = "score",
       .sentence = "Scores of pairs of user and item.",
       .body = object_field(
           "", "", {list_field("pairs", "what to score", pair).within(1, params.most_batch).needed(), model_field()}),
       .answer = object_field("", "", {list_field("scores", "", scored).needed()}),
       .run = score_pairs});
  Field near = object_field("", "",
                            {text_field("item", "").needed(), text_field("name", ""),
                             number_field("similarity", "the cosine of the two vectors").needed()});
  routes.push_back({.method = "GET",
                    .path = "/v1/similar/{item}",
                    .name = "similar",
                    .sentence = "The items most like one.",
                    .in_path = {id_field("item", "the id of an item")},
                    .in_query = {k_field(params), model_field()},
                    .answer = object_field("", "",
                                           {text_field("item", "").needed(), text_field("model", "").needed(),
                                            list_field("items", "the most alike first", near).needed()}),
                    .run = similar_to});
}

void add_feedback(std::vector<Route>& routes, const ServeParams& params) {
  Field one = object_field("", "what a user made of an item of a list",
                           {text_field("request_id", "of the list").within(1, kLongestName).needed(),
                            id_field("item", "one of the list's items").needed(),
                            number_field("label", "1 = liked, taken, clicked; 0 = not").within(0, 1).or_else("1")});
  routes.push_back(
      {.method = "POST",
       .path = "/v1/feedback",
       .name = "feedback",
       .sentence = "What users made of lists; on the disk before it is acknowledged, and recorded once however often "
                   "it is sent.",
       .body = object_field("", "", {list_field("feedback", "", one).within(1, params.most_batch).needed()}),
       .answer = object_field("", "",
                              {whole_field("recorded", "that are new").needed(),
                               whole_field("again", "that had come before, with the same label").needed()}),
       .problems = {409, 503},
       .run = take_feedback});
}

void add_models(std::vector<Route>& routes) {
  const Field name = text_field("name", "the name of a model").within(1, kLongestName);
  routes.push_back({.method = "GET",
                    .path = "/v1/models",
                    .name = "models",
                    .sentence = "The models that are served, and their shares of users.",
                    .answer = object_field("", "",
                                           {list_field("models", "", card_answer(false)).needed(),
                                            text_field("explore", "the policy that draws lists").needed(),
                                            boolean_field("logs", "whether lists are logged").needed()}),
                    .run = list_models});
  routes.push_back({.method = "GET",
                    .path = "/v1/models/{name}",
                    .name = "model",
                    .sentence = "All that is known of a model.",
                    .in_path = {name},
                    .answer = card_answer(true),
                    .run = show_model});
  routes.push_back(
      {.method = "POST",
       .path = "/v1/models/{name}/reload",
       .name = "reload",
       .sentence = "Reads the model's file again; one that is not whole is refused, and the old model stays.",
       .in_path = {name},
       .answer = card_answer(false),
       .problems = {422},
       .run = reload_model});
}

void add_value(std::vector<Route>& routes) {
  const Field verdict = object_field("verdict", "what to do",
                                     {text_field("decision", "ship, keep exploring, or cannot be known").needed(),
                                      list_field("words", "sentences that say why", text_field("", "")).needed()});
  const Field answer = object_field(
      "", "",
      {text_field("state", "none, computing, ready or refused").needed(), verdict,
       any_field("found", "values with their intervals, as the verb value gives them in JSON"),
       number_field("age", "seconds since it was computed"), number_field("seconds", "that computing took")});
  routes.push_back({.method = "GET",
                    .path = "/v1/value",
                    .name = "value",
                    .sentence = "What each model would be worth, as it was last computed from the log's newest lists.",
                    .answer = answer,
                    .problems = {409},
                    .run = show_value});
  routes.push_back({.method = "POST",
                    .path = "/v1/value",
                    .name = "value_again",
                    .sentence = "Computes it anew, beside the serving; GET says when it is done.",
                    .answer = answer,
                    .problems = {409},
                    .run = compute_value});
}

void add_finders(std::vector<Route>& routes) {
  const std::vector<Field> query = {
      text_field("find", "a part of the id or the name").within(0, kLongestId).or_else(""),
      whole_field("limit", "how many at most").within(1, 1000).or_else("20"), model_field()};
  routes.push_back({.method = "GET",
                    .path = "/v1/users",
                    .name = "users",
                    .sentence = "Users that a model knows, by a part of their ids.",
                    .in_query = query,
                    .answer = object_field("", "", {list_field("users", "", text_field("", "an id")).needed()}),
                    .run = find_users});
  Field item = object_field("", "", {text_field("item", "").needed(), text_field("name", "")});
  routes.push_back({.method = "GET",
                    .path = "/v1/items",
                    .name = "items",
                    .sentence = "Items that a model knows, by a part of their ids or names.",
                    .in_query = query,
                    .answer = object_field("", "", {list_field("items", "", item).needed()}),
                    .run = find_items});
}

bool matches(const Route& route, const std::vector<std::string>& path) {
  if (route.parts.size() != path.size()) return false;
  for (std::size_t n = 0; n < path.size(); ++n) {
    if (route.parts[n].starts_with('{') ? path[n].empty() : route.parts[n] != path[n]) return false;
  }
  return true;
}

}  // namespace

RouteTable::RouteTable(const ServeParams& params) {
  add_lists(routes_, params);
  add_scores(routes_, params);
  add_feedback(routes_, params);
  add_models(routes_);
  add_value(routes_);
  add_finders(routes_);
  add_operations(routes_);
  for (Route& route : routes_) {
    if (route.path != "/") route.parts = split(std::string_view(route.path).substr(1), '/');
  }
}

std::vector<std::string> RouteTable::names() const {
  std::vector<std::string> out;
  for (const Route& route : routes_) out.push_back(route.name);
  return out;
}

const Route* RouteTable::find(std::string_view method, const Target& target, std::vector<std::string>& allowed) const {
  for (const Route& route : routes_) {
    if (!matches(route, target.path)) continue;
    if (route.method == method) return &route;
    allowed.push_back(route.method);
  }
  return nullptr;
}

}  // namespace equipoise
