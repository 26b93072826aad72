// equipoise report: a run store as one page that opens anywhere, and its tables for a paper.
#include "report/report.h"

#include <fmt/format.h>

#include "app/outputs.h"
#include "cli.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"

namespace equipoise::cli {

namespace {

class ReportVerb final : public Verb {
 public:
  explicit ReportVerb(CLI::App& root)
      : Verb(root, "report",
             "Make one self-contained page of a comparison or study: tables, figures, how to repeat it.",
             "equipoise report runs/sim --out report.html\n"
             "  equipoise report runs/sim --figures figures --markdown tables.md --latex tables.tex") {
    app().add_option("RUNS", folder_, "the folder that compare or study writes to")->required();
    app().add_option("--out", html_, "the page; needs no network and no other file")->type_name("FILE");
    app().add_option("--markdown", markdown_, "the tables as Markdown")->type_name("FILE");
    app().add_option("--latex", latex_, "the tables as LaTeX, for the package booktabs")->type_name("FILE");
    app().add_option("--figures", figures_, "a folder for every figure as SVG and its data as CSV")->type_name("DIR");
    declare(output_, "Options");
  }

  void run() override {
    refuse_leftovers("report");
    if (html_.empty() && markdown_.empty() && latex_.empty() && figures_.empty()) {
      throw UsageError(
          "report needs --out FILE, --figures DIR, --markdown FILE or --latex FILE (see equipoise report --help)");
    }
    const std::vector<std::string> inputs = {RunStore::file(folder_)};
    if (!html_.empty()) check_output(html_, kPageOutput, inputs, output_.force);
    for (const std::string& path : {markdown_, latex_}) {
      if (!path.empty()) check_output(path, kTableOutput, inputs, output_.force);
    }
    const Report report = read_report(RunStore::open(folder_));
    Json written = Json::object();
    if (!html_.empty()) write("html", html_, report_html(report), written);
    if (!markdown_.empty()) write("markdown", markdown_, report_markdown(report), written);
    if (!latex_.empty()) write("latex", latex_, report_latex(report), written);
    if (!figures_.empty()) write_all(report_figures(report), written);
    if (common().json) print_json(written);
  }

 private:
  void write(const std::string& kind, const std::string& path, const std::string& text, Json& written) const {
    write_file(path, text);
    written[kind] = path;
    if (common().json) return;
    print_line(fmt::format("{}: {} bytes", path, thousands(static_cast<std::int64_t>(text.size()))));
  }

  void write_all(const std::vector<Figure>& figures, Json& written) const {
    const std::size_t files = write_figures(figures, figures_, output_.force);
    written["figures"] = figures_;
    if (!common().json) print_line(fmt::format("{}: {} files", figures_, files));
  }

  std::string folder_, html_, markdown_, latex_, figures_;
  OutputParams output_;
};

}  // namespace

std::unique_ptr<Verb> make_report(CLI::App& app) { return std::make_unique<ReportVerb>(app); }

}  // namespace equipoise::cli
