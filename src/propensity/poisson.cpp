// Poisson factorisation by expectation maximisation, one pass over the log at a time.
#include "propensity/poisson.h"

#include <numeric>

#include "core/random.h"

namespace equipoise {

namespace {

// The mode under a gamma prior with shape 1 + a and rate b: it keeps factors finite, and above 0 those that begin
// there.
constexpr double kShape = 0.1, kRate = 0.1;

using Table = std::vector<double>;

// Near 1, and different, for those who have rows.
Table start(const std::vector<std::int32_t>& who, std::int32_t count, std::size_t width, Stream stream) {
  std::vector<bool> present(static_cast<std::size_t>(count), false);
  for (const std::int32_t e : who) present[static_cast<std::size_t>(e)] = true;
  Table out(present.size() * width, 0.0);
  for (std::size_t e = 0; e < present.size(); ++e) {
    for (std::size_t k = 0; present[e] && k < width; ++k) out[e * width + k] = 0.5 + stream.uniform();
  }
  return out;
}

Table column_sums(const Table& table, std::size_t width) {
  Table out(width, 0.0);
  for (std::size_t n = 0; n < table.size(); ++n) out[n % width] += table[n];
  return out;
}

// Each row of the log is one showing, divided among the factors by their shares of the rate.
Table divided(const Rows& log, const PoissonFactors& f, const std::vector<std::int32_t>& who, std::size_t size) {
  Table out(size, 0.0);
  for (std::size_t t = 0; t < log.size(); ++t) {
    const double* u = f.user.data() + static_cast<std::size_t>(log.user[t]) * f.width;
    const double* i = f.item.data() + static_cast<std::size_t>(log.item[t]) * f.width;
    double* to = out.data() + static_cast<std::size_t>(who[t]) * f.width;
    const double rate = std::inner_product(u, u + f.width, i, 0.0);
    for (std::size_t k = 0; k < f.width; ++k) to[k] += u[k] * i[k] / rate;
  }
  return out;
}

// The factors of one side, with those of the other as they are; who has no rows stays at 0.
void maximise(const Rows& log, PoissonFactors& f, const std::vector<std::int32_t>& who, Table& side,
              const Table& other) {
  const Table counts = divided(log, f, who, side.size()), totals = column_sums(other, f.width);
  for (std::size_t n = 0; n < side.size(); ++n) {
    if (side[n] > 0) side[n] = (kShape + counts[n]) / (kRate + totals[n % f.width]);
  }
}

}  // namespace

double PoissonFactors::rate(std::size_t u, std::size_t i) const {
  const double* a = user.data() + u * width;
  return std::inner_product(a, a + width, item.data() + i * width, 0.0);
}

PoissonFactors factorise_exposure(const Rows& log, std::int32_t users, std::int32_t items, int width, int passes,
                                  std::uint64_t seed) {
  const auto k = static_cast<std::size_t>(width);
  PoissonFactors f{k, start(log.user, users, k, Stream(seed, "exposure of users")),
                   start(log.item, items, k, Stream(seed, "exposure of items"))};
  for (int pass = 0; pass < passes; ++pass) {
    maximise(log, f, log.user, f.user, f.item);
    maximise(log, f, log.item, f.item, f.user);
  }
  return f;
}

}  // namespace equipoise
