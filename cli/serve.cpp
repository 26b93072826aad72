// equipoise serve: lists, scores and feedback over HTTP.
#include <fmt/format.h>

#include "cli.h"
#include "core/error.h"
#include "core/listener.h"
#include "core/text.h"
#include "policy/policy.h"
#include "serve/routes.h"
#include "serve/server.h"

namespace equipoise::cli {

namespace {

const std::string kRoutesBeginning =
    "# HTTP\n\nMade by `equipoise serve --routes` from the table of routes in the code; `/openapi.json` of a running "
    "server says the same for programs. Errors are `application/problem+json`, in one line. How to run a server is in "
    "[serving](serving.md).\n";

class Serve final : public Verb {
 public:
  explicit Serve(CLI::App& root)
      : Verb(root, "serve", "Serve lists over HTTP, drawn with known chances that are logged, and take feedback.",
             "equipoise serve gmf=gmf.model --listen 127.0.0.1:8000 --explore epsilon=0.05 --log served\n"
             "  curl -s http://127.0.0.1:8000/v1/recommend/u17?k=5") {
    app().add_option("MODEL", models_, "model files, as NAME=FILE or FILE");
    app()
        .add_option("--share", shares_, "the share of users that a model gets; may be repeated")
        ->type_name("NAME=N")
        ->allow_extra_args(false);
    app().add_flag("--routes", routes_, "print the page of all routes, and end");
    declare(params_, "Options");
  }

  void run() override {
    refuse_leftovers("serve");
    if (routes_) return print_text(kRoutesBeginning + routes_markdown(RouteTable(params_)));
    if (models_.empty()) throw UsageError("serve needs models: NAME=FILE …");
    const std::vector<ModelChoice> choices = model_choices(models_, shares_);
    Server server(params_, choices, common().threads);
    say_what_is_served(choices);
    for (const std::string& address : server.addresses()) note("listening on " + address);
    if (common().json) {
      Json addresses = Json::array();
      for (const std::string& address : server.addresses()) addresses.push_back(address);
      print_json(Json::object({{"addresses", std::move(addresses)}}));
    }
    server.run();
    note("ended");
  }

 private:
  void say_what_is_served(const std::vector<ModelChoice>& choices) const {
    std::vector<std::string> shares;
    for (const ModelChoice& one : choices) shares.push_back(fmt::format("{} to {:.4g}%", one.name, 100 * one.share));
    const std::string policy = Policy::parse(params_.explore, "explore").text();
    const bool draws = policy != "none", logs = !params_.log.log.empty();
    note(fmt::format("serving {} of users; lists: {}, {}", join(shares, ", "),
                     draws ? "drawn by " + policy : "the best items",
                     logs ? "logged in " + params_.log.log : "not logged"));
    if (draws && !logs) warn("lists are drawn, but their chances are lost: give --log");
  }

  std::vector<std::string> models_, shares_;
  bool routes_ = false;
  ServeParams params_;
};

}  // namespace

std::unique_ptr<Verb> make_serve(CLI::App& app) { return std::make_unique<Serve>(app); }

}  // namespace equipoise::cli
