// Requests find their route; lists are made for all who wait at a time; answers leave when their lines are safe.
#include "serve/service.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/error.h"
#include "core/file.h"
#include "core/json_text.h"
#include "core/quote.h"
#include "core/text.h"
#include "serve/clock.h"
#include "serve/list_text.h"

namespace equipoise {

namespace {

constexpr int kComeAgain = 1;  // seconds
// A turn of the loop makes as many lists as took about so many seconds of the processor before.
constexpr double kTurnSeconds = 0.02;
constexpr std::size_t kFirstTogether = 16, kMostTogether = 1024;

// In a time that does not depend on where the two differ.
bool same_secret(std::string_view given, std::string_view secret) {
  unsigned differs = given.size() == secret.size() ? 0 : 1;
  for (std::size_t k = 0; k < secret.size(); ++k) {
    const char other = given.empty() ? '\0' : given[k % given.size()];
    differs |= static_cast<unsigned char>(other ^ secret[k]);
  }
  return differs == 0;
}

std::string read_token(const std::string& path) {
  if (path.empty()) return "";
  std::string token(trim(read_file(path)));
  if (token.empty()) throw UsageError(fmt::format("{}: expected a secret in it", path));
  return token;
}

}  // namespace

Shared::Shared(ServeParams given, std::shared_ptr<const ModelTable> first)
    : params(std::move(given)),
      routes(params),
      openapi_text(openapi(routes, !params.token_file.empty()).dump() + "\n"),
      policy(Policy::parse(params.explore, "explore"), params.seed),
      greedy(Policy{}, params.seed),
      policy_text(policy.policy().text()),
      greedy_text(greedy.policy().text()),
      token(read_token(params.token_file)),
      memory(static_cast<std::size_t>(params.remember)),
      models(std::move(first)) {}

Service::Service(Shared& shared, LoopMetrics& metrics, Post post)
    : shared_(shared),
      metrics_(metrics),
      post_(std::move(post)),
      models_(shared.models),
      cache_(shared.params.cache_seconds, static_cast<std::size_t>(shared.params.cache_lists)),
      maker_(shared.policy, shared.greedy, shared.memory, cache_),
      turn_(kFirstTogether) {}

void Service::handle(const HttpRequest& request, Reply reply) {
  const auto route = std::make_shared<const Route*>(nullptr);
  reply = counted(request, std::move(reply), route);
  try {
    if (shared_.in_flight.load(std::memory_order_relaxed) > shared_.params.in_flight) {
      throw Refusal(429, "too many requests are being answered", kComeAgain);
    }
    dispatch(request, *route, reply);
  } catch (...) {
    reply(problem_of_exception());
  }
}

// The answer is counted when it leaves.
Reply Service::counted(const HttpRequest& request, Reply reply, const std::shared_ptr<const Route*>& route) {
  shared_.in_flight.fetch_add(1, std::memory_order_relaxed);
  std::string line;
  if (shared_.access) {
    line = fmt::format(R"({{"time":{},"method":)", time_of_day());
    append_json(line, request.method);
    line += ",\"target\":";
    append_json(line, request.target);
  }
  return [this, route, reply = std::move(reply), line = std::move(line), start = Clock::now()](HttpAnswer answer) {
    shared_.in_flight.fetch_sub(1, std::memory_order_relaxed);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const std::size_t none = shared_.routes.all().size();
    metrics_.add(*route == nullptr ? none : shared_.routes.number(**route), answer.status, seconds);
    if (shared_.access) {
      shared_.access(fmt::format("{},\"status\":{},\"bytes\":{},\"seconds\":{:.6f}}}\n", line, answer.status,
                                 answer.body.size(), seconds));
    }
    reply(std::move(answer));
  };
}

void Service::dispatch(const HttpRequest& request, const Route*& route, Reply reply) {
  const Target target = parse_target(request.target);
  std::vector<std::string> allowed;
  route = shared_.routes.find(request.method, target, allowed);
  if (route == nullptr && allowed.empty()) throw Refusal(404, "there is nothing of that path; see /openapi.json");
  if (route == nullptr) {
    HttpAnswer answer = problem(405, fmt::format("this path knows {} only", join(allowed, ", ")));
    answer.headers.emplace_back("Allow", join(allowed, ", "));
    return reply(std::move(answer));
  }
  constexpr std::string_view kBearer = "Bearer ";
  const bool brought = request.authorization.starts_with(kBearer) &&
                       same_secret(std::string_view(request.authorization).substr(kBearer.size()), shared_.token);
  if (!shared_.token.empty() && !route->open && !brought) throw Refusal(401, "expected the server's bearer token");
  Call call = checked_call(*route, target, request);
  call.reply = std::move(reply);
  route->run(*this, std::move(call));
}

const ServedModel& Service::model_named(const std::string& name) const {
  const ServedModel* found = models_->find(name);
  if (found != nullptr) return *found;
  std::vector<std::string> known;
  for (const auto& model : models_->all()) known.push_back(model->name);
  throw Refusal(404, fmt::format("no model {}{}", in_quotes(name), suggest(name, known)));
}

void Service::use(std::shared_ptr<const ModelTable> models) {
  models_ = std::move(models);
  cache_.clear();
}

// What comes until the loop has looked at everything that it was woken for is made together.
void Service::make_lists(std::vector<ListJob> jobs, AnswerOf answer, Reply reply) {
  for (ListJob& job : jobs) job.id = ids_.next();
  waiting_.push_back({models_, std::move(jobs), answer, std::move(reply), Clock::now()});
  flush_soon();
}

std::uint64_t Service::keep(Reply reply) {
  kept_[++keeps_] = std::move(reply);
  return keeps_;
}

Reply Service::take(std::uint64_t number) { return std::move(kept_.extract(number).mapped()); }

void Service::flush_soon() {
  if (waiting_.empty() || std::exchange(flush_posted_, true)) return;
  post_([this] { flush(); });
}

void Service::flush() {
  flush_posted_ = false;
  metrics_.queue.set(waiting_.size());
  metrics_.batches.add();
  refuse_late();
  std::vector<Waiting> calls = make_some();
  try {
    log_and_answer(calls);
  } catch (...) {
    for (Waiting& call : calls) {
      if (call.reply) call.reply(problem_of_exception());
    }
  }
  metrics_.explored.set(maker_.explored());
  metrics_.cache_hits.set(maker_.cache_hits());
  metrics_.cache_misses.set(maker_.cache_misses());
  metrics_.cached.set(cache_.size());
  flush_soon();
}

void Service::refuse_late() {
  const auto oldest = Clock::now() - std::chrono::milliseconds(shared_.params.deadline_ms);
  std::erase_if(waiting_, [&](Waiting& call) {
    const bool late = call.made == 0 && call.since < oldest;
    if (late) call.reply(problem(503, "the request has waited too long", kComeAgain));
    return late;
  });
}

// Everybody who waits gets a share of the turn, and who asks for more waits for the next one: a call for a thousand
// lists of a slow model harms no other. Returns the calls that are done.
std::vector<Service::Waiting> Service::make_some() {
  const auto last = waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(turn_, waiting_.size()));
  std::vector<Waiting> calls(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(last));
  waiting_.erase(waiting_.begin(), last);
  if (calls.empty()) return calls;
  const double start = thread_seconds();
  const std::uint64_t hits = maker_.cache_hits();
  std::size_t ranked = 0;  // what the cache had says nothing of how long a ranking takes
  try {
    ranked = make(calls, turn_ / calls.size()) - (maker_.cache_hits() - hits);
  } catch (...) {
    for (Waiting& call : calls) call.reply(problem_of_exception());
    return {};
  }
  const double turns = (thread_seconds() - start) / kTurnSeconds;
  if (turns > 1) turn_ = std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(turn_) / turns));
  if (turns < 0.5 && 2 * ranked > turn_) turn_ = std::min(2 * turn_, kMostTogether);
  std::vector<Waiting> done;
  for (Waiting& call : calls) {
    if (call.made < call.jobs.size())
      waiting_.push_back(std::move(call));
    else
      done.push_back(std::move(call));
  }
  return done;
}

