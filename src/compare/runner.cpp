// The stages of a plan: search, rung by rung, then final runs; each a list of trials of which some are done already.
#include "compare/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>

#include "compare/choice.h"
#include "compare/says_once.h"
#include "compare/search.h"
#include "compare/trial_dealer.h"
#include "compare/trial_queue.h"
#include "core/error.h"
#include "core/listener.h"
#include "core/text.h"
#include "grad/gemm.h"

namespace equipoise {

namespace {

// Training came to its end before the rung's last epoch: more epochs would change nothing.
bool came_to_its_end(const StoredTrial& trial) {
  const Json* early = trial.training.find("stopped_early");
  const Json* curve = trial.training.find("curve");
  return trial.failed || (early != nullptr && early->as_bool()) || (curve != nullptr && curve->as_array().empty());
}

std::vector<StoredTrial> of_rung(const RunStore& store, const std::string& source, const std::string& arm, int rung) {
  std::vector<StoredTrial> trials = store.trials(source, arm, kSearch);
  std::erase_if(trials, [&](const StoredTrial& trial) { return trial.key.rung != rung; });
  return trials;
}

class Runner {
 public:
  Runner(const Plan& plan, RunStore& store, DataShelf& shelf, Pool& workers, const OutsideArms& outside, Ranks& ranks)
      : plan_(plan),
        store_(store),
        shelf_(shelf),
        workers_(workers),
        outside_(outside),
        ranks_(ranks),
        dealer_(ranks),
        progress_(plan.kind, static_cast<std::int64_t>(planned_trials(plan)), "trials") {
    for (const TrialKey& key : store.keys()) done_.insert(key);
    if (!done_.empty()) {
      note(fmt::format("{} trials are there already; going on with the others",
                       thousands(static_cast<std::int64_t>(done_.size()))));
    }
  }

  void run() {
    for (const DataSource& source : plan_.sources) {
      if (!source.folder.empty()) shelf_.folder(source.folder);  // on all threads, before each has a trial of its own
    }
    std::size_t last = 1;
    for (std::size_t rung = 0; rung < last; ++rung) {
      std::vector<Job> jobs;
      for (const DataSource& source : plan_.sources) {
        for (const Arm& arm : plan_.arms) {
          const std::vector<Settings> tried = settings_to_try(arm, plan_);
          const std::vector<Rung> steps = rungs(plan_, arm, static_cast<int>(tried.size()));
          last = std::max(last, steps.size());
          if (rung < steps.size()) add_rung(source.name, arm.name, tried, steps, rung, jobs);
        }
      }
      run_all(std::move(jobs));
    }
    run_finals();
    dealer_.dismiss();
  }

 private:
  void add_rung(const std::string& source, const std::string& arm, const std::vector<Settings>& tried,
                const std::vector<Rung>& steps, std::size_t rung, std::vector<Job>& jobs) {
    const Rung& step = steps[rung];
    std::vector<int> numbers;
    if (rung == 0) {
      for (int n = 0; n < step.settings; ++n) numbers.push_back(n);
    } else {
      std::vector<StoredTrial> before = of_rung(store_, source, arm, static_cast<int>(rung) - 1);
      order_by_validation(plan_, before);
      before.resize(std::min(before.size(), static_cast<std::size_t>(step.settings)));
      for (StoredTrial& trial : before) {
        if (!came_to_its_end(trial)) {
          numbers.push_back(trial.key.number);
        } else if (TrialKey key = trial.key; key.rung = static_cast<int>(rung), !done_.contains(key)) {
          trial.key = key;
          keep(trial);
        }
      }
      std::sort(numbers.begin(), numbers.end());
    }
    for (const int n : numbers) {
      jobs.push_back({{source, arm, kSearch, static_cast<int>(rung), n},
                      tried[static_cast<std::size_t>(n)],
                      steps.size() > 1 ? step.epochs : 0});
    }
  }

  void run_finals() {
    std::vector<Job> jobs;
    for (const DataSource& source : plan_.sources) {
      for (const Arm& arm : plan_.arms) {
        const std::optional<Settings> chosen = chosen_settings(plan_, store_, source.name, arm.name);
        if (!chosen) {
          const std::vector<StoredTrial> tried = store_.trials(source.name, arm.name, kSearch);
          warn(fmt::format("{} on {}: no setting could be trained{}", arm.name, source.name,
                           tried.empty() ? "" : " (" + tried.front().error + ")"));
          continue;
        }
        for (int repeat = 0; repeat < plan_.seeds; ++repeat) {
          jobs.push_back({{source.name, arm.name, kFinal, 0, repeat}, *chosen, 0});
        }
      }
    }
    run_all(std::move(jobs));
  }

  void run_all(std::vector<Job> jobs) {
    std::erase_if(jobs, [&](const Job& job) { return done_.contains(job.key); });
    std::set<std::pair<std::string, std::string>> cells;
    for (const Job& job : jobs) cells.emplace(job.key.source, job.key.arm);
    const auto middle = std::stable_partition(jobs.begin(), jobs.end(), [&](const Job& job) { return is_ours(job); });
    TrialQueue callers(std::vector<Job>(middle, jobs.end()));
    TrialQueue queue(std::vector<Job>(jobs.begin(), middle));
    for (const auto& [source, arm] : cells) {
      for (const StoredTrial& trial : store_.trials(source, arm, kSearch)) queue.took(trial.key, trial.seconds);
    }
    const ListenerScope scope(ear_);
    if (ranks_.alone())
      run_here(queue, callers);
    else
      share_out(queue);
  }

