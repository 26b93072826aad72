// Values of policies through the public face: rows with chances from arrays, a model, and what is said of both.
#include <gtest/gtest.h>

#include <cmath>

#include "equipoise/equipoise.h"

namespace equipoise {
namespace {

// Lists of two of four items, drawn uniformly: every place has the chance 1/4, every item 1/2.
struct Served {
  std::vector<std::string> user, item, request;
  std::vector<int> label, position, eligible;
  std::vector<double> in_list, at_position, given_above;

  Served() {
    for (int l = 0; l < 480; ++l) {
      const int u = l % 40, first = l / 40 % 4, second = (first + 1 + l / 160) % 4;
      for (int place = 0; place < 2; ++place) {
        const int i = place == 0 ? first : second;
        user.push_back("u" + std::to_string(u)), item.push_back("i" + std::to_string(i));
        request.push_back("r" + std::to_string(l)), label.push_back((u + i) % 2), position.push_back(place + 1);
        eligible.push_back(4), in_list.push_back(0.5), at_position.push_back(0.25);
        given_above.push_back(place == 0 ? 0.25 : 1.0 / 3);
      }
    }
  }
  LogArrays rows() const {
    LogArrays out;
    out.user = user, out.item = item, out.request = request, out.label = label, out.position = position;
    out.eligible = eligible, out.propensity = in_list;
    out.propensity_at_position = at_position, out.propensity_given_above = given_above;
    return out;
  }
};

TEST(PublicValue, JudgesAModelFromRowsWithChances) {
  const Served served;
  const Data data = Data::from_rows(served.rows(), {{"split", "users"}, {"log_test_share", "0.5"}});
  const Model model = Model::train(data, {.method = "base", .base = "gmf", .parameters = {{"epochs", "3"}}});
  const ValueReport same =
      value(data, {{"uniform", model, "epsilon=1"}}, {{"form", "cascade"}, {"include_seen", "true"}});
  EXPECT_NEAR(same.policies[0].estimates.at("ips").value, same.logged.value, 1e-9);
  EXPECT_NEAR(same.logged.value, 1, 0.2) << "half of the pairs are liked, and a list has two";
  EXPECT_FALSE(same.chances_wrong);
  EXPECT_EQ(same.policies[0].contrasts[0].against, "the log");
  const ValueReport two =
      value(data, {{"best", model}, {"soft", model, "plackett-luce"}}, {{"include_seen", "true"}}, 2);
  EXPECT_EQ(two.policies.size(), 2U);
  EXPECT_EQ(two.policies[1].contrasts[1].against, "best");
  EXPECT_NE(two.json.find("\"effective_sample\""), std::string::npos);
  EXPECT_THROW(value(data, {{"best", model, "epsilon=2"}}), Failure);
  EXPECT_THROW(value(data, {{"best", model}}, {{"explore", "none"}}), Failure);
}

}  // namespace
}  // namespace equipoise
