// Lists of items as rows of tables and files, and as JSON.
#include "list_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/score.h"
#include "core/error.h"
#include "core/text.h"
#include "data/text/csv.h"

namespace equipoise::cli {

namespace {

// A feature that is called as one of our own columns is told from it.
std::string heading(const std::string& column) {
  const std::vector<std::string> own = {"user", "rank", "item", "score", "similarity", "name", "known"};
  return std::find(own.begin(), own.end(), column) == own.end() ? column : "item." + column;
}

}  // namespace

Format parse_format(const std::string& word) {
  const std::vector<std::string> words = {"table", "csv", "json", "jsonl"};
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) throw UsageError(fmt::format("there is no format '{}'{}", word, suggest(word, words)));
  return static_cast<Format>(found - words.begin());
}

ListOutput::ListOutput(const Recommender& recommender, std::vector<std::string> columns, const Eligible& eligible,
                       std::string value, bool chances)
    : text_(recommender, std::move(columns)),
      value_(std::move(value)),
      chances_(chances),
      any_new_(text_.any_new(eligible)) {}

std::string ListOutput::csv_header(const std::string& whose) const {
  std::string out = whose.empty() ? "" : whose + ",";
  out += "rank,item," + value_;
  if (text_.has_names()) out += ",name";
  if (any_new_) out += ",known";
  for (const std::string& column : text_.columns()) append_csv_field(out += ',', heading(column));
  return out + '\n';
}

void ListOutput::append_csv(std::string& out, const std::string* who, std::span<const Recommended> list) const {
  int rank = 0;
  for (const Recommended& r : list) {
    if (who != nullptr) append_csv_field(out, *who), out += ',';
    fmt::format_to(std::back_inserter(out), "{},", ++rank);
    append_csv_field(out, text_.id(r.item));
    (out += ',') += to_text(r.score);
    if (text_.has_names()) append_csv_field(out += ',', text_.name(r.item));
    if (any_new_) (out += ',') += text_.known(r.item);
    for (const std::string& value : text_.values(r.item)) append_csv_field(out += ',', value);
    out += '\n';
  }
}

Json ListOutput::json(std::span<const Recommended> list) const {
  Json items = Json::array();
  for (const Recommended& r : list) {
    Json one = Json::object({{"item", text_.id(r.item)}, {value_, *parse_double(to_text(r.score))}});
    if (value_ == "score") one["probability"] = chances_ ? Json(chance(static_cast<double>(r.score))) : Json();
    if (text_.has_names()) one["name"] = text_.name(r.item);
    if (text_.is_new(r.item)) one["known"] = text_.known(r.item);
    const std::vector<std::string> values = text_.values(r.item);
    for (std::size_t c = 0; c < values.size(); ++c) one["columns"][text_.columns()[c]] = values[c];
    items.push_back(std::move(one));
  }
  return items;
}

ListOutput::Rows ListOutput::table(const std::vector<std::pair<std::string, std::vector<Recommended>>>& lists) const {
  const bool several = lists.size() > 1;
  const bool known = std::any_of(lists.begin(), lists.end(), [&](const auto& one) {
    return std::any_of(one.second.begin(), one.second.end(), [&](const auto& r) { return text_.is_new(r.item); });
  });
  const auto row = [&](const std::string& who, const std::vector<std::string>& item, const std::string& name,
                       const std::vector<std::string>& values, const std::string& how_known,
                       const std::vector<std::string>& numbers) {
    std::vector<std::string> out;
    if (several) out.push_back(who);
    out.insert(out.end(), item.begin(), item.end());
    if (text_.has_names()) out.push_back(name);
    out.insert(out.end(), values.begin(), values.end());
    if (known) out.push_back(how_known);
    if (chances_) out.push_back(numbers[0]);
    out.push_back(numbers[1]);
    return out;
  };
  Rows rows = {row("user", {"rank", "item"}, "name", text_.columns(), "known", {"probability", value_})};
  for (const auto& [who, list] : lists) {
    int rank = 0;
    for (const Recommended& r : list) {
      rows.push_back(
          row(who, {std::to_string(++rank), text_.id(r.item)}, text_.name(r.item), text_.values(r.item),
              text_.known(r.item),
              {fmt::format("{:.4f}", chance(static_cast<double>(r.score))), fmt::format("{:.4f}", r.score)}));
    }
  }
  return rows;
}

}  // namespace equipoise::cli
