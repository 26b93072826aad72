// Answers for those who run the server: health, metrics, the description of the routes, the page.
#include "serve/clock.h"
#include "serve/handlers.h"
#include "serve/page.h"
#include "serve/service.h"

namespace equipoise {

void show_health(Service&, Call call) { call.reply({200, "application/json", "{\"status\":\"ok\"}\n", {}}); }

void show_readiness(Service& service, Call call) {
  const Shared& shared = service.shared();
  if (shared.draining) return call.reply(problem(503, "the server is ending", 1));
  if (shared.log && !shared.log->works()) return call.reply(problem(503, "the log cannot be written", 1));
  call.reply({200, "application/json", "{\"status\":\"ready\"}\n", {}});
}

namespace {

// What is shown beside what the models were trained on, by the popularity of items.
void append_popularity(MetricsText& out, const Shared& shared, const ModelTable& models) {
  const auto each = [&](const char* name, auto value) {
    for (const auto& model : models.all()) {
      for (std::size_t tenth = 0; tenth < kTenths; ++tenth) {
        out.value(
            name,
            MetricsText::label("model", model->name) + "," + MetricsText::label("tenth", std::to_string(tenth + 1)),
            static_cast<double>(value(*model, tenth)));
      }
    }
  };
  out.family("equipoise_shown_total", "counter",
             "Places of lists, by the tenth of the items that has the shown one; the most popular tenth is 1.");
  each("equipoise_shown_total", [&](const ServedModel& model, std::size_t tenth) {
    std::uint64_t sum = 0;
    for (const auto& loop : shared.metrics) sum += loop->shown[model.number][tenth].get();
    return sum;
  });
  out.family("equipoise_trained_rows", "gauge", "Rows of each model's training log, by the same tenths.");
  each("equipoise_trained_rows",
       [](const ServedModel& model, std::size_t tenth) { return model.groups.rows()[tenth]; });
}

}  // namespace

void show_metrics(Service& service, Call call) {
  const Shared& shared = service.shared();
  MetricsText out;
  append_loop_metrics(out, shared.metrics, shared.routes.names());
  const auto plain = [&](const char* name, const char* kind, const char* sentence, double value) {
    out.family(name, kind, sentence);
    out.value(name, "", value);
  };
  plain("equipoise_requests_in_flight", "gauge", "Requests that are being answered.",
        static_cast<double>(shared.in_flight.load()));
  plain("equipoise_reloads_total", "counter", "Models that were loaded again.",
        static_cast<double>(shared.reloads.load()));
  plain("equipoise_reloads_refused_total", "counter", "Models that could not be loaded again.",
        static_cast<double>(shared.bad_reloads.load()));
  plain("equipoise_feedback_remembered", "gauge", "Items of feedback that count in histories.",
        static_cast<double>(shared.memory.size()));
  plain("equipoise_explore_epsilon", "gauge", "Share of lists that are uniform over all eligible items.",
        shared.policy.policy().draws() ? shared.policy.policy().epsilon : 0);
  if (shared.log) {
    plain("equipoise_log_bytes_total", "counter", "Bytes of the served log that are safe.",
          static_cast<double>(shared.log->bytes_written()));
    plain("equipoise_log_lines_total", "counter", "Lines of the served log that are safe.",
          static_cast<double>(shared.log->lines_written()));
    plain("equipoise_log_works", "gauge", "Whether the log can be written.", shared.log->works() ? 1 : 0);
  }
  out.family("equipoise_model_info", "gauge", "Each model with the fingerprint of its file.");
  for (const auto& model : service.models().all()) {
    out.value("equipoise_model_info",
              MetricsText::label("model", model->name) + "," + MetricsText::label("fingerprint", model->fingerprint) +
                  "," + MetricsText::label("title", model->recommender->recipe().title()),
              1);
  }
  out.family("equipoise_model_age_seconds", "gauge", "Seconds since each model was loaded.");
  for (const auto& model : service.models().all()) {
    out.value("equipoise_model_age_seconds", MetricsText::label("model", model->name),
              static_cast<double>(time_of_day() - model->loaded) / 1000);
  }
  append_popularity(out, shared, service.models());
  out.family("equipoise_model_share", "gauge", "Each model's share of the users.");
  for (const auto& model : service.models().all()) {
    out.value("equipoise_model_share", MetricsText::label("model", model->name), model->share);
  }
  call.reply({200, call.route->answer_type, std::move(out.text), {}});
}

void show_openapi(Service& service, Call call) {
  call.reply({200, "application/json", service.shared().openapi_text, {}});
}

void show_page(Service&, Call call) {
  call.reply({200,
              call.route->answer_type,
              std::string(page_text()),
              {{"Content-Security-Policy", std::string(page_policy())},
               {"Referrer-Policy", "no-referrer"},
               {"Cache-Control", "no-cache"}}});
}

}  // namespace equipoise
