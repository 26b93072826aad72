// The run store's tables, and trials in and out of them.
#include "compare/store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstring>
#include <mutex>

#include "compare/database.h"
#include "compare/packed.h"
#include "core/error.h"
#include "core/file.h"
#include "core/version.h"

namespace equipoise {

namespace {

constexpr const char* kFile = "runs.sqlite";
constexpr const char* kLock = "runs.lock";
constexpr int kLayout = 2;  // of the tables; in 1 the metrics had no names

constexpr const char* kTables = R"sql(
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS trials (
  id INTEGER PRIMARY KEY, source TEXT NOT NULL, arm TEXT NOT NULL, stage TEXT NOT NULL, rung INTEGER NOT NULL,
  number INTEGER NOT NULL, seed INTEGER NOT NULL, settings TEXT NOT NULL, failed INTEGER NOT NULL, error TEXT NOT NULL,
  valid REAL, training TEXT NOT NULL, seconds REAL NOT NULL, data TEXT NOT NULL, version TEXT NOT NULL,
  UNIQUE (source, arm, stage, rung, number));
CREATE TABLE IF NOT EXISTS evaluations (
  trial INTEGER NOT NULL REFERENCES trials (id), protocol TEXT NOT NULL, summary TEXT NOT NULL, users BLOB NOT NULL,
  per_user_metrics TEXT NOT NULL, per_user BLOB NOT NULL, resampled_metrics TEXT NOT NULL, resampled BLOB NOT NULL,
  PRIMARY KEY (trial, protocol));
)sql";

constexpr const char* kColumns =
    "id, source, arm, stage, rung, number, seed, settings, failed, error, valid, training, seconds, data, version";

// Only one process adds to a store; the lock ends with the process, however it ends.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder) {
    const std::string path = join_path(folder, kLock);
    descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor_ < 0) throw OutputError(fmt::format("{}: cannot be made ({})", path, std::strerror(errno)));
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
    ::close(descriptor_);
    throw UsageError(fmt::format("{}: another process is running trials there", folder));
  }
  ~FolderLock() { ::close(descriptor_); }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

// The columns of `names` are there from layout 2 on.
std::string evaluation_query(int layout) {
  const char* names = layout == 1 ? "" : ", per_user_metrics, resampled_metrics";
  return fmt::format(
      "SELECT protocol, summary, users, per_user, resampled{} FROM evaluations WHERE trial = ? ORDER BY rowid", names);
}

StoredEvaluation read_evaluation(const Statement& row, int layout) {
  StoredEvaluation out;
  out.protocol = row.text(0);
  out.summary = parse_json(row.text(1), "the run store");
  out.users = unpack<std::int32_t>(row.bytes(2));
  const std::string per_user = row.bytes(3), resampled = row.bytes(4);
  if (layout == 1) {
    out.per_user = unpack_doubles_of_layout_1(per_user);
    out.resampled = unpack_floats_of_layout_1(resampled);
  } else {
    out.per_user = unpack_doubles({row.text(5), per_user});
    out.resampled = unpack_floats({row.text(6), resampled});
  }
  for (const auto& [metric, values] : out.per_user) {
    if (values.size() != out.users.size()) throw CheckError("the run store holds an evaluation of a wrong size");
  }
  return out;
}

StoredTrial read_trial(const Statement& row) {
  StoredTrial out;
  out.key = {row.text(1), row.text(2), row.text(3), static_cast<int>(row.integer(4)), static_cast<int>(row.integer(5))};
  out.seed = static_cast<std::uint64_t>(row.integer(6));
  out.settings = settings_of(parse_json(row.text(7), "the run store"));
  out.failed = row.integer(8) != 0;
  out.error = row.text(9);
  out.valid = row.number(10);
  out.training = parse_json(row.text(11), "the run store");
  out.seconds = row.number(12);
  out.data = row.text(13);
  out.version = row.text(14);
  return out;
}

}  // namespace

struct RunStore::State {
  std::unique_ptr<FolderLock> lock;
  std::unique_ptr<Database> database;
  std::string folder;
  int layout = 0;
  std::mutex mutex;

  std::optional<std::string> meta(const std::string& name) const {
    Statement row(*database, "SELECT value FROM meta WHERE name = ?");
    if (!row.bind(name).step()) return {};
    return row.text(0);
  }

  void set_meta(const std::string& name, const std::string& value) const {
    Statement(*database, "INSERT OR REPLACE INTO meta VALUES (?, ?)").bind(name).bind(value).step();
  }

  void read_layout() {
    const std::string said = meta("layout").value_or(std::to_string(kLayout));
    for (int known = 1; known <= kLayout; ++known) {
      if (said == std::to_string(known)) layout = known;
    }
    if (layout == 0) {
      throw CheckError(
          fmt::format("{}: its tables are of layout {}, this program reads up to {}", folder, said, kLayout));
    }
  }

  Plan plan() const {
    const std::optional<std::string> stored = meta("plan");
    if (!stored) throw CheckError(fmt::format("{}: the run store has no plan", folder));
    Plan out = Plan::from_json(parse_json(*stored, folder));
    out.command = meta("command").value_or("");
    const Json findings = parse_json(meta("findings").value_or("[]"), folder);
    for (const Json& finding : findings.as_array()) out.findings.push_back(finding.as_string());
    return out;
  }

