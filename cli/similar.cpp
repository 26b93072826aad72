// equipoise similar: the items whose vectors are nearest to that of one item.
#include <fmt/format.h>

#include "app/recommend.h"
#include "cli.h"
#include "core/error.h"
#include "core/listener.h"
#include "core/quote.h"
#include "core/text.h"
#include "list_output.h"

namespace equipoise::cli {

namespace {

class Similar final : public Verb {
 public:
  explicit Similar(CLI::App& root)
      : Verb(root, "similar", "The items most like one, by the cosine of their vectors.",
             "equipoise similar mlp.model i17 --k 10") {
    app().add_option("FILE", model_, "the model file")->required();
    app().add_option("ITEM", item_, "the id of an item")->required();
    app().add_option("--format", format_word_, "table, csv or json [table]")->type_name("NAME");
    offer("--format", {"table", "csv", "json"});
    declare(params_, "Options");
  }

  void run() override {
    refuse_leftovers("similar");
    const Format format =
        format_word_.empty() ? (common().json ? Format::json : Format::table) : parse_format(format_word_);
    if (format == Format::jsonl) throw UsageError("one list is one line: --format json");
    if (common().json && format != Format::json) {
      throw UsageError(fmt::format("--json and --format {} both want stdout", format_word_));
    }
    const auto recommender = Recommender::load(model_, pool());
    const ListRequest request = params_.request();
    const ListOutput output(*recommender, params_.column_names(), Eligible(), "similarity", false);
    const std::vector<Recommended> list = similar(*recommender, item_, request, pool());
    if (list.empty()) note("the list is empty: nothing is left that is known and may be in it");
    if (format == Format::table) return print_table(output.table({{item_, list}}));
    if (format == Format::json) return print_json(json(*recommender, output.json(list)));
    std::string out = output.csv_header("");
    output.append_csv(out, nullptr, list);
    print_text(out);
  }

 private:
  Json json(const Recommender& recommender, Json items) const {
    Json out = Json::object({{"model", model_}, {"item", item_}, {"k", params_.k}});
    if (!recommender.item_names().empty()) out["name"] = recommender.item_name(recommender.items().find(item_));
    out["items"] = std::move(items);
    return out;
  }

  std::string model_, item_, format_word_;
  SimilarParams params_;
};

}  // namespace

std::unique_ptr<Verb> make_similar(CLI::App& app) { return std::make_unique<Similar>(app); }

}  // namespace equipoise::cli
