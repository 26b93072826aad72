// Reads the log, judges the models and keeps what was found.
#include "serve/value_board.h"

#include <utility>

#include "core/error.h"
#include "core/listener.h"
#include "data/served/files.h"
#include "data/sources/importers.h"
#include "serve/verdict.h"

namespace equipoise {

namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;  // of the log's newest files: memory is the server's

/// Keeps what is warned of, and has the work stop when the server ends.
class Heard final : public Listener {
 public:
  explicit Heard(const std::atomic<bool>& stopped) : stopped_(stopped) {}
  void warn(std::string_view text) override {
    const std::lock_guard lock(mutex_);
    warnings_.emplace_back(text);
  }
  bool wants_stop() override { return stopped_; }
  Json warnings() const {
    Json out = Json::array();
    for (const std::string& text : warnings_) out.push_back(text);
    return out;
  }

 private:
  const std::atomic<bool>& stopped_;
  std::mutex mutex_;
  std::vector<std::string> warnings_;
};

Json to_json(const Verdict& verdict) {
  Json words = Json::array();
  for (const std::string& sentence : verdict.words) words.push_back(sentence);
  return Json::object({{"decision", verdict.decision}, {"words", std::move(words)}});
}

Json refused(const Verdict& verdict) { return Json::object({{"state", "refused"}, {"verdict", to_json(verdict)}}); }

}  // namespace

Json ValueBoard::answer() const {
  const std::lock_guard lock(mutex_);
  if (computing_) return Json::object({{"state", "computing"}});
  if (found_.is_null()) return Json::object({{"state", "none"}});
  Json out = found_;
  out["age"] = since_.seconds();
  out["seconds"] = seconds_;
  return out;
}

void ValueBoard::ask(std::shared_ptr<const ModelTable> models) {
  {
    const std::lock_guard lock(mutex_);
    if (computing_ || stopped_) return;
    asked_ = std::move(models);
    computing_ = true;
  }
  changed_.notify_all();
}

void ValueBoard::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
}

void ValueBoard::work_until_stopped() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stopped_ || asked_ != nullptr; });
    if (stopped_) return;
    const auto models = std::exchange(asked_, nullptr);
    lock.unlock();
    const Stopwatch took;
    Json found = compute(*models);
    lock.lock();
    found_ = std::move(found);
    seconds_ = took.seconds();
    since_ = Stopwatch();
    computing_ = false;
  }
}

Json ValueBoard::compute(const ModelTable& models) const {
  Heard heard(stopped_);
  const ListenerScope scope(heard);
  const bool explores = policy_.kind != "none";
  try {
    std::vector<std::string> files;
    for (const ServedFile& file : newest_served_files(log_, kMostBytes)) files.push_back(file.path);
    const Dataset data = served_importer()->read(files);
    if (stopped_) return refused(cannot_be_known("The server is ending."));
    std::vector<NamedPolicy> policies;
    for (const auto& model : models.all()) policies.push_back({model->name, model->recommender.get(), policy_});
    ValueParams params;
    params.part = "all";
    const Valuation valuation = value(data, policies, params, one_thread());
    Json found = equipoise::to_json(valuation);
    Json sentences = heard.warnings();
    if (const std::string check = check_sentence(valuation.check); !check.empty()) sentences.push_back(check);
    found["sentences"] = std::move(sentences);
    return Json::object(
        {{"state", "ready"}, {"verdict", to_json(verdict_of(valuation, explores))}, {"found", std::move(found)}});
  } catch (const CheckError& error) {
    return refused(nothing_yet(error.what(), explores));
  } catch (const std::exception& error) {
    return refused(cannot_be_known(error.what()));
  }
}

}  // namespace equipoise
