// Ids that only valid or test have: found, numbered last, and the data set's columns and features put in that order.
#include "data/held_out_ids.h"

#include <algorithm>

#include "data/dataset_folder.h"

namespace equipoise {
namespace {

enum class Seen : std::uint8_t { no, held_out, known };

/// Numbers in their new order: order[new] = old. `held_out` of them, the last, are not known.
struct Order {
  std::vector<std::int32_t> order;
  std::int32_t held_out = 0;
};

Order order_of(const Dataset& data, const SideFile& side, const std::vector<bool>& listed) {
  const auto size = static_cast<std::size_t>((data.*side.ids).size());
  std::vector<Seen> seen(size, Seen::no);
  for (const std::int32_t k : data.train.*side.column) seen[static_cast<std::size_t>(k)] = Seen::known;
  for (std::size_t k = 0; k < std::min(size, listed.size()); ++k) seen[k] = listed[k] ? Seen::known : seen[k];
  std::vector<std::int32_t> last;
  for (const Rows* part : {&data.valid, &data.test}) {
    for (const std::int32_t k : part->*side.column) {
      if (seen[static_cast<std::size_t>(k)] != Seen::no) continue;
      seen[static_cast<std::size_t>(k)] = Seen::held_out;
      last.push_back(k);
    }
  }
  Order out{{}, static_cast<std::int32_t>(last.size())};
  for (std::size_t k = 0; k < size; ++k) {
    if (seen[k] != Seen::held_out) out.order.push_back(static_cast<std::int32_t>(k));
  }
  out.order.insert(out.order.end(), last.begin(), last.end());
  return out;
}

void reorder(Features& features, const std::vector<std::int32_t>& order) {
  for (CategoricalField& field : features.categorical) {
    std::vector<std::int32_t> offsets{0}, codes;
    for (const std::int32_t old : order) {
      const auto at = static_cast<std::size_t>(old);
      codes.insert(codes.end(), field.codes.begin() + field.offsets[at], field.codes.begin() + field.offsets[at + 1]);
      offsets.push_back(static_cast<std::int32_t>(codes.size()));
    }
    field.offsets = std::move(offsets);
    field.codes = std::move(codes);
  }
  for (ContinuousField& field : features.continuous) {
    std::vector<float> values;
    for (const std::int32_t old : order) values.push_back(field.values[static_cast<std::size_t>(old)]);
    field.values = std::move(values);
  }
}

void reorder(Dataset& data, const SideFile& side, const std::vector<std::int32_t>& order) {
  if (std::is_sorted(order.begin(), order.end())) return;
  IdMap& ids = data.*side.ids;
  std::vector<std::string> names;
  std::vector<std::int32_t> number(order.size());  // new by old
  for (const std::int32_t old : order) {
    number[static_cast<std::size_t>(old)] = static_cast<std::int32_t>(names.size());
    names.push_back(ids.name(old));
  }
  ids = IdMap(std::move(names));
  for (const PartFile& part : kPartFiles) {
    for (std::int32_t& k : (data.*part.rows).*side.column) k = number[static_cast<std::size_t>(k)];
  }
  reorder(data.*side.features, order);
  if (side.ids != &Dataset::items || data.item_names.empty()) return;
  std::vector<std::string> called;
  for (const std::int32_t old : order) called.push_back(std::move(data.item_names[static_cast<std::size_t>(old)]));
  data.item_names = std::move(called);
}

}  // namespace

void put_held_out_last(Dataset& data, const std::vector<bool>& listed_users, const std::vector<bool>& listed_items) {
  for (const SideFile& side : kSideFiles) {
    const Order order = order_of(data, side, side.ids == &Dataset::users ? listed_users : listed_items);
    reorder(data, side, order.order);
    data.*side.held_out = order.held_out;
  }
}

}  // namespace equipoise
