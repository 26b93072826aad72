// SQLite behind our own face: readers beside one writer (write-ahead log), every commit on the disk.
#include "compare/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <filesystem>
#include <limits>

#include "core/error.h"

namespace equipoise {

struct Database::State {
  sqlite3* handle = nullptr;
  std::string path;
  Mode mode = Mode::read;
};

struct Statement::State {
  sqlite3_stmt* handle = nullptr;
  const Database::State* database = nullptr;
  int bound = 0;
};

namespace {

constexpr int kPatience = 10000;  // milliseconds to wait for another process

// What SQLite says decides whose fault it is: the file's, or the place it is written to.
[[noreturn]] void fail(const std::string& path, sqlite3* handle, int code) {
  const std::string what =
      fmt::format("{}: {}", path, handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code));
  switch (code & 0xFF) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      throw CheckError(what);
    case SQLITE_NOMEM:
      throw std::bad_alloc();
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw OutputError(what);
    default:
      throw Error(what);
  }
}

bool can_be_read(sqlite3* handle) {
  return sqlite3_exec(handle, "SELECT 1 FROM sqlite_master", nullptr, nullptr, nullptr) == SQLITE_OK;
}

// Something was committed that is not in the file itself yet.
bool has_log(const std::string& path) {
  std::error_code ignored;
  const auto size = std::filesystem::file_size(path + "-wal", ignored);
  return !ignored && size > 0;
}

std::string as_it_lies(const std::string& path) {
  std::string out = "file:";
  for (const char c : path)
    out += c == '%' || c == '?' || c == '#' ? fmt::format("%{:02X}", static_cast<int>(c)) : std::string(1, c);
  return out + "?immutable=1";
}

}  // namespace

Database::Database(const std::string& path, Mode mode) : state_(std::make_unique<State>()) {
  state_->path = path;
  state_->mode = mode;
  const int flags = mode == Mode::write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;
  // A reader of a write-ahead log takes part in its bookkeeping, so that it too wants to write; where it may not (a
  // folder that can only be read) and nobody has written since, the file is read as it lies there.
  int code = sqlite3_open_v2(path.c_str(), &state_->handle, flags | SQLITE_OPEN_FULLMUTEX, nullptr);
  if (code == SQLITE_OK && mode == Mode::read && !can_be_read(state_->handle) && !has_log(path)) {
    sqlite3_close_v2(state_->handle);
    code = sqlite3_open_v2(as_it_lies(path).c_str(), &state_->handle,
                           SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_FULLMUTEX, nullptr);
  }
  try {
    if (code != SQLITE_OK) fail(path, state_->handle, code);
    sqlite3_extended_result_codes(state_->handle, 1);
    sqlite3_busy_timeout(state_->handle, kPatience);
    if (mode == Mode::write) execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  } catch (...) {
    sqlite3_close_v2(state_->handle);
    throw;
  }
}

Database::~Database() { sqlite3_close_v2(state_->handle); }

void Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(state_->handle, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(state_->path, state_->handle, code);
}

std::int64_t Database::last_row() const { return sqlite3_last_insert_rowid(state_->handle); }

Statement::Statement(const Database& database, std::string_view sql) : state_(std::make_unique<State>()) {
  state_->database = database.state_.get();
  const int code =
      sqlite3_prepare_v2(database.state_->handle, sql.data(), static_cast<int>(sql.size()), &state_->handle, nullptr);
  if (code != SQLITE_OK) fail(state_->database->path, state_->database->handle, code);
}

Statement::~Statement() { sqlite3_finalize(state_->handle); }

Statement& Statement::bind(std::int64_t value) {
  sqlite3_bind_int64(state_->handle, ++state_->bound, value);
  return *this;
}

Statement& Statement::bind(double value) {
  sqlite3_bind_double(state_->handle, ++state_->bound, value);
  return *this;
}

Statement& Statement::bind(std::string_view text) {
  sqlite3_bind_text64(state_->handle, ++state_->bound, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind_bytes(std::string_view bytes) {
  sqlite3_bind_blob64(state_->handle, ++state_->bound, bytes.data(), bytes.size(), SQLITE_TRANSIENT);
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(state_->handle);
  if (code != SQLITE_ROW && code != SQLITE_DONE) fail(state_->database->path, state_->database->handle, code);
  return code == SQLITE_ROW;
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(state_->handle, column); }

double Statement::number(int column) const {
  const bool null = sqlite3_column_type(state_->handle, column) == SQLITE_NULL;
  return null ? std::numeric_limits<double>::quiet_NaN() : sqlite3_column_double(state_->handle, column);
}

std::string Statement::text(int column) const { return bytes(column); }

std::string Statement::bytes(int column) const {
  const void* data = sqlite3_column_blob(state_->handle, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(state_->handle, column));
  return data == nullptr ? std::string() : std::string(static_cast<const char*>(data), size);
}

Transaction::Transaction(Database& database) : database_(database) { database_.execute("BEGIN IMMEDIATE"); }

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const std::exception&) {  // it was rolled back already, by the error that brought us here
    open_ = false;
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace equipoise
