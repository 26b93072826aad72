// Optimisers: one update of one parameter, spread over fixed pieces.
#include "grad/optimizer.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "grad/kernels.h"

namespace equipoise {

namespace {

constexpr std::size_t kPiece = 8192;  // numbers a piece updates; the arithmetic is by element, so any cut is the same
constexpr std::size_t kTablePiece = 256;  // touched rows a piece updates

// Updates n numbers beginning at `at`, with their gradient.
class Rule {
 public:
  Rule(Parameter& p, const OptimizerSettings& settings, float rate, float lambda)
      : p_(p), settings_(settings), rate_(rate), decay_(2.0f * lambda), adam_(settings.name.ends_with("adam")) {
    const std::size_t size = p.values().size();
    if (settings.name != "sgd" && p.memory1.size() != size) p.memory1.assign(size, 0.0f);
    if (adam_ && p.memory2.size() != size) p.memory2.assign(size, 0.0f);
    if (adam_) {
      const auto t = static_cast<double>(++p.updates);
      step_ = {static_cast<float>(rate / (1.0 - std::pow(settings.beta1, t))),
               settings.beta1,
               settings.beta2,
               settings.epsilon,
               static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(settings.beta2, t))),
               decay_};
    }
  }

  void operator()(std::size_t at, const float* gradient, std::size_t n) const {
    float* value = p_.values().data() + at;
    if (adam_)
      kernels().adam(step_, value, gradient, p_.memory1.data() + at, p_.memory2.data() + at, n);
    else if (settings_.name == "adagrad") {
      kernels().adagrad(rate_, settings_.epsilon, decay_, value, gradient, p_.memory1.data() + at, n);
    } else {
      kernels().sgd(rate_, decay_, value, gradient, n);
    }
  }

  /// Updates the touched rows from slot `first` to before slot `last`.
  void touched(std::size_t first, std::size_t last) const {
    const std::int32_t* rows = p_.touched().data();
    if (adam_) {
      kernels().adam_rows(step_, rows + first, last - first, p_.cols(), p_.values().data(), p_.touched_gradient(first),
                          p_.memory1.data(), p_.memory2.data());
      return;
    }
    for (std::size_t s = first; s < last; ++s) {
      (*this)(static_cast<std::size_t>(rows[s]) * p_.cols(), p_.touched_gradient(s), p_.cols());
    }
  }

 private:
  Parameter& p_;
  const OptimizerSettings& settings_;
  float rate_;
  float decay_;
  bool adam_;
  AdamStep step_{};
};

void update_dense(Parameter& p, const Rule& rule, Pool& pool) {
  const std::size_t size = p.values().size();
  pool.run(chunks(size, kPiece), [&](std::size_t c) {
    const std::size_t first = c * kPiece;
    rule(first, p.gradient().data + first, std::min(kPiece, size - first));
  });
}

void update_touched(Parameter& p, const Rule& rule, Pool& pool) {
  const std::size_t touched = p.touched().size();
  pool.run(chunks(touched, kTablePiece),
           [&](std::size_t c) { rule.touched(c * kTablePiece, std::min(touched, (c + 1) * kTablePiece)); });
}

alignas(64) constexpr float kZeros[1024] = {};

// Dense Adam on a table: rows that were not touched have a gradient of zero (and λ's), but their memory moves them.
void update_every_row(Parameter& p, const Rule& rule, Pool& pool) {
  pool.run(chunks(p.rows(), kTablePiece), [&](std::size_t c) {
    for (std::size_t r = c * kTablePiece; r < std::min(p.rows(), (c + 1) * kTablePiece); ++r) {
      const std::int32_t slot = p.slot(r);
      if (slot >= 0) {
        rule(r * p.cols(), p.touched_gradient(static_cast<std::size_t>(slot)), p.cols());
        continue;
      }
      for (std::size_t k = 0; k < p.cols(); k += std::size(kZeros)) {
        rule(r * p.cols() + k, kZeros, std::min(std::size(kZeros), p.cols() - k));
      }
    }
  });
}

}  // namespace

const std::vector<std::string>& optimizer_names() {
  static const std::vector<std::string> names = {"lazy-adam", "adam", "adagrad", "sgd"};
  return names;
}

void update(Parameter& parameter, const OptimizerSettings& settings, float rate, float lambda, Pool& pool) {
  EQUIPOISE_DEBUG_ASSERT(parameter.moves);
  const Rule rule(parameter, settings, rate, lambda);
  if (!parameter.is_table())
    update_dense(parameter, rule, pool);
  else if (settings.name == "adam")
    update_every_row(parameter, rule, pool);
  else
    update_touched(parameter, rule, pool);
  parameter.clear_gradient();
}

}  // namespace equipoise
