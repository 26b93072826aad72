// Targets, fields, routes and requests: what is taken, and what is refused with which status.
#include <gtest/gtest.h>

#include "core/error.h"
#include "data/temp_folder.h"
#include "serve/request_reader.h"
#include "serve/routes.h"

namespace equipoise::test {
namespace {

int status_of(const std::function<void()>& call) {
  try {
    call();
  } catch (...) {
    return problem_of_exception().status;
  }
  return 200;
}

TEST(TargetTest, IsDecodedStrictly) {
  const Target target = parse_target("/v1/recommend/a%2Fb%20c?k=5&x=a+b%26&&empty=&bare#part");
  EXPECT_EQ(target.path, (std::vector<std::string>{"v1", "recommend", "a/b c"}));
  using Query = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(target.query, (Query{{"k", "5"}, {"x", "a b&"}, {"empty", ""}, {"bare", ""}}));
  EXPECT_TRUE(parse_target("/").path.empty());
  EXPECT_EQ(parse_target("/a//b/").path, (std::vector<std::string>{"a", "", "b", ""}));
  EXPECT_EQ(parse_target("/../%2e%2e/etc").path, (std::vector<std::string>{"..", "..", "etc"})) << "names no file";
  for (const char* bad : {"", "a", "*", "http://h/", "/%", "/%4", "/%zz", "/%00", "/%ff", "/%c0%af", "/?a=1&a=2"}) {
    EXPECT_EQ(status_of([&] { parse_target(bad); }), 400) << bad;
  }
  EXPECT_EQ(parse_target("/" + percent_encoded("ü/?#%\n")).path[0], "ü/?#%\n");
}

TEST(FieldTest, RefusesByNameAndPlace) {
  const Field field = object_field(
      "", "",
      {list_field("rows", "", object_field("", "", {whole_field("k", "").within(1, 5).needed()})).within(0, 2),
       map_field("map", "", text_field("", "").within(0, 2)), number_field("x", "").or_null()});
  const auto why = [&](const char* text) {
    try {
      check_field(field, parse_json(text, "t"), "body");
    } catch (const Refusal& refusal) {
      return std::string(refusal.what());
    }
    return std::string();
  };
  EXPECT_EQ(why(R"({"rows":[{"k":5},{"k":1}],"map":{"a":"bc"},"x":null})"), "");
  EXPECT_EQ(why(R"({"rows":[{"k":5},{"k":6}]})"), "body.rows[1].k: expected from 1 up to 5, got 6");
  EXPECT_EQ(why(R"({"rows":[{}]})"), "body.rows[0]: lacks \"k\"");
  EXPECT_EQ(why(R"({"rows":[{"k":1.5}]})"), "body.rows[0].k: expected a whole number");
  EXPECT_EQ(why(R"({"rows":[{"k":2.0}]})"), why(R"({"rows":[{"k":2}]})")) << "a whole number, as in JSON schema";
  EXPECT_EQ(why(R"({"rows":[{"k":1},{"k":1},{"k":1}]})"), "body.rows: expected from 0 up to 2 members, got 3");
  EXPECT_EQ(why(R"({"map":{"a":"bcd"}})"), "body.map.a: expected from 0 up to 2 letters, got 3");
  EXPECT_EQ(why(R"({"row":[]})"), "body: no member \"row\"; did you mean rows?");
  EXPECT_EQ(why("[]"), "body: expected an object");
}

TEST(Routes, FindTheirCallsAndSayWhatTheyTake) {
  const RouteTable routes{ServeParams()};
  const auto call = [&](const char* method, const char* target, const char* body = "", const char* type = "") {
    const Target parsed = parse_target(target);
    std::vector<std::string> allowed;
    const Route* route = routes.find(method, parsed, allowed);
    if (route == nullptr) throw Refusal(allowed.empty() ? 404 : 405, "none");
    return checked_call(*route, parsed, {method, target, body, "", type});
  };
  const Call good = call("GET", "/v1/recommend/u%201?k=3");
  EXPECT_EQ(good.route->name, "recommend_user");
  EXPECT_EQ(good.argument("user")->as_string(), "u 1");
  EXPECT_EQ(good.argument("k")->as_int(), 3);
  EXPECT_TRUE(good.argument("explore")->as_bool()) << "its default";
  EXPECT_EQ(good.argument("model"), nullptr);
  const auto status = [&](const char* method, const char* target, const char* body = "", const char* type = "") {
    return status_of([&] { call(method, target, body, type); });
  };
  EXPECT_EQ(status("GET", "/v1/recommend/u?k=0"), 400);
  EXPECT_EQ(status("GET", "/v1/recommend/u?k=101"), 400);
  EXPECT_EQ(status("GET", "/v1/recommend/u?k=1e1"), 400);
  EXPECT_EQ(status("GET", "/v1/recommend/u?kk=1"), 400);
  EXPECT_EQ(status("GET", "/v1/recommend/"), 404) << "no user has an empty id";
  EXPECT_EQ(status("GET", "/v1/recommend/a/b"), 404);
  EXPECT_EQ(status("DELETE", "/v1/recommend/u"), 405);
  EXPECT_EQ(status("GET", "/healthz", "body"), 400);
  EXPECT_EQ(status("POST", "/v1/score", R"({"pairs":[{"user":"u","item":"i"}]})"), 200);
  EXPECT_EQ(status("POST", "/v1/score", R"({"pairs":[{"user":"u","item":"i"}]})", "application/JSON; charset=utf-8"),
            200);
  EXPECT_EQ(status("POST", "/v1/score", R"({"pairs":[{"user":"u","item":"i"}]})", "text/plain"), 415);
  EXPECT_EQ(status("POST", "/v1/score", R"({"pairs":[]})"), 400);
  EXPECT_EQ(status("POST", "/v1/score", R"({"pairs":[{"user":"u","item":"i","item":"j"}]})"), 400) << "twice";
  EXPECT_EQ(status("POST", "/v1/score", "{\"pairs\":[{\"user\":\"\xff\",\"item\":\"i\"}]}"), 400) << "no UTF-8";
  EXPECT_EQ(status("POST", "/v1/score", std::string(100000, '[').c_str()), 400);
}

TEST(Routes, AreAllInTheDescription) {
  const RouteTable routes{ServeParams()};
  const Json description = openapi(routes, true);
  const std::string page = routes_markdown(routes);
  for (const Route& route : routes.all()) {
    EXPECT_NE(route.run, nullptr) << route.name;
    const Json& path = description.at("paths").at(route.path);
    EXPECT_EQ(path.at(route.method == "GET" ? "get" : "post").at("operationId").as_string(), route.name);
    EXPECT_NE(page.find("## " + route.method + " " + route.path), std::string::npos);
  }
}

using Step = RequestReader::Step;

Step feed(RequestReader& reader, std::string_view bytes) {
  boost::asio::buffer_copy(reader.prepare(bytes.size()), boost::asio::buffer(bytes.data(), bytes.size()));
  reader.commit(bytes.size());
  return reader.step();
}

TEST(RequestReaderTest, TakesRequestsInPiecesAndOneAfterAnother) {
  const std::string two =
      "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nAuthorization: Bearer x\r\n\r\nabc"
      "HEAD /b HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
  for (std::size_t piece = 1; piece <= two.size(); ++piece) {
    RequestReader reader(1024, 1024);
    std::vector<RequestReader::Whole> found;
    for (std::size_t at = 0; at < two.size(); at += piece) {
      for (Step step = feed(reader, std::string_view(two).substr(at, piece)); step == Step::whole;
           step = reader.step()) {
        found.push_back(reader.take());
      }
    }
    ASSERT_EQ(found.size(), 2U) << piece;
    EXPECT_EQ(found[0].request.body, "abc");
    EXPECT_EQ(found[0].request.authorization, "Bearer x");
    EXPECT_TRUE(found[0].keep);
    EXPECT_EQ(found[1].request.method, "GET");
    EXPECT_TRUE(found[1].head);
    EXPECT_FALSE(found[1].keep);
    EXPECT_FALSE(reader.begun());
  }
}

TEST(RequestReaderTest, TakesChunksInPieces) {
  for (const std::string chunks : {"0\r\n\r\n", "0\r\nA: b\r\n\r\n", "4\r\n0\r\nx\r\n0\r\n\r\n"}) {
    const std::string all = "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks;
    for (std::size_t piece = 1; piece <= all.size(); ++piece) {
      RequestReader reader(1024, 1024);
      Step last = Step::more;
      for (std::size_t at = 0; at < all.size(); at += piece) {
        ASSERT_EQ(last, Step::more) << piece << " " << chunks;
        last = feed(reader, std::string_view(all).substr(at, piece));
      }
      ASSERT_EQ(last, Step::whole) << piece << " " << chunks;
      EXPECT_EQ(reader.take().request.body, chunks[0] == '4' ? "0\r\nx" : "");
      EXPECT_FALSE(reader.begun());
    }
  }
}

TEST(RequestReaderTest, RefusesWhatIsTooLargeOrNoRequest) {
  const auto status = [](const std::string& bytes) {
    RequestReader reader(16, 256);
    const Step step = feed(reader, bytes);
    if (step == Step::whole) {
      const auto whole = reader.take();
      return whole.refused ? whole.refused->status : 200;
    }
    return step == Step::refused ? reader.refusal().status : 0;
  };
  const std::string host = "Host: h\r\n";
  EXPECT_EQ(status("GET / HTTP/1.1\r\n" + host + "\r\n"), 200);
  EXPECT_EQ(status("GET / HTTP/1.0\r\n\r\n"), 200);
  EXPECT_EQ(status("GET / HTTP/1.1\r\n\r\n"), 400) << "without Host";
  EXPECT_EQ(status("GET / HTTP/1.1\r\n" + host + host + "\r\n"), 400);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nA: " + std::string(300, 'a')), 431);
  EXPECT_EQ(status("POST / HTTP/1.1\r\n" + host + "Content-Length: 17\r\n\r\n"), 413);
  EXPECT_EQ(
      status("POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n20\r\n" + std::string(32, 'x') + "\r\n"),
      413);
  EXPECT_EQ(status("POST / HTTP/1.1\r\n" + host + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            400)
      << "which is it";
  EXPECT_EQ(status("POST / HTTP/1.1\r\n" + host + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"), 400);
  EXPECT_EQ(status("POST / HTTP/1.1\r\n" + host + "Content-Length: -1\r\n\r\n"), 400);
  EXPECT_EQ(status("GET / HTTP/2.0\r\n" + host + "\r\n"), 400);
  EXPECT_EQ(status("\x16\x03\x01\x02"), 400) << "TLS";
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost : h\r\n\r\n"), 400);
  EXPECT_EQ(status("GET /\n\n"), 400);
}

TEST(HttpAnswerTest, AProblemIsOneLine) {
  const HttpAnswer answer = problem(400, "a\r\nb\x1b \"c\"");
  EXPECT_EQ(answer.body.find('\n'), answer.body.size() - 1);
  const Json body = parse_json(answer.body, "body");
  EXPECT_EQ(body.at("status").as_int(), 400);
  EXPECT_EQ(body.at("detail").as_string().find('\r'), std::string::npos);
  EXPECT_EQ(problem(503, "x", 3).headers.front().second, "3");
}

}  // namespace
}  // namespace equipoise::test
