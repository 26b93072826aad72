// Names of parts and protocols: reading and writing them.
#include "eval/protocol.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/text.h"

namespace equipoise {

namespace {

constexpr std::string_view kSampled = "sampled:";
constexpr int kMostNegatives = 1'000'000;

}  // namespace

std::string to_string(Part part) { return part == Part::valid ? "valid" : "test"; }

Part parse_part(std::string_view name) {
  if (name == "valid") return Part::valid;
  if (name == "test") return Part::test;
  throw UsageError(fmt::format("unknown part '{}'{}", name, suggest(name, {"valid", "test"})));
}

const Rows& rows_of(const Dataset& data, Part part) { return part == Part::valid ? data.valid : data.test; }

LabelCounts count_labels(const Rows& rows) {
  LabelCounts out;
  for (const float label : rows.label) ++(label > 0.5f ? out.positives : out.negatives);
  return out;
}

std::string own_protocol(const Dataset& data, Part part) {
  const LabelCounts labels = count_labels(rows_of(data, part));
  const std::string items = Protocol{}.name(), full = Protocol{Protocol::Kind::full, 0}.name();
  if (labels.positives_only()) return data.protocol == items ? full : data.protocol;
  return labels.both() && data.positives_only ? items : data.protocol;
}

std::string Protocol::name() const {
  if (kind == Kind::test_items) return "test-items";
  if (kind == Kind::full) return "full";
  return fmt::format("{}{}", kSampled, negatives);
}

Protocol parse_protocol(std::string_view name) {
  if (name == "test-items") return {Protocol::Kind::test_items, 0};
  if (name == "full") return {Protocol::Kind::full, 0};
  if (name.starts_with(kSampled)) {
    const auto count = parse_int(name.substr(kSampled.size()));
    if (count && *count >= 1 && *count <= kMostNegatives) {
      const Protocol protocol{Protocol::Kind::sampled, static_cast<int>(*count)};
      if (protocol.name() == name) return protocol;
    }
    throw UsageError(fmt::format("protocol '{}': N of sampled:N must be a whole number from 1 to {}, as in sampled:99",
                                 name, kMostNegatives));
  }
  throw UsageError(fmt::format("unknown protocol '{}'; known: test-items, sampled:N (as in sampled:99), full", name));
}

}  // namespace equipoise
