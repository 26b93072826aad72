// equipoise score: a score for every pair of a file, in the same order.
#include <fmt/format.h>

#include "cli.h"
#include "core/error.h"
#include "core/file.h"
#include "core/log.h"
#include "core/text.h"
#include "data/text/csv.h"
#include "recommender/recommender.h"

namespace equipoise::cli {

namespace {

struct PairList {
  std::vector<std::string> user_ids, item_ids;
  std::vector<std::int32_t> users, items;
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
    app().add_option("--out", out_, "CSV file to write: user,item,score [stdout]")->type_name("FILE");
    Params params;
    describe(params);
    add_flags(params, "Options");
  }

  void run() override {
    Params params;
    describe(params);
    apply(params);
    refuse_leftovers("score");
    if (!out_.empty()) AtomicFile probe(out_);
    const auto recommender = Recommender::load(model_, pool());
    const PairList pairs = read(*recommender);
    std::vector<float> scores(pairs.users.size());
    recommender->score(pairs.users, pairs.items, scores);
    if (probability_) {
      for (float& s : scores) s = static_cast<float>(probability(s));
    }
    const Json summary = count_unknown(*recommender, pairs);
    if (!out_.empty()) write_file(out_, csv(pairs, scores));
    if (common().json) {
      Json result = summary;
      if (out_.empty()) result["scores"] = rows(pairs, scores);
      return print_json(result);
    }
    if (out_.empty())
      print_text(csv(pairs, scores));
    else
      note(fmt::format("{} scores written to {}", thousands(static_cast<std::int64_t>(scores.size())), out_));
  }

 private:
  void describe(Params& p) {
    p("probability", probability_, "scores as probabilities instead of logits (which tell more of them apart)");
  }

  PairList read(const Recommender& recommender) const {
    CsvReader csv(pairs_);
    const std::size_t user = csv.column("user"), item = csv.column("item");
    PairList out;
    while (csv.next()) {
      out.user_ids.emplace_back(csv.field(user));
      out.item_ids.emplace_back(csv.field(item));
      out.users.push_back(recommender.users().find(csv.field(user)));
      out.items.push_back(recommender.items().find(csv.field(item)));
    }
    if (out.users.empty()) throw DataError(Place{pairs_}, "has a header but no rows");
    return out;
  }

  // Says how many pairs are scored without knowing one of their ends.
  Json count_unknown(const Recommender& recommender, const PairList& pairs) const {
    std::int64_t cold_users = 0, cold_items = 0;
    for (const std::int32_t u : pairs.users) cold_users += recommender.knows_user(u) != Known::trained;
    for (const std::int32_t i : pairs.items) cold_items += recommender.knows_item(i) != Known::trained;
    const auto total = static_cast<std::int64_t>(pairs.users.size());
    if (cold_users + cold_items > 0) {
      warn(
          fmt::format("of {} pairs {} have a user and {} an item without training rows: those are scored from "
                      "features and biases alone",
                      thousands(total), thousands(cold_users), thousands(cold_items)));
    }
    return Json::object(
        {{"model", model_}, {"pairs", total}, {"cold_users", cold_users}, {"cold_items", cold_items}, {"out", out_}});
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
  bool probability_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_score(CLI::App& app) { return std::make_unique<Score>(app); }

}  // namespace equipoise::cli
