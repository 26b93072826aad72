// A column of a Python table as the C++ face reads it: in place where it lies, or held as views of its texts.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "native.h"

namespace equipoise::python {

/// What a number of a column is, by the letter and the size that numpy gives it.
struct NumberType {
  char letter = 'i';  // i, u, f or b
  int bytes = 8;
};

/// Holds what its views look at. Numbers lie where they lay; texts are looked at where they lie.
class Column {
 public:
  /// Numbers of a buffer that `owner` keeps alive; `stride` in bytes.
  Column(py::object owner, NumberType type, const void* first, std::size_t size, std::ptrdiff_t stride);
  /// Numbers that the column itself holds.
  Column(std::vector<char> bytes, NumberType type, std::size_t size);
  /// Texts that `owner` keeps alive.
  Column(py::object owner, std::vector<std::string_view> texts);
  /// Codes from 0, and what they stand for.
  Column(std::unique_ptr<Column> codes, std::unique_ptr<Column> dictionary);

  std::size_t size() const { return size_; }
  bool is_text() const { return !dictionary_ && is_text_; }
  /// "text", or numpy's name of the numbers' type.
  std::string type() const;
  Ids ids() const;
  /// UsageError where the column has texts.
  Numbers numbers() const;
  /// The texts, as categorical features are given; numbers as their digits.
  std::vector<std::string> texts() const;

 private:
  py::object owner_;
  std::vector<char> bytes_;
  std::vector<std::string_view> texts_;
  std::unique_ptr<Column> codes_, dictionary_;
  Ids dictionary_ids_;
  bool is_text_ = false;
  NumberType type_;
  const void* first_ = nullptr;
  std::size_t size_ = 0;
  std::ptrdiff_t stride_ = 0;
};

/// Columns of a log by their roles.
using Columns = std::map<std::string, std::shared_ptr<Column>>;
/// Views of them; `names` says what they are called.
LogArrays arrays_of(const Columns& columns, const std::map<std::string, std::string>& names = {});

}  // namespace equipoise::python
