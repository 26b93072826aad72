// The exposure term: shown pairs are positive, drawn pairs that the log does not show negative.
#include "method/exposure_term.h"

#include "grad/ops.h"
#include "method/drawn.h"

namespace equipoise {

void ExposureTerm::describe(Params& p) {
  p("exposure_negatives", negatives_, "pairs that were not shown, for each shown one, for the exposure model",
    between(1, 100));
  p("negatives_keep_user", keep_user_, "those pairs keep the row's user; otherwise both ends are drawn");
}

void ExposureTerm::build(Network& network, std::size_t width, std::size_t z_width, Stream& stream) {
  s_.emplace(network, width, width, z_width, stream);
}

void ExposureTerm::read(const Dataset& data) {
  log_ = PairIndex(data.train, data.users.size());
  withheld_ = &data.withheld;
}

Var ExposureTerm::operator()(Tape& tape, const Batch& b, const Confounded& shown,
                             FunctionRef<Confounded(const Pairs&)> confounded) const {
  Pairs drawn = b.drawn;
  if (keep_user_) {
    drawn.user = repeated(tape, b.shown.user);
    drawn.left_out = repeated(tape, b.shown.left_out.empty() ? b.shown.item : b.shown.left_out);
  }
  const Confounded x = confounded(drawn);
  const Var yes = (*s_)(shown.user, shown.item, shown.z), no = (*s_)(x.user, x.item, x.z);
  const Var unseen = not_shown(tape, drawn, log_, *withheld_);
  return mean(bce(filled(tape, yes.rows(), 1.0f), yes)) + mean_of(unseen, bce(filled(tape, no.rows(), 0.0f), no));
}

// each user, or item, as often as pairs are drawn for a row
std::span<const std::int32_t> ExposureTerm::repeated(Tape& tape, std::span<const std::int32_t> users) const {
  const auto times = static_cast<std::size_t>(negatives_);
  auto* out = tape.arena().take_array<std::int32_t>(users.size() * times);
  for (std::size_t k = 0; k < users.size() * times; ++k) out[k] = users[k / times];
  return {out, users.size() * times};
}

}  // namespace equipoise