  void run_here(TrialQueue& queue, TrialQueue& callers) {
    workers_.run(static_cast<std::size_t>(workers_.threads()), [&](std::size_t) {
      try {
        if (Pool::worker() == 0) empty(callers);
        empty(queue);
      } catch (...) {
        queue.close();
        callers.close();
        throw;
      }
    });
    empty(callers);  // where the workers had taken all pieces before the caller came to one
  }

  // One thread more than run trials: the caller has the letters of the other ranks.
  void share_out(TrialQueue& queue) {
    std::atomic<bool> stopped{false};
    const auto began = [&](const Job& job) { say(job.key, +1); };
    const auto ended = [&](const TrialReport& report) {
      for (const auto& [warns, text] : report.said) warns ? ear_.warn(text) : ear_.note(text);
      keep(report.trial);
      say(report.trial.key, -1);
      queue.took(report.trial.key, report.trial.seconds);
    };
    Pool crew(workers_.threads() + 1);
    crew.run(static_cast<std::size_t>(crew.threads()), [&](std::size_t) {
      try {
        if (Pool::worker() == 0)
          dealer_.deal(queue, stopped, began, ended);
        else
          empty(queue);
      } catch (...) {
        stopped = true;
        queue.close();
        throw;
      }
    });
  }

  void empty(TrialQueue& queue) {
    while (const std::optional<Job> job = queue.next()) queue.took(job->key, run_one(*job));
  }

  bool is_ours(const Job& job) const { return !plan_.arm(job.key.arm).outside; }

  // How many seconds it took.
  double run_one(const Job& job) {
    if (stop_requested()) throw Interrupted("");
    say(job.key, +1);
    const DataSource& source = plan_.source(job.key.source);
    const std::uint64_t seed = trial_seed(plan_, job.key);
    const Dataset& data = shelf_.get(source, seed);
    const StoredTrial trial = is_ours(job)
                                  ? run_trial(plan_, job.key, job.settings, job.epochs, data)
                                  : run_outside_trial(plan_, job.key, job.settings, data,
                                                      shelf_.without_test(source, seed), outside_.at(job.key.arm));
    keep(trial);
    say(job.key, -1);
    return trial.seconds;
  }

  void keep(const StoredTrial& trial) {
    store_.keep(trial);
    const std::lock_guard lock(mutex_);
    done_.insert(trial.key);
    failed_ += trial.failed ? 1 : 0;
  }

  void say(const TrialKey& key, int change) {
    const std::lock_guard lock(mutex_);
    running_ += change;
    std::string words = fmt::format("{} running: {} on {}", running_, key.arm, key.source);
    if (failed_ > 0) words += fmt::format("; {} failed", failed_);
    progress_.update(static_cast<std::int64_t>(done_.size()), words);
  }

  const Plan& plan_;
  RunStore& store_;
  DataShelf& shelf_;
  Pool& workers_;
  const OutsideArms& outside_;
  Ranks& ranks_;
  TrialDealer dealer_;
  Progress progress_;
  SaysOnce ear_{listener()};
  std::mutex mutex_;
  std::set<TrialKey> done_;
  int running_ = 0;
  int failed_ = 0;
};

constexpr const char* kInterrupted =
    "interrupted; the finished trials are kept, and the same command goes on with the others";

}  // namespace

void run_plan(const Plan& plan, RunStore& store, DataShelf& shelf, Pool& workers, const OutsideArms& outside,
              Ranks& ranks) {
  try {
    prepare_products();  // before the trials run side by side
    if (!ranks.alone()) broadcast_text(ranks, plan.to_json().dump());
    Runner(plan, store, shelf, workers, outside, ranks).run();
  } catch (const Interrupted&) {
    throw Interrupted(kInterrupted);
  }
}

void help_run_plan(Ranks& ranks, DataShelf& shelf, Pool& workers) {
  try {
    prepare_products();
    const Plan plan = Plan::from_json(parse_json(broadcast_text(ranks, ""), "the plan of rank 0"));
    for (const DataSource& source : plan.sources) {
      if (source.folder.empty() || shelf.folder(source.folder).fingerprint() == source.fingerprint) continue;
      throw DataError(fmt::format("{}: holds another data set here than on {} (fingerprint {}, there {})",
                                  source.folder, ranks.name_of(0), shelf.folder(source.folder).fingerprint(),
                                  source.fingerprint));
    }
    run_dealt_trials(ranks, workers.threads(), [&](const Job& job) {
      if (stop_requested()) throw Interrupted("");
      const Dataset& data = shelf.get(plan.source(job.key.source), trial_seed(plan, job.key));
      return run_trial(plan, job.key, job.settings, job.epochs, data);
    });
  } catch (const Interrupted&) {
    throw Interrupted(kInterrupted);
  }
}

}  // namespace equipoise
