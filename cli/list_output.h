// Lists of items as people and programs get them: tables, CSV, JSON.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/item_text.h"
#include "core/json.h"

namespace equipoise::cli {

enum class Format { table, csv, json, jsonl };
/// UsageError if it is none of table, csv, json, jsonl.
Format parse_format(const std::string& word);

class ListOutput {
 public:
  using Rows = std::vector<std::vector<std::string>>;

  /// `value` is what the numbers are ("score"); `chances`: whether they are logits of chances. The recommender must
  /// outlive it.
  ListOutput(const Recommender& recommender, std::vector<std::string> columns, const Eligible& eligible,
             std::string value, bool chances);

  /// "user,rank,item,score", and behind that what there is more: name, known, columns. Without `whose` there is no such
  /// first column.
  std::string csv_header(const std::string& whose) const;
  void append_csv(std::string& out, const std::string* who, std::span<const Recommended> list) const;
  /// An object for each item.
  Json json(std::span<const Recommended> list) const;
  /// Rows for a table, the heading first; who the list is for comes first where there are several.
  Rows table(const std::vector<std::pair<std::string, std::vector<Recommended>>>& lists) const;

 private:
  ItemText text_;
  std::string value_;
  bool chances_;
  bool any_new_;  // an item that may be in a list is known by its features alone
};

}  // namespace equipoise::cli
