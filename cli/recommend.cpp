// equipoise recommend: the best items for some users, for a file of users, or for all users.
#include "app/recommend.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "app/alike.h"
#include "app/audience.h"
#include "app/outputs.h"
#include "app/words.h"
#include "cli.h"
#include "core/error.h"
#include "core/file.h"
#include "core/listener.h"
#include "core/quote.h"
#include "core/text.h"
#include "list_output.h"
#include "recommender/list_variety.h"
#include "recommender/shared_scorer.h"

namespace equipoise::cli {

namespace {

class Recommend final : public Verb {
 public:
  explicit Recommend(CLI::App& root)
      : Verb(root, "recommend", "The best items for some users, for every user of a file, or for all users.",
             "equipoise recommend mlp.model --user u17 --k 10\n"
             "  equipoise recommend mlp.model --all-users --filter genre=jazz,blues --out lists.csv") {
    app().add_option("FILE", model_, "the model file")->required();
    CLI::Option* user = app()
                            .add_option("--user", some_, "the id of one user; may be repeated")
                            ->type_name("ID")
                            ->allow_extra_args(false);
    CLI::Option* users = app()
                             .add_option("--users", users_, "CSV file with a column user; - is stdin")
                             ->excludes(user)
                             ->type_name("FILE");
    app()
        .add_flag("--all-users", all_, "every user that the model knows, and those whom --more-rows brings")
        ->excludes(user)
        ->excludes(users);
    app()
        .add_option("--history", beside_.history,
                    "items that the user has, with labels where they are known: item,item:label,…; without --user "
                    "somebody new")
        ->excludes(users)
        ->type_name("TEXT");
    app()
        .add_option("--features", beside_.features,
                    "what is known of the user: name=value,…; without --user somebody new")
        ->excludes(users)
        ->type_name("TEXT");
    app()
        .add_option("--more-rows", beside_.more_rows,
                    "CSV file of rows that came after training: user,item and, where there is one, label")
        ->type_name("FILE");
    app().add_option("--out", out_, "file to write instead of stdout: user,rank,item,score …")->type_name("FILE");
    app()
        .add_option("--format", format_word_,
                    "table, csv, json or jsonl (an object a user) [table with --user, csv otherwise]")
        ->type_name("NAME");
    declare(output_, "Options");
    declare(params_, "Options");
  }

  std::string not_shared() const override { return ""; }

  void run() override {
    refuse_leftovers("recommend");
    check_who();
    choose_format();
    check_same_model(ranks(), model_);
    for (const std::string& path : {users_, beside_.more_rows, params_.candidates_file, params_.exclude_file}) {
      check_same_file(ranks(), path);
    }
    if (!out_.empty() && ranks().first()) {
      std::vector<std::string> inputs = params_.inputs();
      inputs.insert(inputs.end(), {model_, users_, beside_.more_rows});
      check_output(out_, kCsvOutput, inputs, output_.force);
    }
    recommender_ = Recommender::load(model_, pool());
    ids_ = all_ ? recommender_->users().names() : users_.empty() ? some_ : read_users();
    std::vector<std::string> newcomers;
    audience_ = audience_of(*recommender_, ids_, beside_, all_ ? &newcomers : nullptr);
    ids_.insert(ids_.end(), newcomers.begin(), newcomers.end());
    query_ = query_of(*recommender_, params_.request());
    query_.guests = audience_.given();
    lists_.emplace(*recommender_, params_.column_names(), query_.eligible, "score",
                   recommender_->recipe().method().scores_are_chances());
    say_who_is_cold(*recommender_, audience_, ids_);
    if (!ranks().first()) return help();
    if (!out_.empty()) save();
    if (common().json) return print_json(json());
    if (out_.empty()) return print();
    note(fmt::format("recommendations for {} users written to {}", thousands(std::ssize(ids_)), out_));
  }

 private:
  // Of somebody new there is no id to give, only what is known of them.
  void check_who() {
    if (!some_.empty() || !users_.empty() || all_) return;
    if (beside_.history.empty() && beside_.features.empty()) {
      throw UsageError("recommend needs --user ID, --users FILE or --all-users");
    }
    some_ = {""};
  }

  // --json prints its object beside whatever is written to a file.
  void choose_format() {
    const bool given = !format_word_.empty();
    format_ = given ? parse_format(format_word_) : !some_.empty() && out_.empty() ? Format::table : Format::csv;
    if (!out_.empty() && format_ != Format::csv && format_ != Format::jsonl) {
      throw UsageError("--out writes csv or jsonl; json and tables go to stdout");
    }
    if (out_.empty() && given && common().json && format_ != Format::json) {
      throw UsageError(
          fmt::format("--json and --format {} both want stdout; --out FILE takes one of them", format_word_));
    }
  }

