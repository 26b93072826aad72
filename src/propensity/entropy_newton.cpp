// Entropy balancing solved: damped Newton steps on the dual, and the ridge that a floor on the sample asks for.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.h"
#include "core/symmetric.h"
#include "propensity/entropy_balance.h"

namespace equipoise {

namespace {

constexpr int kMostSteps = 200;
constexpr double kRough = 1e-5, kFine = 1e-9;  // |∂f/∂λ| while ρ is looked for, and of the answer
constexpr double kLeast = 1e-6;                // the smallest ρ but 0
constexpr double kClose = 1.1;                 // how near ρ is looked for

// H⁻¹ g. A direction in which the moments of the log hardly vary would make the step as long as one likes.
std::vector<double> newton_step(const std::vector<double>& hessian, const std::vector<double>& gradient) {
  const std::size_t n = gradient.size();
  for (double ridge = 1e-12;; ridge *= 100) {
    std::vector<double> factors = hessian, move = gradient;
    for (std::size_t k = 0; k < n; ++k) factors[k * n + k] += ridge * (1 + hessian[k * n + k]);
    if (solve_symmetric(factors, move)) return move;
  }
}

}  // namespace

void BalancingParams::describe(Params& p) {
  p("weights_floor", floor,
    "least effective sample that balancing weights leave, as a share of the rows: moments are met as far as it allows; "
    "0 = exactly, or not at all",
    between(0, 0.99), only_if_set());
  p("weights_width", width, "most numbers of a user, and of an item, whose moments balancing weights meet",
    between(1, 16), only_if_set());
}

bool EntropyBalance::solve(std::vector<double>& lambda, double rho, double tolerance, int& steps) const {
  const std::size_t n = moments();
  // Weights on the rows differ from r by at most so much relative entropy, and the dual is a lower bound of it.
  double least = std::numeric_limits<double>::infinity();
  for (const double r : r_) least = r > 0 ? std::min(least, r) : least;
  const double most = std::log(total_ / least);
  std::vector<double> gradient(n), hessian(n * n), tried(n), weight;
  for (int step = 0; step < kMostSteps; ++step) {
    const double value = dual(lambda, rho, gradient, hessian);
    if (rho == 0 && value < -most - 1e-9) return false;
    const auto above = [&](double g) { return std::abs(g) >= tolerance; };
    if (std::none_of(gradient.begin(), gradient.end(), above)) return true;
    ++steps;
    const std::vector<double> move = newton_step(hessian, gradient);
    const double slope = -std::inner_product(move.begin(), move.end(), gradient.begin(), 0.0);
    double length = 1;
    for (;; length /= 2) {
      for (std::size_t k = 0; k < n; ++k) tried[k] = lambda[k] - length * move[k];
      const double next = objective(tried, rho, weight);
      if (std::isfinite(next) && next <= value + 1e-4 * length * slope + 1e-14 * std::abs(value)) break;
      if (length < 1e-12) return rho > 0;  // rounding: there is nothing left to gain
    }
    lambda = tried;
  }
  return rho > 0;
}

BalancingWeights EntropyBalance::balance(double floor) const {
  int steps = 0;
  std::vector<double> lambda(moments(), 0.0);
  if (floor > 0) return ridged(floor, lambda, steps);
  if (!solve(lambda, 0, kFine, steps)) {
    throw CheckError(
        "no weights of the log's rows give them the moments of all pairs: what is wanted lies outside of what was "
        "shown; set weights_floor above 0, or balance fewer moments (weights_width, item_groups)");
  }
  return described(lambda, 0, steps);
}

// The effective sample grows with ρ: from ρ = 1 up or down by tens to both sides of the floor, then between the two.
BalancingWeights EntropyBalance::ridged(double floor, const std::vector<double>& start, int& steps) const {
  struct Try {
    double rho = 0;
    std::vector<double> lambda;
    double effective = 0;
  };
  std::vector<double> weight;
  const auto attempt = [&](double rho, std::vector<double> from, double tolerance) {
    const bool solved = solve(from, rho, tolerance, steps);
    objective(from, rho, weight);
    return Try{rho, std::move(from), solved ? effective(weight) : 0};
  };
  Try good = attempt(1, start, kRough);
  double bad = 0;  // the largest ρ that is known to be too small
  const auto consider = [&](Try next) {
    if (next.effective >= floor)
      good = std::move(next);
    else
      bad = next.rho;
  };
  while (good.effective < floor) {
    bad = good.rho;
    good = attempt(10 * bad, start, kRough);
  }
  while (bad == 0 && good.rho > kLeast) consider(attempt(good.rho / 10, good.lambda, kRough));
  while (bad > 0 && good.rho > kClose * bad) consider(attempt(std::sqrt(good.rho * bad), good.lambda, kRough));
  if (bad == 0)
    consider(attempt(0, good.lambda, kFine));  // the floor does not bind: no ridge, where that has an answer
  if (good.rho > 0) good = attempt(good.rho, good.lambda, kFine);
  return described(good.lambda, good.rho, steps);
}

}  // namespace equipoise
