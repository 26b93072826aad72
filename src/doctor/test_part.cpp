// The parts that are not for training: their rows one after another.
#include "doctor/test_part.h"

#include "eval/protocol.h"

namespace equipoise {

namespace {

Rows together(const Dataset& data, bool with_both_labels) {
  Rows out;
  for (const Rows* rows : {&data.valid, &data.test}) {
    if (with_both_labels && !count_labels(*rows).both()) continue;
    out.user.insert(out.user.end(), rows->user.begin(), rows->user.end());
    out.item.insert(out.item.end(), rows->item.begin(), rows->item.end());
    out.label.insert(out.label.end(), rows->label.begin(), rows->label.end());
  }
  return out;
}

}  // namespace

Rows valid_and_test(const Dataset& data) { return together(data, false); }

Rows judged_rows(const Dataset& data) { return together(data, data.positives_only); }

}  // namespace equipoise