  std::vector<std::string> read_users() const {
    CsvReader reader = open_table(users_);
    const std::size_t column = column_of(reader, "user");
    std::vector<std::string> ids;
    while (reader.next()) ids.emplace_back(reader.field(column));
    if (ids.empty()) throw DataError(Place{users_}, "has a header but no rows");
    return ids;
  }

  // Rank 0 walks over the lists once for a file and once for stdout; the others make their share of them each time.
  void help() {
    const bool file = !out_.empty(), printed = common().json || out_.empty();
    for (int walks = int{file} + int{printed}; walks > 0; --walks) {
      for_each_user([](std::size_t, std::span<const Recommended>) {});
    }
  }

  template <class F>
  void for_each_user(F f) {
    VarietyCount variety(recommender_->items().size());
    std::int64_t empty = 0;
    const auto take = [&](std::size_t u, std::span<const Recommended> list) {
      empty += list.empty() ? 1 : 0;
      if (all_) variety.add(list);
      f(u, list);
    };
    shared_top_k(*recommender_, audience_.numbers, query_, pool(), ranks(), take);
    if (!ranks().first()) return;
    if (std::exchange(said_, true)) return;  // of the same lists, for a file and for stdout
    if (empty > 0) {
      note(fmt::format("{} of {} lists are empty: nothing is left that may be recommended", thousands(empty),
                       thousands(std::ssize(ids_))));
    }
    if (!all_) return;
    variety_ = variety.result();
    say_how_lists_vary(*recommender_, variety_);
  }

  void print() {
    switch (format_) {
      case Format::table:
        return print_for_people();
      case Format::json:
        return print_json(json());
      case Format::jsonl:
      case Format::csv:
        return write_lists(print_text);
    }
  }

  void print_for_people() {
    std::vector<std::pair<std::string, std::vector<Recommended>>> lists;
    for_each_user([&](std::size_t u, std::span<const Recommended> list) {
      lists.emplace_back(ids_[u], std::vector<Recommended>(list.begin(), list.end()));
    });
    print_table(lists_->table(lists));
    const std::size_t length = lists.front().second.size();
    const bool whole = length > 0 && length < query_.k && !query_.include_seen && query_.eligible.all();
    if (whole && lists.size() == 1) {
      note("these are all the items that the user did not have in training; --include-seen shows the others too");
    }
  }

  Json json_of(std::size_t u, std::span<const Recommended> list) const {
    return Json::object({{"user", ids_[u].empty() ? Json() : Json(ids_[u])},
                         {"known", known_of(*recommender_, audience_, u)},
                         {"items", lists_->json(list)}});
  }

  Json json() {
    Json users = Json::array();
    for_each_user([&](std::size_t u, std::span<const Recommended> list) { users.push_back(json_of(u, list)); });
    Json out = Json::object({{"model", model_}, {"k", params_.k}, {"users", users}});
    if (!out_.empty()) out["out"] = out_;
    if (all_) out["variety"] = variety_json(*recommender_, variety_);
    return out;
  }

  void save() {
    AtomicFile file(out_);
    write_lists([&](const std::string& text) { file.write(text); });
    file.commit();
  }

  // In pieces, so that the lists of a million users need not be held.
  template <class Write>
  void write_lists(Write write) {
    constexpr std::size_t kPiece = 1 << 20;
    const bool lines = format_ == Format::jsonl;
    std::string out = lines ? "" : lists_->csv_header("user");
    Progress progress("recommending", std::ssize(ids_), "users");
    for_each_user([&](std::size_t u, std::span<const Recommended> list) {
      if (lines)
        out += visible_json(json_of(u, list).dump()) + '\n';
      else
        lists_->append_csv(out, &ids_[u], list);
      progress.update(static_cast<std::int64_t>(u) + 1);
      if (out.size() < kPiece) return;
      write(out);
      out.clear();
    });
    write(out);
  }

  std::string model_, users_, out_, format_word_;
  std::vector<std::string> some_;  // users by --user
  bool all_ = false;
  bool said_ = false;  // what there is to say of the lists
  Format format_ = Format::table;
  BesideTheModel beside_;
  std::vector<std::string> ids_;  // whom to recommend to; "" = somebody new
  Audience audience_;             // the same, by numbers
  RecommendParams params_;
  ListQuery query_;
  ListVariety variety_;
  std::unique_ptr<const Recommender> recommender_;
  std::optional<ListOutput> lists_;
  OutputParams output_;
};

}  // namespace

std::unique_ptr<Verb> make_recommend(CLI::App& app) { return std::make_unique<Recommend>(app); }

}  // namespace equipoise::cli
