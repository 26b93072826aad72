// The tables of strategies and distances.
#include "balance/balance.h"

#include <gtest/gtest.h>

#include "balance/distance.h"
#include "core/named.h"
#include "data/temp_folder.h"

namespace equipoise {
namespace {

using test::error_of;

TEST(Balances, EachIsMadeByItsName) {
  BalanceParams params;
  Params described;
  params.describe(described);
  EXPECT_EQ(described.find("balance")->limits().choices, names_of(balances()));
  EXPECT_EQ(described.find("distance")->limits().choices, names_of(distances()));
  for (const BalanceEntry& entry : balances()) {
    EXPECT_GT(std::string_view(entry.sentence).size(), 10U) << entry.name;
    params.balance = entry.name;
    Networks networks;
    const auto made = make_balance(params, {5, 3, 1, {}}, networks);
    EXPECT_EQ(made == nullptr, params.balance == "none") << entry.name;
    if (made && !made->network().empty()) networks.at(made->network());  // throws if there is none
  }
}

TEST(Balances, AnUnknownNameIsAnErrorWithASuggestion) {
  BalanceParams params;
  params.balance = "adversary";
  Networks networks;
  EXPECT_EQ(error_of<UsageError>([&] {
              make_balance(params, {5, 3, 1, {}}, networks);
            }),
            "there is no balance 'adversary'; did you mean adversarial?");
  EXPECT_EQ(error_of<UsageError>([] { distance_of("lineal"); }), "there is no distance 'lineal'; did you mean linear?");
}

}  // namespace
}  // namespace equipoise
