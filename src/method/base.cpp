// base: the base model fitted to the log as it is. L = mean over the log of δ(y, f(u, i)), or the loss for positives.
#include "method/one_model.h"

namespace equipoise {

namespace {

class BaseMethod final : public FittedToLog {
  // L = mean w δ(y, f); w is the log's own weight of a row, 1 unless it has such a column
  Var fit(Tape& tape, const Batch& b) const override { return fit_weighted(tape, b, column(tape, b.shown.weight)); }
};

}  // namespace

std::unique_ptr<Method> make_base_method() { return std::make_unique<BaseMethod>(); }

}  // namespace equipoise
