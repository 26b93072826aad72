// How f is fitted to the rows of a log: to their labels, or against items drawn for the same user.
#pragma once

#include <string>

#include "core/json.h"
#include "core/parallel.h"
#include "method/drawn_items.h"

namespace equipoise {

/// The parameters `loss`, `negative_weight` and those of the drawn items; the loss that they name.
class FitLoss {
 public:
  void describe(Params& p);
  /// Settles what `auto` is for that log. UsageError where labels are asked for and there are none.
  void consider(const Dataset& data);
  /// Says which loss was chosen, where the log decided it.
  void read(const Dataset& data);
  /// None where labels are fitted.
  AgainstDraws draws() const { return of_labels() ? AgainstDraws{} : items_.draws(); }
  bool of_labels() const { return loss_ == "auto" || loss_ == "labels"; }
  bool gives_chances() const { return of_labels() || loss_ == "pointwise"; }
  /// Adds which loss it is, where it is not that of labels.
  void add_findings(Json& findings) const;

  /// The loss of a batch whose rows have the logits `own` and the weights w; `logit` gives those of further pairs.
  Var operator()(Tape& tape, const Batch& b, Var own, Var w, FunctionRef<Var(const Pairs&)> logit) const;

 private:
  Var softmax(Tape& tape, const Pairs& against, Var own, Var others, Var counts) const;

  std::string loss_ = "auto";
  float negative_weight_ = 1;
  bool chosen_ = false;  // by the log
  DrawnItems items_;
};

}  // namespace equipoise
