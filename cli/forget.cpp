// equipoise forget: takes a user out of a data set.
#include "app/forget.h"

#include "cli.h"
#include "summary.h"

namespace equipoise::cli {

namespace {

class Forget final : public Verb {
 public:
  explicit Forget(CLI::App& root)
      : Verb(root, "forget", "Take a user out of a data set: rows, id and features.",
             "equipoise forget data/mine --user u17") {
    app().add_option("PATH", path_, "the data set's folder")->required();
    app().add_option("--user", user_, "the user's id")->required()->type_name("ID");
    declare(cache_, "Options");
  }

  void run() override {
    refuse_leftovers("forget");
    const Json gone = forget_in_folder(path_, user_, cache_, pool());
    if (common().json) return print_json(gone);
    std::vector<std::vector<std::string>> rows;
    for (const auto& [name, value] : gone.as_object()) rows.push_back({words(name), shown(value)});
    print_table(rows);
  }

 private:
  std::string path_, user_;
  CacheParams cache_;
};

}  // namespace

std::unique_ptr<Verb> make_forget(CLI::App& app) { return std::make_unique<Forget>(app); }

}  // namespace equipoise::cli
