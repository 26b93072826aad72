// equipoise recommend: the best items for one user, for a file of users, or for all users.
#include "app/recommend.h"

#include <fmt/format.h>

#include <iterator>

#include "app/outputs.h"
#include "app/score.h"
#include "cli.h"
#include "core/error.h"
#include "core/file.h"
#include "core/listener.h"
#include "core/text.h"
#include "data/text/csv.h"

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
      : Verb(root, "recommend", "The best items for one user, for every user of a file, or for all users.",
             "equipoise recommend mlp.model --user u17 --k 10\n"
             "  equipoise recommend mlp.model --all-users --filter genre=jazz,blues --out lists.csv") {
    app().add_option("FILE", model_, "the model file")->required();
    CLI::Option* user = app().add_option("--user", user_, "the id of one user")->type_name("ID");
    CLI::Option* users = app()
                             .add_option("--users", users_, "CSV file with a column user; - is stdin")
                             ->excludes(user)
                             ->type_name("FILE");
    app().add_flag("--all-users", all_, "every user that the model knows")->excludes(user)->excludes(users);
    app().add_option("--out", out_, "CSV file to write: user,rank,item,score [stdout]")->type_name("FILE");
    declare(output_, "Options");
    declare(params_, "Options");
  }

  void run() override {
    refuse_leftovers("recommend");
    if (user_.empty() && users_.empty() && !all_) {
      throw UsageError("recommend needs --user ID, --users FILE or --all-users");
    }
    if (!out_.empty()) check_output(out_, kCsvOutput, {model_, users_}, output_.force);
    recommender_ = Recommender::load(model_, pool());
    ids_ = all_ ? recommender_->users().names() : users_.empty() ? std::vector<std::string>{user_} : read_users();
    numbers_ = numbers_of<std::string>(recommender_->users(), ids_);
    query_ = query_of(*recommender_, params_.request());
    say_who_is_cold(*recommender_, numbers_, ids_);
    if (!out_.empty()) save();
    if (common().json) return print_json(json());
    if (!out_.empty()) {
      note(fmt::format("recommendations for {} users written to {}", thousands(static_cast<std::int64_t>(ids_.size())),
                       out_));
    } else if (!user_.empty()) {
      print_for_one();
    } else {
      write_csv(print_text);
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

  template <class F>
  void for_each_user(Pool& pool, F f) {
    recommender_->top_k(numbers_, query_, pool, [&](std::size_t u, std::span<const Recommended> list) {
      empty_ += list.empty() ? 1 : 0;
      f(u, list);
    });
    say_if_empty();
    empty_ = 0;
  }

  void say_if_empty() const {
    if (empty_ == 0) return;
    note(fmt::format("{} of {} lists are empty: nothing is left that may be recommended", thousands(empty_),
                     thousands(static_cast<std::int64_t>(ids_.size()))));
  }

  Known known(std::size_t u) const { return recommender_->knows_user(numbers_[u]); }

  void print_for_one() {
    std::vector<std::vector<std::string>> rows = {{"rank", "item", "probability", "score"}};
    for (const Recommended& r : recommender_->top_k(numbers_.front(), query_, pool())) {
      rows.push_back({std::to_string(rows.size()), recommender_->items().name(r.item),
                      fmt::format("{:.4f}", chance(static_cast<double>(r.score))), fmt::format("{:.4f}", r.score)});
    }
    print_table(rows);
    empty_ = rows.size() == 1 ? 1 : 0;
    say_if_empty();
    empty_ = 0;
    if (rows.size() > 1 && rows.size() <= query_.k && !query_.include_seen && query_.eligible.all()) {
      note("these are all the items that the user did not have in training; --include-seen shows the others too");
    }
  }

  Json json() {
    Json users = Json::array();
    for_each_user(pool(), [&](std::size_t u, std::span<const Recommended> list) {
      Json items = Json::array();
      for (const Recommended& r : list) {
        items.push_back(Json::object({{"item", recommender_->items().name(r.item)},
                                      {"score", *parse_double(to_text(r.score))},
                                      {"probability", chance(static_cast<double>(r.score))}}));
      }
      users.push_back(Json::object({{"user", ids_[u]}, {"known", knowledge(known(u))}, {"items", items}}));
    });
    Json out = Json::object({{"model", model_}, {"k", params_.k}, {"users", users}});
    if (!out_.empty()) out["out"] = out_;
    return out;
  }

  void save() {
    AtomicFile file(out_);
    write_csv([&](const std::string& text) { file.write(text); });
    file.commit();
  }

  // In pieces, so that the lists of a million users need not be held.
  template <class Write>
  void write_csv(Write write) {
    constexpr std::size_t kPiece = 1 << 20;
    std::string out = "user,rank,item,score\n";
    Progress progress("recommending", static_cast<std::int64_t>(ids_.size()), "users");
    for_each_user(pool(), [&](std::size_t u, std::span<const Recommended> list) {
      int rank = 0;
      for (const Recommended& r : list) {
        append_csv_field(out, ids_[u]);
        fmt::format_to(std::back_inserter(out), ",{},", ++rank);
        append_csv_field(out, recommender_->items().name(r.item));
        (out += ',') += to_text(r.score);
        out += '\n';
      }
      progress.update(static_cast<std::int64_t>(u) + 1);
      if (out.size() < kPiece) return;
      write(out);
      out.clear();
    });
    write(out);
  }

  std::string model_;
  std::string user_;
  std::string users_;
  std::string out_;
  bool all_ = false;
  std::int64_t empty_ = 0;             // lists without an item
  std::vector<std::string> ids_;       // whom to recommend to
  std::vector<std::int32_t> numbers_;  // their numbers in the model; −1 = unknown
  RecommendParams params_;
  ListQuery query_;
  std::unique_ptr<const Recommender> recommender_;
  OutputParams output_;
};

}  // namespace

std::unique_ptr<Verb> make_recommend(CLI::App& app) { return std::make_unique<Recommend>(app); }

}  // namespace equipoise::cli
