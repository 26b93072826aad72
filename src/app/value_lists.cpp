// Puts rows together by request, and takes from them what the form of the estimate needs.
#include "app/value_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "core/quote.h"

namespace equipoise {

namespace {

// Row numbers: by list in the order of their first rows, then by position.
std::vector<std::size_t> in_lists(const Rows& rows, std::vector<std::size_t>& begin) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  begin.clear();
  if (rows.request.empty()) {
    begin.resize(rows.size() + 1);
    std::iota(begin.begin(), begin.end(), 0);
    return order;
  }
  std::vector<std::size_t> first(
      static_cast<std::size_t>(*std::max_element(rows.request.begin(), rows.request.end())) + 1, rows.size());
  for (std::size_t r = rows.size(); r-- > 0;) first[static_cast<std::size_t>(rows.request[r])] = r;
  const auto list = [&](std::size_t r) { return first[static_cast<std::size_t>(rows.request[r])]; };
  const auto position = [&](std::size_t r) { return rows.position.empty() ? 0 : rows.position[r]; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return list(a) != list(b) ? list(a) < list(b) : position(a) < position(b);
  });
  for (std::size_t n = 0; n < order.size(); ++n) {
    if (n == 0 || list(order[n]) != list(order[n - 1])) begin.push_back(n);
  }
  begin.push_back(order.size());
  return order;
}

[[noreturn]] void refuse_column(const char* column, const std::string& form) {
  throw DataError(
      fmt::format("value: the form {} needs the column {} in the log, and it has none (a server that draws its "
                  "lists writes it)",
                  form, column));
}

// The products of the chances given those above: the chance of the list's beginning.
void fill_chances(ValueLists& out, const Rows& rows, const std::vector<std::size_t>& order, const std::string& form) {
  if (form == "item" && rows.propensity.empty()) refuse_column("propensity", form);
  if (form == "position" && rows.at_position.empty()) refuse_column("propensity_at_position", form);
  if (form == "cascade" && rows.given_above.empty()) refuse_column("propensity_given_above", form);
  for (const std::size_t r : order) {
    out.chance.push_back(form == "item"       ? static_cast<double>(rows.propensity[r])
                         : form == "position" ? rows.at_position[r]
                                              : rows.given_above[r]);
  }
}

void number_users(ValueLists& out, const Rows& rows, const std::vector<std::size_t>& order, const Dataset& data) {
  std::vector<std::int32_t> number(static_cast<std::size_t>(data.users.size()), -1);
  for (std::size_t l = 0; l + 1 < out.logged.begin.size(); ++l) {
    const std::int32_t user = rows.user[order[out.logged.begin[l]]];
    std::int32_t& mine = number[static_cast<std::size_t>(user)];
    if (mine < 0) mine = static_cast<std::int32_t>(out.users.size()), out.users.push_back(user);
    out.logged.user.push_back(mine);
  }
  out.logged.users = out.users.size();
}

// Lengths, and whether positions are 1, 2, 3 … in every list.
void measure_lists(ValueLists& out, const Rows& rows, const std::vector<std::size_t>& order, const Dataset& data) {
  for (std::size_t l = 0; l < out.logged.lists(); ++l) {
    const std::size_t first = out.logged.begin[l], last = out.logged.begin[l + 1];
    for (std::size_t n = first; n < last; ++n) {
      const std::int32_t position =
          rows.position.empty() ? static_cast<std::int32_t>(n - first) + 1 : rows.position[order[n]];
      if (n > first && position == out.position.back()) {
        throw DataError(fmt::format("request {} has position {} twice",
                                    in_quotes(data.requests.name(rows.request[order[n]])), position));
      }
      out.position.push_back(position);
      out.whole = out.whole && position == static_cast<std::int32_t>(n - first) + 1;
    }
    out.length.push_back(static_cast<std::size_t>(out.position.back()));
    const std::size_t r = order[first];
    out.eligible.push_back(rows.eligible.empty() ? data.items.size() : rows.eligible[r]);
    out.counted = !rows.eligible.empty();
  }
}

AskedList asked_in(const Dataset& data, std::int32_t request) {
  const std::string& text = data.asked[static_cast<std::size_t>(request)];
  try {
    return text.empty() || text == "{}" ? AskedList{} : asked_of(parse_json(text, "asked"));
  } catch (const DataError& error) {
    throw DataError(fmt::format("request {}: {}", in_quotes(data.requests.name(request)), error.what()));
  }
}

void read_asked(ValueLists& out, const Rows& rows, const std::vector<std::size_t>& order, const Dataset& data) {
  out.asked.resize(out.logged.lists());
  if (rows.request.empty() || data.asked.empty()) {
    out.silent = out.asked.size();
    return;
  }
  for (std::size_t l = 0; l < out.asked.size(); ++l) {
    const std::int32_t request = rows.request[order[out.logged.begin[l]]];
    out.silent += data.asked[static_cast<std::size_t>(request)].empty() ? 1 : 0;
    out.asked[l] = asked_in(data, request);
  }
}

}  // namespace

std::string settle_form(const std::string& form, const Rows& rows) {
  if (form != "auto") return form;
  return rows.at_position.empty() ? "item" : "position";
}

ValueLists value_lists(const Rows& rows, const Dataset& data, const std::string& form) {
  ValueLists out;
  const std::vector<std::size_t> order = in_lists(rows, out.logged.begin);
  fill_chances(out, rows, order, form);
  number_users(out, rows, order, data);
  measure_lists(out, rows, order, data);
  read_asked(out, rows, order, data);
  for (const std::size_t r : order) {
    out.item.push_back(rows.item[r]);
    out.logged.label.push_back(static_cast<double>(rows.label[r]));
  }
  if (!out.whole && form != "position") {
    throw DataError(
        fmt::format("value: the form {} needs whole lists, and some positions have no row; the form position "
                    "does without",
                    form));
  }
  return out;
}

ChanceCheck check_chances(const ValueLists& lists, const Rows& rows) {
  std::vector<std::size_t> begin;
  std::vector<double> chance, eligible = lists.eligible;
  const bool in_list = lists.whole && !rows.propensity.empty();
  for (const std::size_t r : in_lists(rows, begin)) {
    if (in_list)
      chance.push_back(static_cast<double>(rows.propensity[r]));
    else if (!rows.at_position.empty())
      chance.push_back(rows.at_position[r]);
    else
      return {};
  }
  // Each place alone has the sum N.
  for (std::size_t l = 0; l < eligible.size() && !in_list; ++l) {
    eligible[l] *= static_cast<double>(begin[l + 1] - begin[l]);
  }
  return check_chances(lists.logged, chance, eligible);
}

}  // namespace equipoise
