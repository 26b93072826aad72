// equipoise recommend: the best items for one user or for a file of users.
#include <fmt/format.h>

#include <cmath>

#include "cli.h"
#include "core/error.h"
#include "core/file.h"
#include "core/log.h"
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

double probability(float logit) { return 1 / (1 + std::exp(-static_cast<double>(logit))); }

class Recommend final : public Verb {
 public:
  explicit Recommend(CLI::App& root)
      : Verb(root, "recommend", "The best items for one user, or for every user of a file.",
             "equipoise recommend mlp.model --user u17 --k 10") {
    app().add_option("FILE", model_, "the model file")->required();
    CLI::Option* user = app().add_option("--user", user_, "the id of one user");
    app().add_option("--users", users_, "CSV file with a column user; - is stdin")->excludes(user);
    app().add_option("--k", k_, "how many items [10]")->check(CLI::Range(1, 1000000));
    app().add_option("--out", out_, "CSV file to write: user,rank,item,score [stdout]");
    app().add_flag("--include-seen", include_seen_, "also items that the user had in training");
  }

  void run() override {
    if (user_.empty() && users_.empty()) throw UsageError("recommend needs --user ID or --users FILE");
    recommender_ = Recommender::load(model_, pool());
    const std::vector<std::string> ids = users_.empty() ? std::vector<std::string>{user_} : read_users();
    if (common().json) return print_json(json(ids));
    if (!out_.empty()) {
      write_file(out_, csv(ids));
      note(fmt::format("recommendations for {} users written to {}", thousands(static_cast<std::int64_t>(ids.size())),
                       out_));
    } else if (users_.empty()) {
      print_for_one(ids.front());
    } else {
      const std::string text = csv(ids);
      print_line(text.substr(0, text.size() - 1));
    }
  }

 private:
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

  void say_if_cold(const std::string& id) const {
    const Known known = recommender_->knows_user(recommender_->users().find(id));
    if (known == Known::trained) return;
    warn(fmt::format("user '{}' has no training rows: {}", id,
                     known == Known::features_only ? "recommended from the user's features"
                                                   : "recommended from what is common to all users"));
  }

  void print_for_one(const std::string& id) const {
    say_if_cold(id);
    std::vector<std::vector<std::string>> rows = {{"rank", "item", "probability", "score"}};
    for (const Recommended& r : best(id)) {
      rows.push_back({std::to_string(rows.size()), recommender_->items().name(r.item),
                      fmt::format("{:.4f}", probability(r.score)), fmt::format("{:.4f}", r.score)});
    }
    print_table(rows);
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
      const Known known = recommender_->knows_user(recommender_->users().find(id));
      users.push_back(Json::object({{"user", id}, {"known", knowledge(known)}, {"items", items}}));
    }
    return Json::object({{"model", model_}, {"k", k_}, {"users", users}});
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
