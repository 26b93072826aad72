// equipoise forget: takes a user out of a data set or of a model's file.
#include "app/forget.h"

#include "cli.h"
#include "core/file.h"
#include "summary.h"

namespace equipoise::cli {

namespace {

class Forget final : public Verb {
 public:
  explicit Forget(CLI::App& root)
      : Verb(root, "forget", "Take a user out of a data set (rows, id and features) or of a model's file.",
             "equipoise forget data/mine --user u17\n"
             "  equipoise forget mlp.model --user u17") {
    app().add_option("PATH", path_, "the data set's folder, or the model's file")->required();
    app().add_option("--user", user_, "the user's id")->required()->type_name("ID");
    declare(cache_, "Options");
  }

  void run() override {
    refuse_leftovers("forget");
    const Json gone = is_folder(path_) ? forget_in_folder(path_, user_, cache_, pool()) : in_model();
    if (common().json) return print_json(gone);
    std::vector<std::vector<std::string>> rows;
    for (const auto& [name, value] : gone.as_object()) rows.push_back({words(name), shown(value)});
    print_table(rows);
  }

 private:
  Json in_model() {
    const TakenOut out = forget_in_model(path_, user_, pool());
    return Json::object({{"model", path_},
                         {"user", user_},
                         {"items_removed", out.items},
                         {"arrays_cut", out.arrays},
                         {"feature_values_removed", out.values}});
  }

  std::string path_, user_;
  CacheParams cache_;
};

}  // namespace

std::unique_ptr<Verb> make_forget(CLI::App& app) { return std::make_unique<Forget>(app); }

}  // namespace equipoise::cli
