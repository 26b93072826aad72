// The threads of a server, and what goes between them.
#include "serve/server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <deque>
#include <mutex>

#include "core/error.h"
#include "core/listener.h"
#include "core/parallel.h"
#include "core/stopwatch.h"
#include "core/version.h"
#include "serve/acceptors.h"
#include "serve/access_log.h"
#include "serve/clock.h"

namespace equipoise {

namespace {

/// SIGTERM, SIGINT and SIGHUP come by a descriptor while it lives: a handler would need a stack of its own in every
/// thread that multiplies matrices.
class Signals {
 public:
  Signals() {
    sigset_t wanted;
    sigemptyset(&wanted);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&wanted, signal);
    pthread_sigmask(SIG_BLOCK, &wanted, &before_);
    descriptor_ = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
    if (descriptor_ < 0) throw Error("signals cannot be heard");
  }
  ~Signals() {
    ::close(descriptor_);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  int descriptor() const { return descriptor_; }
  /// The next one, or 0.
  int next() const {
    signalfd_siginfo info{};
    return ::read(descriptor_, &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo) : 0;
  }

 private:
  sigset_t before_{};
  int descriptor_ = -1;
};

// As many connections as the system allows this process.
void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

std::shared_ptr<const ModelTable> load_all(const std::vector<ModelChoice>& choices, std::uint64_t seed) {
  if (choices.empty()) throw UsageError("there is no model to serve");
  std::vector<std::shared_ptr<const ServedModel>> models;
  for (const ModelChoice& choice : choices) models.push_back(ServedModel::load(choice, time_of_day()));
  return std::make_shared<ModelTable>(std::move(models), seed);
}

}  // namespace

struct Server::State {
  State(ServeParams params, const std::vector<ModelChoice>& choices, int threads)
      : table(load_all(choices, params.seed)), shared(params, table), access(params.access_log) {
    if (!params.log.log.empty()) {
      shared.log = std::make_unique<ServedLog>(params.log, ServedOpening{params.seed, kVersion}, time_of_day);
      shared.value = std::make_unique<ValueBoard>(params.log.log, shared.policy.policy());
      restore_feedback(params.log.log, static_cast<std::size_t>(params.remember),
                       static_cast<std::uint64_t>(params.remember_mb) << 20, shared.memory);
    }
    for (int n = 0; n < threads; ++n) {
      shared.metrics.push_back(std::make_unique<LoopMetrics>(shared.routes.all().size(), choices.size()));
    }
    for (const auto& metrics : shared.metrics) loops.push_back(std::make_unique<Loop>(shared, *metrics));
    acceptors = std::make_unique<Acceptors>(loops, shared, params.listen);
    wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (wake < 0) throw Error("threads cannot be woken");
    shared.reload = [this](const std::string& name, Shared::Reloaded then) { ask_reload(name, std::move(then)); };
    if (access.on()) shared.access = [this](const std::string& line) { access.add(line); };
    if (shared.log) {
      shared.log->on_progress([this](std::uint64_t ticket, bool durable) {
        shared.memory.progressed(ticket, durable);
        for (const auto& loop : loops) {
          loop->post([&service = loop->service(), ticket, durable] { service.log_progressed(ticket, durable); });
        }
      });
    }
  }
  ~State() { ::close(wake); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void ask_reload(const std::string& name, Shared::Reloaded then) {
    {
      const std::lock_guard lock(mutex);
      reloads.emplace_back(name, std::move(then));
    }
    ring();
  }
  void ring() const {
    const std::uint64_t one = 1;
    if (::write(wake, &one, sizeof one) < 0) return;  // it is ringing already
  }

  void reload(const std::string& name, const Shared::Reloaded& then);
  void reload_asked();
  void adopt(std::shared_ptr<const ServedModel> fresh, const Shared::Reloaded& then);
  void hear(const Signals& signals);
  void look_after(const Signals& signals);
  void begin_end();
  void work(std::size_t piece, const Signals& signals);

  std::shared_ptr<const ModelTable> table;  // of the thread that reloads
  Shared shared;
  AccessLog access;
  std::vector<std::unique_ptr<Loop>> loops;
  std::unique_ptr<Acceptors> acceptors;
  int wake = -1;
  std::mutex mutex;
  std::deque<std::pair<std::string, Shared::Reloaded>> reloads;
  std::atomic<std::size_t> running{0};  // loops
  std::atomic<bool> failed{false};
};

void Server::State::reload(const std::string& name, const Shared::Reloaded& then) {
  try {
    const ServedModel& old = *table->find(name);
    auto fresh = ServedModel::load({old.name, old.file, old.share, old.number}, time_of_day());
    table = table->with(fresh);
    ++shared.reloads;
    note(fmt::format("model {} was loaded again: {}", name, fresh->fingerprint));
    adopt(std::move(fresh), then);
  } catch (const std::exception& error) {
    ++shared.bad_reloads;
    warn(fmt::format("model {} stays as it is: {}", name, error.what()));
    if (then) then(nullptr, error.what());
  }
}

// Whoever asked is told when every loop has the new table.
void Server::State::adopt(std::shared_ptr<const ServedModel> fresh, const Shared::Reloaded& then) {
  const auto left = std::make_shared<std::atomic<std::size_t>>(loops.size());
  for (const auto& loop : loops) {
    loop->post([&service = loop->service(), models = table, left, then, fresh] {
      service.use(models);
      if (left->fetch_sub(1) == 1 && then) then(fresh, "");
    });
  }
}

void Server::State::reload_asked() {
  for (;;) {
    std::pair<std::string, Shared::Reloaded> next;
    {
      const std::lock_guard lock(mutex);
      if (reloads.empty()) return;
      next = std::move(reloads.front());
      reloads.pop_front();
    }
    reload(next.first, next.second);
  }
}

void Server::State::begin_end() {
  if (shared.draining.exchange(true)) return;
  if (shared.value) shared.value->stop();
  note("ending: no new connections; what is under way is answered");
  loops.front()->post([this] { acceptors->close(); });
  for (const auto& loop : loops) loop->drain();
}

void Server::State::hear(const Signals& signals) {
  while (const int signal = signals.next()) {
    if (signal == SIGHUP) {
      const auto models = table->all();
      for (const auto& model : models) reload(model->name, nullptr);
    } else if (shared.draining) {
      for (const auto& loop : loops) loop->stop();  // the second time at once
    } else {
      begin_end();
    }
  }
}

// Reloads and signals, until the loops have ended; then the log's thread may end, too.
void Server::State::look_after(const Signals& signals) {
  std::optional<Stopwatch> draining;
  while (running > 0) {
    pollfd ready[] = {{signals.descriptor(), POLLIN, 0}, {wake, POLLIN, 0}};
    ::poll(ready, 2, 200);
    std::uint64_t rings = 0;
    if (::read(wake, &rings, sizeof rings) < 0) rings = 0;
    hear(signals);
    reload_asked();
    access.flush();
    if (failed) begin_end();
    if (shared.draining && !draining) draining.emplace();
    if (draining && draining->seconds() > shared.params.drain_seconds) {
      for (const auto& loop : loops) loop->stop();
    }
  }
  if (shared.value) shared.value->stop();  // also where no loop has drained
  if (shared.log) shared.log->stop();
  access.flush();
}

void Server::State::work(std::size_t piece, const Signals& signals) {
  if (piece == 0) return look_after(signals);
  if (piece == 1) {
    if (shared.log) shared.log->write_until_stopped();
    return;
  }
  if (piece == 2) {
    if (shared.value) shared.value->work_until_stopped();
    return;
  }
  Listener deaf;  // what is to be said of one request is not for whoever runs the server
  const ListenerScope scope(deaf);
  try {
    loops[piece - 3]->run();
  } catch (...) {
    failed = true;
    --running;
    ring();
    throw;
  }
  --running;
  ring();
}

Server::Server(ServeParams params, std::vector<ModelChoice> models, int threads) {
  raise_descriptor_limit();
  Pool machine(threads);  // 0 = as many as the machine has
  state_ = std::make_unique<State>(std::move(params), models, machine.threads());
}

Server::~Server() = default;

const std::vector<std::string>& Server::addresses() const { return state_->acceptors->addresses(); }

void Server::run() {
  const Signals signals;
  state_->acceptors->start();
  state_->running = state_->loops.size();
  const std::size_t pieces = state_->loops.size() + 3;  // those beside them: look_after, the log, values
  Pool threads(static_cast<int>(pieces));
  threads.run(pieces, [&](std::size_t piece) { state_->work(piece, signals); });
}

}  // namespace equipoise
