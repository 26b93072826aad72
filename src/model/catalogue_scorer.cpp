// Whole-catalogue scoring in halves: the items' once, the user's once for each user.
#include "model/catalogue_scorer.h"

#include <algorithm>
#include <numeric>

#include "grad/gemm.h"
#include "grad/kernels.h"

namespace equipoise {

namespace {

constexpr std::size_t kBlock = 4096;  // items scored at once

Floats kept(const Matrix& m) { return {m.data, m.data + m.size()}; }

class ConfoundedScorer final : public CatalogueScorer {
 public:
  ConfoundedScorer(const RatingModel& f, const Projection& phi, const Confounder& c, std::size_t items,
                   std::size_t width, Pool& pool)
      : f_(f), phi_(phi), c_(c), width_(width) {
    Tape tape(pool, false);
    std::vector<std::int32_t> all(items);
    std::iota(all.begin(), all.end(), 0);
    const Matrix q = f.item(tape, {{}, all, {}, {}, {}}).value();
    const Matrix c_part = c.tower().first_part(tape, q, width), f_part = f.head().item_half(tape, q);
    c_width_ = c_part.cols, f_width_ = f_part.cols;
    c_items_ = kept(c_part), f_items_ = kept(f_part);
    // W·B: what z adds to f's first layer
    const TrainedArray& a = *phi.layer().weights;
    z_width_ = a.rows() - width;
    Matrix b{tape.arena().take_array<float>(z_width_ * width), z_width_, width};
    std::copy_n(a.values().data() + width * width, b.size(), b.data);
    z_to_f_ = kept(f.head().user_half(tape, b));
  }

  void score(std::int32_t user, std::span<const std::int32_t> items, std::span<float> out, Pool& pool,
             const Guests* guests) const override {
    Tape tape(pool, false);
    for (std::size_t first = 0; first < items.size(); first += kBlock) {
      const std::size_t count = std::min(kBlock, items.size() - first);
      tape.clear();
      score_block(tape, user, guests, items.subspan(first, count), out.data() + first);
    }
  }

 private:
  void score_block(Tape& tape, std::int32_t user, const Guests* guests, std::span<const std::int32_t> items,
                   float* out) const {
    const auto make = [&](std::size_t rows, std::size_t cols) {
      return Matrix{tape.arena().take_array<float>(rows * cols), rows, cols};
    };
    const std::int32_t one[] = {user};
    const Var u = f_.user(tape, {one, {}, {}, {}, {}, {}, guests});
    const Matrix c_user = c_.tower().first_part(tape, u.value(), 0);
    const Matrix phi_user = part_of_layer(tape, u.value(), *phi_.layer().weights, 0);  // A u + a
    kernels().add(phi_.layer().bias->values().data(), phi_user.data, width_);
    const Matrix f_user = f_.head().user_half(tape, phi_user);

    const std::size_t n = items.size();
    const Matrix c_sum = make(n, c_width_), f_sum = make(n, f_width_), f_item = make(n, f_width_);
    for_row_chunks(tape.pool(), n, [&](std::size_t first, std::size_t last) {
      for (std::size_t r = first; r < last; ++r) {
        const auto i = static_cast<std::size_t>(items[r]);
        std::copy_n(c_user.data, c_width_, c_sum.row(r));
        kernels().add(c_items_.data() + i * c_width_, c_sum.row(r), c_width_);
        std::copy_n(f_items_.data() + i * f_width_, f_width_, f_item.row(r));
      }
    });
    const Matrix z = c_.tower().finish(tape, c_sum).value();
    for_row_chunks(tape.pool(), n, [&](std::size_t first, std::size_t last) {
      affine(last - first, f_width_, z_width_, z.row(first), z_to_f_.data(), f_user.data, f_sum.row(first));
    });
    auto* users = tape.arena().take_array<std::int32_t>(n);
    std::fill_n(users, n, user);
    const Var logits = f_.head().logit_of_halves(tape, f_sum, f_item);
    std::copy_n(f_.with_biases(logits, {{users, n}, items, {}, {}, {}, {}, guests}).value().data, n, out);
  }

  const RatingModel& f_;
  const Projection& phi_;
  const Confounder& c_;
  std::size_t width_, c_width_ = 0, f_width_ = 0, z_width_ = 0;
  Floats c_items_, f_items_;  // (items × c_width), (items × f_width)
  Floats z_to_f_;             // (z_width × f_width)
};

}  // namespace

std::unique_ptr<CatalogueScorer> confounded_scorer(const RatingModel& f, const Projection& phi, const Confounder& c,
                                                   std::size_t items, std::size_t width, Pool& pool) {
  return std::make_unique<ConfoundedScorer>(f, phi, c, items, width, pool);
}

}  // namespace equipoise
