// A SQLite file with errors as our own kinds: statements with typed values, transactions, safe against being killed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace equipoise {

class Database;

/// A prepared statement: bind values in order, step through rows, read columns in order.
class Statement {
 public:
  Statement(const Database& database, std::string_view sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  /// Each binds the next value. Texts and bytes are copied; NaN becomes null.
  Statement& bind(std::int64_t value);
  Statement& bind(int value) { return bind(static_cast<std::int64_t>(value)); }
  Statement& bind(double value);
  Statement& bind(std::string_view text);
  Statement& bind(const std::string& text) { return bind(std::string_view(text)); }
  Statement& bind(const char* text) { return bind(std::string_view(text)); }
  Statement& bind_bytes(std::string_view bytes);

  /// True while there is a row.
  bool step();
  /// Columns of the row, from 0. null reads as 0, NaN, "".
  std::int64_t integer(int column) const;
  double number(int column) const;
  std::string text(int column) const;
  std::string bytes(int column) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

class Database {
 public:
  enum class Mode { read, write };
  /// DataError if it is not a database or cannot be read, OutputError if it cannot be made or written.
  Database(const std::string& path, Mode mode);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void execute(const std::string& sql);
  std::int64_t last_row() const;

 private:
  friend class Statement;
  struct State;
  std::unique_ptr<State> state_;
};

/// All or nothing: rolled back unless `commit` is called.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace equipoise