  void add_evaluations(StoredTrial& trial, std::int64_t id) const {
    Statement row(*database, evaluation_query(layout));
    row.bind(id);
    while (row.step()) trial.evaluations.push_back(read_evaluation(row, layout));
  }
};

RunStore::RunStore(std::unique_ptr<State> state) : state_(std::move(state)) {}
RunStore::~RunStore() = default;
RunStore::RunStore(RunStore&&) noexcept = default;

std::string RunStore::file(const std::string& folder) { return join_path(folder, kFile); }

RunStore RunStore::create(const std::string& folder, const Plan& plan) {
  make_folder(folder);
  auto state = std::make_unique<State>();
  state->folder = folder;
  state->lock = std::make_unique<FolderLock>(folder);
  state->database = std::make_unique<Database>(file(folder), Database::Mode::write);
  Transaction transaction(*state->database);
  state->database->execute(kTables);
  state->read_layout();
  if (state->layout != kLayout) {
    throw UsageError(fmt::format(
        "{}: holds runs of an earlier version, which can be read but not added to; choose another folder", folder));
  }
  const std::optional<std::string> stored = state->meta("plan");
  Plan whole = plan;
  if (stored) whole = grown(state->plan(), plan, folder);
  if (const auto version = state->meta("version"); version && *version != kVersion) {
    throw UsageError(
        fmt::format("{}: holds runs of version {}, and this is {}; choose another folder", folder, *version, kVersion));
  }
  if (!stored) {
    state->set_meta("layout", std::to_string(kLayout));
    state->set_meta("version", kVersion);
  }
  state->set_meta("plan", whole.to_json().dump());
  state->set_meta("command", whole.command);
  Json findings = Json::array();
  for (const std::string& finding : plan.findings) findings.push_back(finding);
  state->set_meta("findings", findings.dump());
  transaction.commit();
  return RunStore(std::move(state));
}

std::optional<Plan> RunStore::plan_in(const std::string& folder) {
  if (!file_exists(file(folder))) return {};
  const RunStore store = open(folder);
  if (store.state_->layout != kLayout) return {};  // nothing can be added to it
  return store.plan();
}

RunStore RunStore::open(const std::string& folder) {
  const std::string path = file(folder);
  if (!file_exists(path)) {
    throw UsageError(fmt::format("{}: there is no run store (equipoise compare and study make one)", folder));
  }
  auto state = std::make_unique<State>();
  state->folder = folder;
  state->database = std::make_unique<Database>(path, Database::Mode::read);
  if (!Statement(*state->database, "SELECT 1 FROM sqlite_master WHERE name = 'trials'").step()) {
    throw UsageError(fmt::format("{}: nothing has been run there yet", folder));
  }
  state->read_layout();
  return RunStore(std::move(state));
}

Plan RunStore::plan() const { return state_->plan(); }

std::vector<TrialKey> RunStore::keys() const {
  Statement row(*state_->database, "SELECT source, arm, stage, rung, number FROM trials ORDER BY 1, 2, 3, 4, 5");
  std::vector<TrialKey> out;
  while (row.step()) {
    out.push_back(
        {row.text(0), row.text(1), row.text(2), static_cast<int>(row.integer(3)), static_cast<int>(row.integer(4))});
  }
  return out;
}

std::vector<StoredTrial> RunStore::trials(const std::string& source, const std::string& arm, const std::string& stage,
                                          bool with_evaluations) const {
  Statement row(
      *state_->database,
      fmt::format("SELECT {} FROM trials WHERE source = ? AND arm = ? AND stage = ? ORDER BY rung, number", kColumns));
  row.bind(source).bind(arm).bind(stage);
  std::vector<StoredTrial> out;
  while (row.step()) {
    out.push_back(read_trial(row));
    if (with_evaluations) state_->add_evaluations(out.back(), row.integer(0));
  }
  return out;
}

void RunStore::keep(const StoredTrial& trial) {
  const std::lock_guard lock(state_->mutex);
  Database& database = *state_->database;
  Transaction transaction(database);
  Statement(database,
            fmt::format("INSERT INTO trials ({}) VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", kColumns))
      .bind(trial.key.source)
      .bind(trial.key.arm)
      .bind(trial.key.stage)
      .bind(trial.key.rung)
      .bind(trial.key.number)
      .bind(static_cast<std::int64_t>(trial.seed))
      .bind(to_json(trial.settings).dump())
      .bind(static_cast<int>(trial.failed))
      .bind(trial.error)
      .bind(trial.valid)
      .bind(trial.training.dump())
      .bind(trial.seconds)
      .bind(trial.data)
      .bind(trial.version)
      .step();
  const std::int64_t id = database.last_row();
  for (const StoredEvaluation& evaluation : trial.evaluations) {
    const PackedColumns per_user = pack_doubles(evaluation.per_user), resampled = pack_floats(evaluation.resampled);
    Statement(database, "INSERT INTO evaluations VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        .bind(id)
        .bind(evaluation.protocol)
        .bind(evaluation.summary.dump())
        .bind_bytes(pack(evaluation.users))
        .bind(per_user.names)
        .bind_bytes(per_user.bytes)
        .bind(resampled.names)
        .bind_bytes(resampled.bytes)
        .step();
  }
  transaction.commit();
}

}  // namespace equipoise
