// Losses of a row: labels, pointwise, bpr, softmax.
#include "method/fit_loss.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/listener.h"

namespace equipoise {

namespace {

constexpr const char* kForPositives = "pointwise";

}  // namespace

void FitLoss::describe(Params& p) {
  p("loss", loss_,
    "labels: fit the rows' labels; pointwise, bpr, softmax: rows against items drawn for the same user; auto: labels, "
    "or pointwise where the log has positives only",
    one_of({"auto", "labels", "pointwise", "bpr", "softmax"}), only_if_set());
  p("negative_weight", negative_weight_, "weight of the drawn items in the pointwise loss", at_least(0), only_if_set());
  items_.describe(p);
}

void FitLoss::consider(const Dataset& data) {
  if (!data.positives_only) return;
  if (loss_ == "labels") {
    throw UsageError(
        fmt::format("loss = labels needs rows of both labels, and {} has positives only; pointwise, bpr and "
                    "softmax learn from those",
                    data.name));
  }
  chosen_ = loss_ == "auto";
  if (chosen_) loss_ = kForPositives;
}

void FitLoss::read(const Dataset& data) {
  if (of_labels()) return;
  items_.read(data);
  if (!chosen_) return;
  note(fmt::format("the log has positives only: loss = {}, each row against {} drawn items of the same user", loss_,
                   items_.draws().per_row));
}

void FitLoss::add_findings(Json& findings) const {
  if (of_labels()) return;
  findings["loss"] = loss_;
  findings["loss_chosen_by_log"] = chosen_;
}

Var FitLoss::operator()(Tape& tape, const Batch& b, Var own, Var w, FunctionRef<Var(const Pairs&)> logit) const {
  const Var y = column(tape, b.shown.label);
  // L = mean w δ(y, f)
  if (of_labels()) return mean(w * bce(y, own));
  const Pairs against = b.against;
  const Var others = logit(against), m = items_.count(tape, against);
  const std::size_t times = against.size() / b.shown.size();
  // L = mean w δ(y, f_ui) + negative_weight · mean over drawn j of δ(0, f_uj)
  if (loss_ == "pointwise") {
    const Var drawn = mean_of(m, bce(filled(tape, others.rows(), 0.0f), others));
    return mean(w * bce(y, own)) + negative_weight_ * drawn;
  }
  // L = mean over positive rows and drawn j of w (−log σ(f_ui − f_uj))
  if (loss_ == "bpr") return mean_of(repeat(y, times) * m, repeat(w, times) * order_error(own, others));
  // L = mean over positive rows of w (−log softmax of f_ui among f_ui and the drawn f_uj)
  return mean_of(y, w * softmax(tape, against, own, others, m));
}

// log(e^{f_ui} + Σ_j e^{f_uj} ÷ (n q_j)) − f_ui, n drawn items by the law q: the sum's mean is that over all items that
// count.
Var FitLoss::softmax(Tape& tape, const Pairs& against, Var own, Var others, Var counts) const {
  const double times = static_cast<double>(others.rows()) / static_cast<double>(own.rows());
  float* factors = tape.arena().take_array<float>(against.size());
  const OwnRows own_rows = tape.part(others);
  for (std::size_t k = own_rows.first; k < own_rows.last; ++k) {
    const double chance = items_.law(against.user[k]).chance(against.item[k]);
    factors[k] = static_cast<float>(counts.value().data[k] / (times * chance));
  }
  return softmax_against(own, others, factors);
}

}  // namespace equipoise
