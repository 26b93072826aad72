// equipoise recommend: the best items for one user or for a file of users.
#include <fmt/format.h>

#include <algorithm>

#include "cli.h"
#include "core/error.h"
#include "core/file.h"
#include "core/log.h"
#include "core/quote.h"
#include "core/text.h"
#include "data/csv.h"
#include "recommender/recommender.h"

namespace equipoise::cli {

namespace {

const char* knowledge(Known known) {
  switch (known) {
    case Known::trained:
      return "trained";
    case Known::features_only:
      return "features_only";
    case Known::nothing:
      return "nothing";
  }
  return "";
}

class Recommend final : public Verb {
 public:
  explicit Recommend(CLI::App& root)
      : Verb(root, "recommend", "The best items for one user, or for every user of a file.",
             "equipoise recommend mlp.model --user u17 --k 10") {
    app().add_option("FILE", model_, "the model file")->required();
    CLI::Option* user = app().add_option("--user", user_, "the id of one user")->type_name("ID");
    app().add_option("--users", users_, "CSV file with a column user; - is stdin")->excludes(user)->type_name("FILE");
    app().add_option("--out", out_, "CSV file to write: user,rank,item,score [stdout]")->type_name("FILE");
    Params params;
    describe(params);
    add_flags(params, "Options");
  }

  void run() override {
    Params params;
    describe(params);
    apply(params);
    refuse_leftovers("recommend");
    if (user_.empty() && users_.empty()) throw UsageError("recommend needs --user ID or --users FILE");
    if (!out_.empty()) AtomicFile probe(out_);
    recommender_ = Recommender::load(model_, pool());
    const std::vector<std::string> ids = users_.empty() ? std::vector<std::string>{user_} : read_users();
    say_who_is_cold(ids);
    if (!out_.empty()) write_file(out_, csv(ids));
    if (common().json) return print_json(json(ids));
    if (!out_.empty()) {
      note(fmt::format("recommendations for {} users written to {}", thousands(static_cast<std::int64_t>(ids.size())),
                       out_));
    } else if (users_.empty()) {
      print_for_one(ids.front());
    } else {
      print_text(csv(ids));
    }
  }

 private:
  void describe(Params& p) {
    p("k", k_, "how many items", between(1, 1000000));
    p("include_seen", include_seen_, "also items that the user had in training");
  }

  std::vector<std::string> read_users() const {
    CsvReader reader(users_);
    const std::size_t column = reader.column("user");
    std::vector<std::string> ids;
    while (reader.next()) ids.emplace_back(reader.field(column));
    if (ids.empty()) throw DataError(Place{users_}, "has a header but no rows");
    return ids;
  }

  std::vector<Recommended> best(const std::string& id) const {
    return recommender_->top_k(recommender_->users().find(id), static_cast<std::size_t>(k_), !include_seen_);
  }

  Known known(const std::string& id) const { return recommender_->knows_user(recommender_->users().find(id)); }

  void say_who_is_cold(const std::vector<std::string>& ids) const {
    const auto with = [&](Known what) {
      return std::count_if(ids.begin(), ids.end(), [&](const std::string& id) { return known(id) == what; });
    };
    const std::int64_t features = with(Known::features_only), nothing = with(Known::nothing);
    if (features + nothing == 0) return;
    if (users_.empty()) {
      warn(fmt::format("user {} has no training rows: recommended from {}", in_quotes(user_),
                       features > 0 ? "the user's features" : "what is common to all users"));
    } else {
      warn(
          fmt::format("of {} users {} have no training rows: {} are recommended to from their features, {} from what "
                      "is common to all users",
                      thousands(static_cast<std::int64_t>(ids.size())), thousands(features + nothing),
                      thousands(features), thousands(nothing)));
    }
  }

  void print_for_one(const std::string& id) const {
    std::vector<std::vector<std::string>> rows = {{"rank", "item", "probability", "score"}};
    for (const Recommended& r : best(id)) {
      rows.push_back({std::to_string(rows.size()), recommender_->items().name(r.item),
                      fmt::format("{:.4f}", probability(r.score)), fmt::format("{:.4f}", r.score)});
    }
    print_table(rows);
    if (rows.size() <= static_cast<std::size_t>(k_) && !include_seen_) {
      note("these are all the items that the user did not have in training; --include-seen shows the others too");
    }
  }

  Json json(const std::vector<std::string>& ids) const {
    Json users = Json::array();
    for (const std::string& id : ids) {
      Json items = Json::array();
      for (const Recommended& r : best(id)) {
        items.push_back(Json::object({{"item", recommender_->items().name(r.item)},
                                      {"score", *parse_double(to_text(r.score))},
                                      {"probability", probability(r.score)}}));
      }
      users.push_back(Json::object({{"user", id}, {"known", knowledge(known(id))}, {"items", items}}));
    }
    Json out = Json::object({{"model", model_}, {"k", k_}, {"users", users}});
    if (!out_.empty()) out["out"] = out_;
    return out;
  }

  std::string csv(const std::vector<std::string>& ids) const {
    std::string out = "user,rank,item,score\n";
    Progress progress("recommending", static_cast<std::int64_t>(ids.size()), "users");
    for (std::size_t u = 0; u < ids.size(); ++u) {
      int rank = 0;
      for (const Recommended& r : best(ids[u])) {
        append_csv_field(out, ids[u]);
        out += fmt::format(",{},", ++rank);
        append_csv_field(out, recommender_->items().name(r.item));
        out += ',' + to_text(r.score) + '\n';
      }
      progress.update(static_cast<std::int64_t>(u) + 1);
    }
    return out;
  }

  std::string model_;
  std::string user_;
  std::string users_;
  std::string out_;
  int k_ = 10;
  bool include_seen_ = false;
  std::unique_ptr<Recommender> recommender_;
};

}  // namespace

std::unique_ptr<Verb> make_recommend(CLI::App& app) { return std::make_unique<Recommend>(app); }

}  // namespace equipoise::cli
