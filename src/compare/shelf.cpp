// Reading and drawing the data of a plan.
#include "compare/shelf.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/random.h"
#include "data/simulate/laboratory.h"
#include "data/simulate/simulate.h"

namespace equipoise {

namespace {

// Exactly that share of the train rows, drawn by seed, in their order.
std::shared_ptr<const Dataset> kept_share(const Dataset& data, double share, std::uint64_t seed) {
  std::vector<std::size_t> rows(data.train.size());
  std::iota(rows.begin(), rows.end(), 0);
  Stream stream(seed, "kept rows");
  stream.shuffle(std::span(rows));
  rows.resize(static_cast<std::size_t>(std::llround(share * static_cast<double>(rows.size()))));
  std::sort(rows.begin(), rows.end());
  auto out = std::make_shared<Dataset>(data);
  out->train = data.train.select(rows);
  return out;
}

}  // namespace

const Dataset& DataShelf::folder(const std::string& path) {
  std::shared_ptr<const Dataset>& data = folders_[path];
  if (!data) data = std::make_shared<const Dataset>(load_dataset(path, cache_, pool_));
  return *data;
}

void DataShelf::put(std::shared_ptr<const Dataset> data) { given_[data->fingerprint()] = std::move(data); }

std::shared_ptr<const Dataset> DataShelf::whole(const DataSource& source, std::uint64_t seed) {
  if (source.simulated) {
    SimulateParams params = *source.simulated;
    params.seed = seed;
    return std::make_shared<const Dataset>(simulate(params));
  }
  std::shared_ptr<const Dataset> held = kept(source);
  if (!source.laboratory) return held;
  LaboratoryParams params = *source.laboratory;
  params.seed = seed;
  return std::make_shared<const Dataset>(draw_exposure(*held, params));
}

std::shared_ptr<const Dataset> DataShelf::kept(const DataSource& source) {
  if (!source.folder.empty()) return folder(source.folder), folders_.at(source.folder);
  EQUIPOISE_ASSERT(given_.contains(source.fingerprint));
  return given_.at(source.fingerprint);
}

std::pair<std::string, std::uint64_t> DataShelf::key_of(const DataSource& source, std::uint64_t seed) {
  return {source.name, source.drawn() || source.keep < 1 ? seed : 0};
}

std::shared_ptr<const Dataset> DataShelf::without_test(const DataSource& source, std::uint64_t seed) {
  const Dataset& data = get(source, seed);
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const Dataset>& untested = untested_[key_of(source, seed)];
  if (untested) return untested;
  auto made = std::make_shared<Dataset>(data);
  made->test = {};
  return untested = std::move(made);
}

const Dataset& DataShelf::get(const DataSource& source, std::uint64_t seed) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const Dataset>& data = data_[key_of(source, seed)];
  if (data) return *data;
  std::shared_ptr<const Dataset> made = whole(source, seed);
  if (source.keep < 1) made = kept_share(*made, source.keep, seed);
  check_trainable(*made);
  return *(data = std::move(made));
}

}  // namespace equipoise
