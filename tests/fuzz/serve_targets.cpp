// The targets of the server: bytes of a connection, targets with queries, bodies of routes, lines of its log.
#include <algorithm>

#include "data/served/line.h"
#include "fuzz/targets.h"
#include "serve/request_reader.h"
#include "serve/routes.h"

namespace equipoise::fuzz {

namespace {

const RouteTable& routes() {
  static const RouteTable all{ServeParams()};
  return all;
}

std::vector<const Route*> routes_with_bodies() {
  std::vector<const Route*> out;
  for (const Route& route : routes().all()) {
    if (route.body) out.push_back(&route);
  }
  return out;
}

// What a server does with a call before it computes anything; a refusal is a problem of one line.
template <class F>
void refused_in_one_line(F f) {
  try {
    f();
  } catch (...) {
    const HttpAnswer answer = problem_of_exception();
    must(answer.status >= 400 && answer.status != 500, "a refusal has a status of the client's");
    must(answer.body.find('\n') == answer.body.size() - 1, "a refusal is one line");
    parse_json(answer.body, "problem");
  }
}

void check_call(const HttpRequest& request) {
  refused_in_one_line([&] {
    const equipoise::Target target = parse_target(request.target);
    for (const std::string& part : target.path) {
      must(part.empty() || parse_target("/" + percent_encoded(part)).path.front() == part,
           "what is encoded is decoded");
    }
    std::vector<std::string> allowed;
    const Route* route = routes().find(request.method, target, allowed);
    if (route == nullptr) return;
    const Call call = checked_call(*route, target, request);
    must(!route->body || call.body.is_object(), "a body that is taken is an object");
    for (const Field& field : route->in_path) must(call.argument(field.name) != nullptr, "a path has its arguments");
  });
}

}  // namespace

// The first byte says in pieces of which size the rest comes.
void fuzz_http(std::string_view input) {
  if (input.empty()) return;
  const std::size_t piece = static_cast<unsigned char>(input[0]) % 64 + 1;
  input.remove_prefix(1);
  RequestReader reader(512, 1024);
  while (!input.empty()) {
    const std::size_t size = std::min(piece, input.size());
    boost::asio::buffer_copy(reader.prepare(size), boost::asio::buffer(input.data(), size));
    reader.commit(size);
    input.remove_prefix(size);
    RequestReader::Step step = reader.step();
    for (; step == RequestReader::Step::whole; step = reader.step()) {
      const RequestReader::Whole whole = reader.take();
      must(whole.request.body.size() <= 512, "no body is larger than the limit");
      if (!whole.refused) check_call(whole.request);
    }
    if (step == RequestReader::Step::refused) {
      must(reader.refusal().status >= 400, "a refusal has a status");
      return;
    }
    static_cast<void>(reader.asks_to_go_on());
  }
}

void fuzz_query(std::string_view input) { check_call({"GET", std::string(input), "", "", ""}); }

// The first byte chooses the route.
void fuzz_body(std::string_view input) {
  if (input.empty()) return;
  static const std::vector<const Route*> taking = routes_with_bodies();
  const Route& route = *taking[static_cast<unsigned char>(input[0]) % taking.size()];
  check_call({route.method, route.path, std::string(input.substr(1)), "", "application/json"});
}

// Sealed anew, so that what is behind the checksum is looked at.
void fuzz_served(std::string_view input) {
  const bool all = makes_round_trip(input);
  if (all) accepted([&] { parse_line(input, "log", 1); });
  std::string blank;
  append_line(blank, ServedFeedback{});
  const std::size_t kind = blank.find("feedback");
  std::string line = blank.substr(0, kind) + std::string(input) + "\n";
  seal_line(line.data(), line.size(), 1, 1);
  line.pop_back();
  ServedLine parsed;
  if (!accepted([&] { parsed = parse_line(line, "log", 1); }) || !parsed.list || !all) return;
  std::string again;
  append_line(again, *parsed.list);
  seal_line(again.data(), again.size(), 1, 1);
  again.pop_back();
  must(*parse_line(again, "log", 1).list == *parsed.list, "a line that is written is read as it was");
}

}  // namespace equipoise::fuzz