// Plain jobs cannot fail by what they ask for; the others are made call by call, so that one that fails harms no other.
std::size_t Service::make(std::vector<Waiting>& calls, std::size_t share) {
  std::size_t made = 0;
  std::vector<ListJob*> together, own;
  std::erase_if(calls, [&](Waiting& call) {
    own.clear();
    for (; own.size() < share && call.made < call.jobs.size(); ++call.made) own.push_back(&call.jobs[call.made]);
    made += own.size();
    if (std::all_of(own.begin(), own.end(), [](const ListJob* job) { return job->asked.is_plain(); })) {
      together.insert(together.end(), own.begin(), own.end());
      return false;
    }
    try {
      maker_.make(own);
      return false;
    } catch (...) {
      call.reply(problem_of_exception());
      return true;
    }
  });
  maker_.make(together);
  return made;
}

void Service::count(const ListJob& job) {
  if (job.preview) return;
  metrics_.lists.add();
  auto& shown = metrics_.shown[job.model->number];
  for (const Recommended& one : job.list) shown[job.model->groups.tenth(one.item)].add();
}

void Service::log_and_answer(std::vector<Waiting>& calls) {
  const auto is_logged = [this](const ListJob& job) { return shared_.log && !job.preview; };
  std::string lines;
  std::vector<std::size_t> starts;
  ServedList line;
  for (const Waiting& call : calls) {
    for (const ListJob& job : call.jobs) {
      count(job);
      if (!is_logged(job)) continue;
      starts.push_back(lines.size());
      fill_line(line, job, job.explore ? shared_.policy_text : shared_.greedy_text);
      append_line(lines, line);
    }
  }
  if (calls.empty()) return;
  std::vector<LogPosition> positions;
  const std::uint64_t ticket = starts.empty() ? 0 : shared_.log->append(std::move(lines), starts, positions);
  std::size_t next = 0;
  for (Waiting& call : calls) {
    const bool logged = std::any_of(call.jobs.begin(), call.jobs.end(), is_logged);
    if (logged && ticket == 0) {
      std::exchange(call.reply,
                    nullptr)(problem(503, "lists cannot be logged now, and are not shown unlogged", kComeAgain));
      continue;
    }
    std::vector<std::string> texts;
    for (const ListJob& job : call.jobs) {
      texts.push_back(list_text(job, client_id(job.id, is_logged(job) ? &positions[next++] : nullptr)));
    }
    HttpAnswer answer = call.answer(call.jobs, std::move(texts));
    Reply reply = std::exchange(call.reply, nullptr);
    if (!logged)
      reply(std::move(answer));
    else
      unsure_.insert({ticket, {std::move(answer), 0, std::move(reply)}});
  }
}

void Service::answer_when_durable(std::uint64_t ticket, HttpAnswer answer, std::size_t fresh, Reply reply) {
  if (ticket <= refused_) return reply(not_recorded());
  if (ticket <= progressed_) return reply(std::move(answer));  // of a line that another loop waits for, or did
  unsure_.insert({ticket, {std::move(answer), fresh, std::move(reply)}});
}

void Service::log_progressed(std::uint64_t ticket, bool durable) {
  progressed_ = ticket;
  if (!durable) refused_ = ticket;
  while (!unsure_.empty() && unsure_.begin()->first <= ticket) {
    const auto node = unsure_.extract(unsure_.begin());
    Unsure one = std::move(node.mapped());
    if (durable) {
      metrics_.feedback.add(one.fresh);
      one.reply(std::move(one.answer));
    } else {
      one.reply(not_recorded());
    }
  }
}

}  // namespace equipoise
