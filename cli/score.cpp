// equipoise score: a score for every pair of a file, in the same order.
#include "app/score.h"

#include <fmt/format.h>

#include "app/alike.h"
#include "app/audience.h"
#include "app/outputs.h"
#include "app/words.h"
#include "cli.h"
#include "core/error.h"
#include "core/file.h"
#include "core/listener.h"
#include "core/text.h"

namespace equipoise::cli {

namespace {

struct PairList {
  std::vector<std::string> user_ids, item_ids;
};

class Score final : public Verb {
 public:
  explicit Score(CLI::App& root)
      : Verb(root, "score", "Give every pair of a file a score, in the same order.",
             "equipoise score mlp.model --pairs pairs.csv --out scores.csv") {
    app().add_option("FILE", model_, "the model file")->required();
    app()
        .add_option("--pairs", pairs_, "CSV file with the columns user and item; - is stdin")
        ->required()
        ->type_name("FILE");
    app()
        .add_option("--more-rows", beside_.more_rows,
                    "CSV file of rows that came after training: user,item and, where there is one, label")
        ->type_name("FILE");
    app().add_option("--out", out_, "CSV file to write: user,item,score [stdout]")->type_name("FILE");
    declare(output_, "Options");
    declare(params_, "Options");
  }

  std::string not_shared() const override { return ""; }

  void run() override {
    refuse_leftovers("score");
    check_same_model(ranks(), model_);
    for (const std::string& path : {pairs_, beside_.more_rows}) check_same_file(ranks(), path);
    if (!out_.empty() && ranks().first())
      check_output(out_, kCsvOutput, {model_, pairs_, beside_.more_rows}, output_.force);
    const auto recommender = Recommender::load(model_, pool());
    const PairList pairs = read();
    const Audience audience = audience_of(*recommender, pairs.user_ids, beside_);
    const NumberedPairs numbers{audience.numbers, numbers_of<std::string>(recommender->items(), pairs.item_ids),
                                audience.given()};
    std::vector<float> scores(pairs.user_ids.size());
    score(*recommender, numbers, params_, scores, pool(), ranks());
    if (!ranks().first()) return;
    const ColdPairs cold = count_cold(*recommender, numbers);
    if (!out_.empty()) write_file(out_, csv(pairs, scores));
    if (common().json) return print_json(json(pairs, scores, cold));
    if (out_.empty())
      print_text(csv(pairs, scores));
    else
      note(fmt::format("{} scores written to {}", thousands(static_cast<std::int64_t>(scores.size())), out_));
  }

 private:
  PairList read() const {
    CsvReader csv = open_table(pairs_);
    const std::size_t user = column_of(csv, "user"), item = column_of(csv, "item");
    PairList out;
    while (csv.next()) {
      out.user_ids.emplace_back(csv.field(user));
      out.item_ids.emplace_back(csv.field(item));
    }
    if (out.user_ids.empty()) throw DataError(Place{pairs_}, "has a header but no rows");
    return out;
  }

  Json json(const PairList& pairs, const std::vector<float>& scores, const ColdPairs& cold) const {
    Json out = Json::object({{"model", model_},
                             {"pairs", static_cast<std::int64_t>(scores.size())},
                             {"cold_users", cold.users},
                             {"cold_items", cold.items},
                             {"out", out_}});
    if (out_.empty()) out["scores"] = rows(pairs, scores);
    return out;
  }

  static std::string csv(const PairList& pairs, const std::vector<float>& scores) {
    std::string out = "user,item,score\n";
    for (std::size_t k = 0; k < scores.size(); ++k) {
      append_csv_field(out, pairs.user_ids[k]);
      out += ',';
      append_csv_field(out, pairs.item_ids[k]);
      out += ',' + to_text(scores[k]) + '\n';
    }
    return out;
  }

  static Json rows(const PairList& pairs, const std::vector<float>& scores) {
    Json out = Json::array();
    for (std::size_t k = 0; k < scores.size(); ++k) {
      out.push_back(Json::object(
          {{"user", pairs.user_ids[k]}, {"item", pairs.item_ids[k]}, {"score", *parse_double(to_text(scores[k]))}}));
    }
    return out;
  }

  std::string model_;
  std::string pairs_;
  std::string out_;
  BesideTheModel beside_;
  ScoreParams params_;
  OutputParams output_;
};

}  // namespace

std::unique_ptr<Verb> make_score(CLI::App& app) { return std::make_unique<Score>(app); }

}  // namespace equipoise::cli
