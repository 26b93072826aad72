// Lists as texts.
#include "serve/list_text.h"

#include <fmt/format.h>

#include "app/score.h"
#include "core/json_text.h"

namespace equipoise {

namespace {

void append_item(std::string& out, const ListJob& job, std::size_t place) {
  const Recommender& recommender = *job.model->recommender;
  const Recommended& one = job.list[place];
  out += "{\"item\":";
  append_json(out, recommender.items().name(one.item));
  if (!recommender.item_names().empty()) {
    out += ",\"name\":";
    append_json(out, recommender.item_name(one.item));
  }
  out += ",\"score\":";
  append_json(out, one.score);
  if (job.model->chances) {
    out += ",\"probability\":";
    append_json(out, chance(static_cast<double>(one.score)));
  }
  out += ",\"propensity\":";
  append_json(out, job.chances[place].in_list);
  if (job.preview) out += fmt::format(",\"popularity\":{}", job.model->popularity(one.item));
  out += '}';
}

}  // namespace

std::string list_text(const ListJob& job, const std::string& request_id) {
  std::string out = "{\"user\":";
  out.reserve(128 + 128 * job.list.size());
  if (job.user.empty())
    out += "null";
  else
    append_json(out, job.user);
  out += ",\"model\":";
  append_json(out, job.model->name);
  out += ",\"request_id\":";
  append_json(out, request_id);
  out += ",\"known\":";
  append_json(out, std::string_view(job.known));
  if (job.age) {
    out += ",\"age\":";
    append_json(out, *job.age);
  }
  out += ",\"items\":[";
  for (std::size_t place = 0; place < job.list.size(); ++place) {
    if (place > 0) out += ',';
    append_item(out, job, place);
  }
  out += "]}";
  return out;
}

void fill_line(ServedList& line, const ListJob& job, const std::string& policy) {
  line.request = job.id;
  line.user = job.user;
  line.model = job.model->name;
  line.fingerprint = job.model->fingerprint;
  line.policy = policy;
  line.eligible = job.eligible;
  line.told = static_cast<std::int64_t>(job.told.items.size());
  line.until = job.told.until;
  line.asked = job.asked_text;
  const std::size_t places = job.list.size();
  line.items.resize(places);
  line.given_above.resize(places);
  line.at_place.resize(places);
  line.in_list.resize(places);
  for (std::size_t place = 0; place < places; ++place) {
    line.items[place] = job.model->recommender->items().name(job.list[place].item);
    line.given_above[place] = job.chances[place].given_above;
    line.at_place[place] = job.chances[place].at_place;
    line.in_list[place] = job.chances[place].in_list;
  }
}

}  // namespace equipoise
