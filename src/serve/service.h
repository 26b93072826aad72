// What a loop knows and does: finds a request's route, gathers requests for lists, and answers when that is safe.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "serve/feedback_memory.h"
#include "serve/list_maker.h"
#include "serve/log.h"
#include "serve/metrics.h"
#include "serve/models.h"
#include "serve/params.h"
#include "serve/request_id.h"
#include "serve/routes.h"
#include "serve/value_board.h"

namespace equipoise {

/// The answer where the log refuses.
inline HttpAnswer not_recorded() { return problem(503, "the log cannot be written now; nothing was recorded", 1); }

/// What all loops share.
struct Shared {
  Shared(ServeParams given, std::shared_ptr<const ModelTable> first);

  const ServeParams params;
  const RouteTable routes;
  const std::string openapi_text;
  const ListPolicy policy, greedy;
  const std::string policy_text, greedy_text;
  const std::string token;  // "" = none is asked for
  FeedbackMemory memory;
  std::unique_ptr<ServedLog> log;     // nullptr = lists are not logged
  std::unique_ptr<ValueBoard> value;  // nullptr = there is no log to judge models by
  std::vector<std::unique_ptr<LoopMetrics>> metrics;
  std::atomic<int> in_flight{0};
  std::atomic<bool> draining{false};
  std::atomic<std::uint64_t> reloads{0}, bad_reloads{0};
  /// Loads a model again, somewhere else, and calls back there: with the model, or with an error in words.
  using Reloaded = std::function<void(std::shared_ptr<const ServedModel>, std::string error)>;
  std::function<void(const std::string& name, Reloaded)> reload;
  /// Writes a line of the access log.
  std::function<void(const std::string&)> access;
  /// The table of models that the loops begin with.
  const std::shared_ptr<const ModelTable> models;
};

class Service {
 public:
  using Clock = std::chrono::steady_clock;
  /// Runs a function on the loop's thread, after what waits there already; from any thread.
  using Post = std::function<void(std::function<void()>)>;

  Service(Shared& shared, LoopMetrics& metrics, Post post);

  /// Answers now or later.
  void handle(const HttpRequest& request, Reply reply);
  /// Counts what was refused before it was a request.
  void count_refused(const HttpAnswer& answer) { metrics_.add(metrics_.by_route.size(), answer.status, 0); }
  /// Lines up to the ticket are durable, or were refused.
  void log_progressed(std::uint64_t ticket, bool durable);
  void use(std::shared_ptr<const ModelTable> models);

  // For handlers.
  Shared& shared() { return shared_; }
  LoopMetrics& metrics() { return metrics_; }
  const ModelTable& models() const { return *models_; }
  const std::shared_ptr<const ModelTable>& table() const { return models_; }
  /// The model that is named, or else that of the user, or the first. Refusal (404) if there is none of that name.
  const ServedModel& model_for(const Json* name, const std::string& user) const {
    return name == nullptr ? models_->of_user(user) : model_named(name->as_string());
  }
  const ServedModel& model_or_first(const Json* name) const {
    return name == nullptr ? *models_->all().front() : model_named(name->as_string());
  }
  /// Lists that are made together with those of other calls; the answer is made by `answer` of their texts.
  using AnswerOf = HttpAnswer (*)(const std::vector<ListJob>& jobs, std::vector<std::string> texts);
  void make_lists(std::vector<ListJob> jobs, AnswerOf answer, Reply reply);
  /// Answers when the ticket is durable, and counts so many new items of feedback then.
  void answer_when_durable(std::uint64_t ticket, HttpAnswer answer, std::size_t fresh, Reply reply);
  const Post& post() const { return post_; }
  /// Keeps a reply until it is taken by its number, here on the loop's thread: a reply holds its session, which must
  /// end on this thread, so that none is handed to others who may be the last to forget it.
  std::uint64_t keep(Reply reply);
  Reply take(std::uint64_t number);

 private:
  struct Waiting {
    std::shared_ptr<const ModelTable> models;  // that the jobs point into
    std::vector<ListJob> jobs;
    AnswerOf answer;
    Reply reply;
    Clock::time_point since;
    std::size_t made = 0;  // jobs
  };
  struct Unsure {
    HttpAnswer answer;
    std::size_t fresh;  // items of feedback
    Reply reply;
  };
  const ServedModel& model_named(const std::string& name) const;
  void dispatch(const HttpRequest& request, const Route*& route, Reply reply);
  Reply counted(const HttpRequest& request, Reply reply, const std::shared_ptr<const Route*>& route);
  void flush_soon();
  void flush();
  void refuse_late();
  std::vector<Waiting> make_some();
  /// At most `share` jobs of each call; returns how many. Calls that failed are answered and taken out.
  std::size_t make(std::vector<Waiting>& calls, std::size_t share);
  void log_and_answer(std::vector<Waiting>& calls);
  void count(const ListJob& job);

  Shared& shared_;
  LoopMetrics& metrics_;
  Post post_;
  std::shared_ptr<const ModelTable> models_;
  RequestIds ids_;
  ListCache cache_;
  ListMaker maker_;
  std::deque<Waiting> waiting_;
  bool flush_posted_ = false;
  std::size_t turn_;                             // how many lists are made at a time
  std::multimap<std::uint64_t, Unsure> unsure_;  // by ticket
  std::unordered_map<std::uint64_t, Reply> kept_;
  std::uint64_t keeps_ = 0;
  std::uint64_t progressed_ = 0, refused_ = 0;  // the last tickets that there was word of
};

}  // namespace equipoise
