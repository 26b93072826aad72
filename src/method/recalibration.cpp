// recalibration: f is fitted to the log; σ(s f + c log(1 + T_i) + d log(1 + T_u) + k + o_i) to a random sample.
#include <algorithm>
#include <cmath>

#include "data/random_sample.h"
#include "method/calibration.h"
#include "method/one_model.h"

namespace equipoise {

namespace {

class Recalibration final : public FittedToLog {
 public:
  Needs needs() const override { return {.labels = false, .against = loss_.draws(), .random = true}; }

  void build(const Workshop& workshop, Networks& networks) override {
    FittedToLog::build(workshop, networks);
    const Catalogue& catalogue = workshop.catalogue;
    Network& network = networks.add("calibration");  // no phase moves it
    numbers_ = &network.add("numbers", TrainedArray::Kind::dense, 1, 4);
    numbers_->values()[0] = 1;
    offset_ =
        &network.add("item.offset", TrainedArray::Kind::dense, static_cast<std::size_t>(catalogue.items.count), 1);
    for (const std::int32_t rows : catalogue.users.rows) log_user_.push_back(std::log1p(static_cast<float>(rows)));
    for (const std::int32_t rows : catalogue.items.rows) log_item_.push_back(std::log1p(static_cast<float>(rows)));
  }

  // s f + c log(1 + T_i) + d log(1 + T_u) + k + o_i
  Var predict(Tape& tape, const Pairs& pairs) const override {
    const Var rest = tape.make(pairs.size(), 1, false);
    const auto users = known_users(tape, pairs);
    const Floats& n = numbers_->values();
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const std::int32_t i = pairs.item[k];
      rest.value().data[k] = n[1] * of(log_item_, i) + n[2] * of(log_user_, users[k]) + n[3] + of(offset_->values(), i);
    }
    return n[0] * f_->logit(tape, pairs) + rest;
  }
  const RatingModel* predictor() const override { return nullptr; }
  const RatingModel* representations() const override { return f_.get(); }
  bool scores_are_chances() const override { return true; }

  /// Fits each form to one half of the random sample and keeps the one that predicts the other half best.
  bool finish(const Dataset& data, Pool& pool) override {
    const RandomHalves halves = random_halves(data);
    const CalibrationRows learned = inputs(halves.learned, pool), judging = inputs(halves.judging, pool);
    const std::size_t items = offset_->values().size();
    double best = 0;
    for (std::size_t form = 0; form < kForms.size(); ++form) {
      const Calibration tried = calibrate(learned, kForms[form], items);
      const double loss = log_loss(judging, tried);
      if (form > 0 && loss >= best) continue;
      best = loss;
      form_ = form;
      for (std::size_t k = 0; k < 4; ++k) numbers_->values()[k] = static_cast<float>(tried.numbers[k]);
      for (std::size_t i = 0; i < items; ++i) offset_->values()[i] = static_cast<float>(tried.offset[i]);
    }
    return true;
  }
  Json findings(const Dataset& data, Pool& pool) override {
    Json out = FittedToLog::findings(data, pool);
    const Floats& n = numbers_->values();
    const auto number = [&](std::size_t k) { return static_cast<double>(n[k]); };
    out["calibration_slope"] = number(0), out["calibration_item_rows"] = number(1);
    out["calibration_user_rows"] = number(2), out["calibration_constant"] = number(3);
    out["calibration_offsets_held"] = kForms[form_].held;
    return out;
  }

 private:
  // L = mean over shown pairs of δ(y, f), or the loss for positives
  Var fit(Tape& tape, const Batch& b) const override { return fit_weighted(tape, b, column(tape, b.shown.weight)); }

  template <class Values>
  static float of(const Values& values, std::int32_t entity) {
    return entity < 0 ? 0.0f : values[static_cast<std::size_t>(entity)];
  }

  CalibrationRows inputs(const Rows& rows, Pool& pool) const {
    CalibrationRows out{{}, rows.item, rows.label};
    Tape tape(pool, false);
    constexpr std::size_t kBlock = 8192;
    for (std::size_t first = 0; first < rows.size(); first += kBlock) {
      const std::size_t count = std::min(kBlock, rows.size() - first);
      tape.clear();
      const Matrix f =
          f_->logit(
                tape,
                {std::span(rows.user).subspan(first, count), std::span(rows.item).subspan(first, count), {}, {}, {}})
              .value();
      for (std::size_t k = 0; k < count; ++k) {
        out.x.push_back({f.data[k], of(log_item_, rows.item[first + k]), of(log_user_, rows.user[first + k]), 1});
      }
    }
    return out;
  }

  // From few numbers to many; s and k alone come first.
  static constexpr std::array<CalibrationForm, 6> kForms = {{{{true, false, false, true}, 0},
                                                             {{true, true, false, true}, 0},
                                                             {{true, true, true, true}, 0},
                                                             {{true, true, true, true}, 100},
                                                             {{true, true, true, true}, 30},
                                                             {{true, true, true, true}, 10}}};
  TrainedArray* numbers_ = nullptr;  // (1 × 4) s, c, d, k
  TrainedArray* offset_ = nullptr;   // (items × 1) o
  std::vector<float> log_user_, log_item_;
  std::size_t form_ = 0;
};

}  // namespace

std::unique_ptr<Method> make_recalibration() { return std::make_unique<Recalibration>(); }

}  // namespace equipoise
