// Takes feedback: finds the list that it is about in the log, and records what is new.
#include <fmt/format.h>

#include <algorithm>

#include "core/quote.h"
#include "serve/handlers.h"
#include "serve/service.h"

namespace equipoise {

namespace {

ServedFeedback feedback_of(const ServedLog& log, const Json& one, std::size_t n) {
  const std::string& text = one.at("request_id").as_string();
  const auto refuse = [&](int status, const std::string& why) {
    throw Refusal(status, fmt::format("feedback[{}]: {}", n, why));
  };
  const auto id = parse_client_id(text);
  const std::string line = id ? log.line_at(id->position) : "";
  const ServedLine list = line.empty() ? ServedLine{} : parse_line(line, "log", 0);
  if (!list.list || list.list->request != id->id) refuse(404, fmt::format("no list of request {}", in_quotes(text)));
  const std::string& item = one.at("item").as_string();
  const auto& items = list.list->items;
  if (std::find(items.begin(), items.end(), item) == items.end()) {
    refuse(400, fmt::format("item {} was not in that list", in_quotes(item)));
  }
  const Json* label = one.find("label");
  return {id->id, list.list->user, item, label == nullptr ? 1.0 : label->as_double()};
}

std::uint64_t append_all(ServedLog& log, std::span<ServedFeedback> fresh) {
  std::string lines;
  std::vector<std::size_t> starts;
  for (const ServedFeedback& one : fresh) {
    starts.push_back(lines.size());
    append_line(lines, one);
  }
  std::vector<LogPosition> positions;
  const std::uint64_t ticket = log.append(std::move(lines), starts, positions);
  for (std::size_t n = 0; n < positions.size(); ++n) fresh[n].number = positions[n].number;
  return ticket;
}

}  // namespace

// All of it is taken, or nothing.
void take_feedback(Service& service, Call call) {
  Shared& shared = service.shared();
  if (!shared.log) throw Refusal(409, "this server keeps no log, and so takes no feedback");
  std::vector<ServedFeedback> all;
  for (const Json& one : call.body.at("feedback").as_array()) {
    all.push_back(feedback_of(*shared.log, one, all.size()));
  }
  const FeedbackMemory::Taken taken =
      shared.memory.take(all, [&](std::span<ServedFeedback> fresh) { return append_all(*shared.log, fresh); });
  if (taken.refused) return call.reply(not_recorded());
  const std::size_t again = all.size() - taken.fresh;
  service.metrics().feedback_again.add(again);
  HttpAnswer answer;
  answer.body = fmt::format("{{\"recorded\":{},\"again\":{}}}\n", taken.fresh, again);
  if (taken.ticket == 0) return call.reply(std::move(answer));
  service.answer_when_durable(taken.ticket, std::move(answer), taken.fresh, std::move(call.reply));
}

}  // namespace equipoise
