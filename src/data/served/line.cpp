// Lines of a served log, in and out: JSON whose first member is the checksum of the rest.
#include "data/served/line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/hash.h"
#include "core/json.h"
#include "core/json_text.h"

namespace equipoise {

namespace {

// {"sum":"0123456789abcdef","n":          12,"time":1700000000000,"kind":"list",…}: blanks of fixed width, so that a
// line can be made before its number is known.
constexpr std::string_view kBlank = R"({"sum":"                ","n":               ,"time":               ,"kind":")";
constexpr std::size_t kSum = 8, kSumDigits = 16, kHashed = kSum + kSumDigits;
constexpr std::size_t kNumber = 30, kTime = 53, kDigits = 15;
constexpr std::string_view kListKind = "list", kFeedbackKind = "feedback", kOpeningKind = "open";

std::uint64_t sum_of(std::string_view line) { return hash64(line.substr(kHashed)); }

void begin(std::string& out, std::string_view kind) { out.append(kBlank).append(kind).append("\""); }

void append_text(std::string& out, const char* name, std::string_view text) {
  out.append(",\"").append(name).append("\":");
  append_json(out, text);
}

void append_count(std::string& out, const char* name, std::int64_t count) {
  out.append(",\"").append(name).append("\":");
  append_json(out, count);
}

template <class Values>
void append_values(std::string& out, const char* name, const Values& values) {
  out.append(",\"").append(name).append("\":[");
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (k > 0) out += ',';
    append_json(out, values[k]);
  }
  out += ']';
}

void fill_number(char* at, std::int64_t value) {
  std::array<char, 24> digits{};
  const auto end = fmt::format_to(digits.data(), "{}", value);
  const auto size = static_cast<std::size_t>(end - digits.data());
  EQUIPOISE_ASSERT(size <= kDigits);
  std::copy(digits.data(), end, at + kDigits - size);
}

std::vector<double> numbers(const Json& list) {
  std::vector<double> out;
  for (const Json& member : list.as_array()) out.push_back(member.as_double());
  return out;
}

ServedList list_of(const Json& json) {
  ServedList out{json.at("request").as_string(),
                 json.at("user").as_string(),
                 json.at("model").as_string(),
                 json.at("fingerprint").as_string(),
                 json.at("policy").as_string(),
                 json.at("eligible").as_int(),
                 {},
                 numbers(json.at("given_above")),
                 numbers(json.at("at_place")),
                 numbers(json.at("in_list")),
                 -1,
                 0,
                 {}};
  for (const Json& item : json.at("items").as_array()) out.items.push_back(item.as_string());
  const std::size_t places = out.items.size();
  if (out.given_above.size() != places || out.at_place.size() != places || out.in_list.size() != places) {
    throw DataError("expected as many chances as items");
  }
  for (const auto* chances : {&out.given_above, &out.at_place, &out.in_list}) {
    for (const double p : *chances) {
      if (!(p > 0 && p <= 1)) throw DataError(fmt::format("expected chances above 0 up to 1, found {}", p));
    }
  }
  if (const Json* told = json.find("told")) out.told = told->as_int();
  if (out.told > 0) out.until = json.at("until").as_int();
  if (out.told < -1 || out.until < 0) throw DataError("expected counts as told and until");
  if (const Json* asked = json.find("asked")) {
    if (!asked->is_object()) throw DataError("expected an object as asked");
    out.asked = asked->dump();
  }
  if (out.eligible < static_cast<std::int64_t>(places)) throw DataError("fewer eligible items than places");
  return out;
}

ServedFeedback feedback_of(const Json& json) {
  ServedFeedback out{json.at("request").as_string(), json.at("user").as_string(), json.at("item").as_string(),
                     json.at("label").as_double()};
  if (!(out.label >= 0 && out.label <= 1)) throw DataError("expected a label from 0 to 1");
  return out;
}

ServedLine line_of(const Json& json) {
  ServedLine out;
  out.number = json.at("n").as_int();
  out.time = json.at("time").as_int();
  const std::string& kind = json.at("kind").as_string();
  if (kind == kListKind)
    out.list = list_of(json);
  else if (kind == kFeedbackKind)
    out.feedback = feedback_of(json);
  else if (kind == kOpeningKind)
    out.opening = ServedOpening{std::stoull(json.at("seed").as_string()), json.at("version").as_string()};
  else
    throw DataError(fmt::format("unknown kind '{}'; expected list, feedback or open", kind));
  return out;
}

}  // namespace

void append_line(std::string& out, const ServedList& list) {
  begin(out, kListKind);
  append_text(out, "request", list.request);
  append_text(out, "user", list.user);
  append_text(out, "model", list.model);
  append_text(out, "fingerprint", list.fingerprint);
  append_text(out, "policy", list.policy);
  append_count(out, "eligible", list.eligible);
  append_values(out, "items", list.items);
  append_values(out, "given_above", list.given_above);
  append_values(out, "at_place", list.at_place);
  append_values(out, "in_list", list.in_list);
  if (list.told >= 0) append_count(out, "told", list.told);
  if (list.told > 0) append_count(out, "until", list.until);
  if (!list.asked.empty()) out.append(",\"asked\":").append(list.asked);
  out += "}\n";
}

void append_line(std::string& out, const ServedFeedback& feedback) {
  begin(out, kFeedbackKind);
  append_text(out, "request", feedback.request);
  append_text(out, "user", feedback.user);
  append_text(out, "item", feedback.item);
  out += ",\"label\":";
  append_json(out, feedback.label);
  out += "}\n";
}

// The seed as a text: JSON's numbers are too small for 64 bits.
void append_line(std::string& out, const ServedOpening& opening) {
  begin(out, kOpeningKind);
  append_text(out, "seed", std::to_string(opening.seed));
  append_text(out, "version", opening.version);
  out += "}\n";
}

void seal_line(char* line, std::size_t size, std::int64_t number, std::int64_t time) {
  fill_number(line + kNumber, number);
  fill_number(line + kTime, time);
  const std::string sum = hex(sum_of({line, size - 1}));
  std::copy(sum.begin(), sum.end(), line + kSum);
}

bool is_whole_line(std::string_view line) {
  const auto as_written = [&](std::size_t from, std::size_t to) {
    return line.substr(from, to - from) == kBlank.substr(from, to - from);
  };
  return line.size() > kBlank.size() && as_written(0, kSum) && as_written(kSum + kSumDigits, kHashed) &&
         line.substr(kSum, kSumDigits) == hex(sum_of(line));
}

bool is_feedback_line(std::string_view line) {
  return line.size() > kBlank.size() && line.substr(kBlank.size()).starts_with(kFeedbackKind);
}

ServedLine parse_line(std::string_view line, const std::string& name, std::int64_t line_number) {
  const Place place{name, line_number};
  if (!is_whole_line(line)) throw DataError(place, "not a line of a served log, or not as it was written (checksum)");
  try {
    return line_of(parse_json(line, "it"));
  } catch (const DataError& error) {
    throw DataError(place, error.what());
  } catch (const std::logic_error&) {
    throw DataError(place, "expected a whole number as seed");
  }
}

}  // namespace equipoise
