// equipoise export: the vectors of a model's users and items as numpy files, for other programs.
#include "app/export.h"

#include <fmt/format.h>

#include "app/outputs.h"
#include "cli.h"
#include "core/text.h"

namespace equipoise::cli {

namespace {

class Export final : public Verb {
 public:
  explicit Export(CLI::App& root)
      : Verb(root, "export", "Write the vectors of a model's users and items as numpy files, with their ids.",
             "equipoise export gmf.model --out factors") {
    app().add_option("FILE", model_, "the model file")->required();
    app().add_option("--out", out_, "the folder to write: users.npy, items.npy, …")->required()->type_name("DIR");
    declare(output_, "Options");
  }

  void run() override {
    refuse_leftovers("export");
    check_folder_output(out_, {model_}, output_.force);
    const auto recommender = Recommender::load(model_, pool());
    const Json said = export_factors(*recommender, out_, output_.force, pool());
    if (common().json) {
      Json out = Json::object({{"model", model_}, {"folder", out_}});
      for (const auto& [name, value] : said.as_object()) out[name] = value;
      return print_json(out);
    }
    const auto shape = [&](const char* side) {
      const Json& one = said.at(side);
      return fmt::format("{} × {}", thousands(one.at("rows").as_int()), one.at("width").as_int());
    };
    print_table({{"folder", out_},
                 {"users.npy", shape("users")},
                 {"items.npy", shape("items")},
                 {"meaning", said.at("meaning").as_string()}});
  }

 private:
  std::string model_, out_;
  OutputParams output_;
};

}  // namespace

std::unique_ptr<Verb> make_export(CLI::App& app) { return std::make_unique<Export>(app); }

}  // namespace equipoise::cli
