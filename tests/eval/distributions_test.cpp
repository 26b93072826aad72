// Tails of distributions against printed tables and closed forms.
#include "eval/distributions.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace equipoise {
namespace {

TEST(Normal, Tails) {
  EXPECT_NEAR(normal_upper(0), 0.5, 1e-15);
  EXPECT_NEAR(normal_upper(1.6448536269514722), 0.05, 1e-15);
  EXPECT_NEAR(normal_two_sided(-1.959963984540054), 0.05, 1e-15);
  EXPECT_NEAR(normal_upper(10) / 7.619853024160527e-24, 1, 1e-12);
  for (double z = -5; z <= 5; z += 0.25) EXPECT_NEAR(normal_upper(z), std::erfc(z / std::numbers::sqrt2) / 2, 1e-14);
  EXPECT_TRUE(std::isnan(normal_two_sided(std::nan(""))));
}

TEST(Student, TailsFromTheTable) {
  // Two-sided 5% points of Student's t, from printed tables.
  const std::pair<double, double> table[] = {{1, 12.7062},  {2, 4.30265},  {4, 2.77645},
                                             {10, 2.22814}, {30, 2.04227}, {120, 1.97993}};
  for (const auto& [degrees, t] : table) EXPECT_NEAR(student_two_sided(t, degrees), 0.05, 2e-6) << degrees;
  EXPECT_NEAR(student_two_sided(1.959963985, 1e7), 0.05, 1e-7);  // the normal law in the limit
  EXPECT_EQ(student_two_sided(0, 5), 1);
  EXPECT_EQ(student_two_sided(-2, 7), student_two_sided(2, 7));
  EXPECT_GT(student_two_sided(50, 30), 0);
  EXPECT_TRUE(std::isnan(student_two_sided(std::nan(""), 5)));
}

TEST(Student, ClosedFormsOfFewDegrees) {
  for (double t = 0.125; t < 40; t *= 1.7) {
    EXPECT_NEAR(student_two_sided(t, 1), 1 - 2 * std::atan(t) / std::numbers::pi, 1e-12) << t;
    EXPECT_NEAR(student_two_sided(t, 2), 1 - t / std::sqrt(2 + t * t), 1e-12) << t;
    const double u = t / std::sqrt(4 + t * t);
    EXPECT_NEAR(student_two_sided(t, 4), 1 - (1.5 * u - 0.5 * u * u * u), 1e-12) << t;
  }
}

TEST(ChiSquare, QuantilesOfTheTablesAndClosedForms) {
  for (const auto& [x, degrees, p] : std::initializer_list<std::array<double, 3>>{
           {7.814727903, 3, 0.05}, {18.30703805, 10, 0.05}, {23.20925116, 10, 0.01}, {124.3421134, 100, 0.05}}) {
    EXPECT_NEAR(chi_square_upper(x, degrees), p, 1e-9) << x << " on " << degrees;
  }
  for (double x = 0.5; x < 30; x += 3.5) {
    EXPECT_NEAR(chi_square_upper(x, 1), normal_two_sided(std::sqrt(x)), 1e-12) << x;
    EXPECT_NEAR(chi_square_upper(x, 2), std::exp(-x / 2), 1e-12) << x;
    EXPECT_NEAR(chi_square_upper(x, 4), std::exp(-x / 2) * (1 + x / 2), 1e-12) << x;
  }
  EXPECT_EQ(chi_square_upper(-1, 5), 1);
}

}  // namespace
}  // namespace equipoise
