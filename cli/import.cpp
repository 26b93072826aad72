// equipoise import: turns a source's files into a data set folder.
#include <fmt/format.h>

#include "app/alike.h"
#include "app/open_data.h"
#include "app/outputs.h"
#include "cli.h"
#include "core/error.h"
#include "core/listener.h"
#include "data/sources/importers.h"
#include "summary.h"

namespace equipoise::cli {

namespace {

std::string source_list() {
  std::vector<std::pair<std::string, std::string>> list;
  for (const Source& source : sources()) list.emplace_back(source.name, source.sentence + ": " + source.files);
  return "Sources:\n" + definitions(list, 13);
}

class Import final : public Verb {
 public:
  explicit Import(CLI::App& root)
      : Verb(root, "import", "Turn a source's files into a data set: coat, yahoo-r3, pcic, movielens, amazon, …",
             "equipoise import csv log.csv --user-column user_id --item-column item_id \\\n"
             "      --label-column rating --positive-at-least 4 --out data/mine") {
    app().footer(source_list() + "\n" + app().get_footer());
    app().add_option("SOURCE", source_, "which source it is; see below")->required();
    app().add_option("PATH", paths_, "its files or its folder");
    app().add_option("--out", out_, "the folder to write the data set to")->required()->type_name("DIR");
    declare(output_, "Options");
    declare_groups(source_groups());
  }

  std::string not_shared() const override { return ""; }

  void run() override {
    const Source& source = find_source(source_);  // before the files: who forgot the source has named one here
    if (paths_.empty()) {
      throw UsageError(fmt::format("import {} needs its files or folder: {}", source.name, source.files));
    }
    const auto importer = source.make();
    Params params;
    importer->describe(params);
    given().apply(params);
    refuse_leftovers("import " + source.name);
    std::vector<std::string> inputs = paths_;
    for (const Param& param : params.all()) {
      if (names_file(param.name()) && !param.text().empty()) inputs.push_back(param.text());
    }
    if (!ranks().alone() && !importer->shared()) {
      throw UsageError(
          fmt::format("import {} cannot run on several ranks: its files are not logs in parts", source.name));
    }
    for (const std::string& path : paths_) {
      if (path == "-") check_same_file(ranks(), path);
    }
    if (ranks().first()) check_folder_output(out_, inputs, output_.force);
    importer->use(pool());
    importer->use(ranks());
    const Dataset data = importer->read(paths_);
    check_same_data(ranks(), paths_.front(), data);
    if (!ranks().first()) return;
    if (!data.withheld.empty()) note(sentence(data.withheld));
    save_data(data, out_);
    print_summary(data, out_, common().json);
  }

 private:
  std::string source_;
  std::vector<std::string> paths_;
  std::string out_;
  OutputParams output_;
};

}  // namespace

std::unique_ptr<Verb> make_import(CLI::App& app) { return std::make_unique<Import>(app); }

}  // namespace equipoise::cli
