// Handing out trials, and the desk between a rank's letters and its workers.
#include "compare/trial_dealer.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "compare/says_once.h"
#include "core/error.h"
#include "core/listener.h"
#include "core/parallel.h"

namespace equipoise {

namespace {

// A trial takes seconds, and shares its processor with who waits for letters: a look takes some 10 µs of it.
void rest() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

// Keeps what a trial says for the letter that goes to rank 0.
class Overheard final : public Listener {
 public:
  explicit Overheard(Listener& to) : to_(to) {}
  void note(std::string_view text) override { add(false, text); }
  void warn(std::string_view text) override { add(true, text); }
  bool wants_stop() override { return to_.wants_stop(); }

  std::vector<std::pair<bool, std::string>> said;

 private:
  void add(bool warns, std::string_view text) {
    const std::lock_guard lock(mutex_);
    said.emplace_back(warns, text);
  }
  Listener& to_;
  std::mutex mutex_;
};

// Where one thread of a rank lays down the trials that came by letter and the others their reports.
class Desk {
 public:
  void add(Job job) {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    wake_.notify_one();
  }
  std::optional<Job> take() {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [&] { return closed_ || !jobs_.empty(); });
    if (closed_) return {};
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    return job;
  }
  void report(std::string letter) {
    const std::lock_guard lock(mutex_);
    reports_.push_back(std::move(letter));
  }
  std::optional<std::string> next_report() {
    const std::lock_guard lock(mutex_);
    if (reports_.empty()) return {};
    std::string letter = std::move(reports_.front());
    reports_.pop_front();
    return letter;
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    wake_.notify_all();
  }
  bool closed() {
    const std::lock_guard lock(mutex_);
    return closed_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> jobs_;
  std::deque<std::string> reports_;
  bool closed_ = false;
};

void carry_letters(Ranks& ranks, int workers, Desk& desk) {
  for (int k = 0; k < workers && !desk.closed(); ++k) ranks.post(0, kNothing);
  while (!desk.closed()) {
    if (const std::optional<std::string> report = desk.next_report()) {
      ranks.post(0, *report);
    } else if (const std::optional<Letter> letter = ranks.next_letter()) {
      if (letter->text == kNothing) return desk.close();
      desk.add(job_of(letter->text));
    } else {
      rest();
    }
  }
}

void run_from(Desk& desk, const std::function<StoredTrial(const Job&)>& run) {
  while (const std::optional<Job> job = desk.take()) {
    Overheard ear(listener());
    const ListenerScope scope(ear);
    TrialReport report{run(*job), {}};
    report.said = std::move(ear.said);
    desk.report(to_letter(report));
  }
}

}  // namespace

void TrialDealer::deal(TrialQueue& queue, const std::atomic<bool>& stopped,
                       const std::function<void(const Job&)>& began,
                       const std::function<void(const TrialReport&)>& ended) {
  int away = 0;
  for (bool more = true; !stopped && (more || away > 0);) {
    if (stop_requested()) throw Interrupted("");
    while (more && !waiting_.empty()) {
      const std::optional<Job> job = queue.next();
      if (more = job.has_value(); !more) break;
      ranks_.post(waiting_.front(), to_letter(*job));
      waiting_.pop_front();
      ++away;
      began(*job);
    }
    if (const std::optional<Letter> letter = ranks_.next_letter()) {
      waiting_.push_back(letter->from);
      if (letter->text == kNothing) continue;
      --away;
      ended(report_of(letter->text));
    } else {
      more = more && !queue.empty();
      rest();
    }
  }
}

void TrialDealer::dismiss() {
  for (int rank = 1; rank < ranks_.size(); ++rank) ranks_.post(rank, kNothing);
}

void run_dealt_trials(Ranks& ranks, int workers, const std::function<StoredTrial(const Job&)>& run) {
  Desk desk;
  Pool crew(workers + 1);  // the caller has the letters
  crew.run(static_cast<std::size_t>(workers) + 1, [&](std::size_t) {
    try {
      if (Pool::worker() == 0)
        carry_letters(ranks, workers, desk);
      else
        run_from(desk, run);
    } catch (...) {
      desk.close();
      throw;
    }
  });
}

}  // namespace equipoise
