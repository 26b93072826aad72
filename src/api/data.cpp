// The public face of data sets.
#include "api/hidden.h"
#include "app/evaluate.h"
#include "app/forget.h"
#include "app/open_data.h"
#include "data/simulate/laboratory.h"
#include "data/simulate/simulate.h"
#include "data/with_valid.h"

namespace equipoise {

Data::Data(std::shared_ptr<const Hidden> hidden) : hidden_(std::move(hidden)) {}

Data Access::wrap(Dataset data, std::vector<ExtraFile> more) {
  return share(std::make_shared<const Dataset>(std::move(data)), std::move(more));
}

Data Access::share(std::shared_ptr<const Dataset> data, std::vector<ExtraFile> more) {
  return Data(std::make_shared<const Data::Hidden>(Data::Hidden{std::move(data), std::move(more)}));
}

Data Data::open(const std::string& path, const Parameters& parameters, int threads, const Callbacks& callbacks) {
  return guarded(callbacks, [&] {
    OpenParams reading;
    Params params;
    reading.describe_for(path, params);
    Given given = given_of(parameters);
    given.apply(params);
    Given::Elsewhere others;
    Params all;
    reading.describe(all);
    for (const std::string& name : all.names()) others.emplace_back(name, "it is for a log in a file");
    given.refuse_leftovers(path, others);
    if (reading.cache.cache_folder.empty()) reading.cache.cache = false;  // no file is touched that was not named
    Pool pool(threads);
    return Access::wrap(open_data(path, reading, pool));
  });
}

Data Data::import(const std::string& source, const std::vector<std::string>& paths, const Parameters& parameters,
                  int threads, const Callbacks& callbacks) {
  return guarded(callbacks, [&] {
    const auto importer = find_source(source).make();
    Params params;
    importer->describe(params);
    Given given = given_of(parameters);
    given.apply(params);
    given.refuse_leftovers("the source " + source, {});
    Pool pool(threads);
    importer->use(pool);
    return Access::wrap(importer->read(paths));
  });
}

Data Data::simulate(const Parameters& parameters) {
  return guarded([&] {
    const SimulateParams params = with(SimulateParams{}, parameters, "simulate");
    return Access::wrap(equipoise::simulate(params), truth_of(params));
  });
}

Data Data::simulate(const Data& labels, const Parameters& parameters) {
  return guarded([&] {
    return Access::wrap(draw_exposure(*labels.hidden_->data, with(LaboratoryParams{}, parameters, "simulate")));
  });
}

Data Data::with_valid(const Data& rows) const {
  return guarded([&] { return Access::wrap(equipoise::with_valid(*hidden_->data, *rows.hidden_->data)); });
}

void Data::save(const std::string& folder) const {
  guarded([&] { save_data(*hidden_->data, folder, hidden_->more); });
}

void Data::save_pairs(const std::string& path, const Parameters& parameters) const {
  guarded([&] { equipoise::save_pairs(path, *hidden_->data, with(EvaluateParams{}, parameters, "evaluate")); });
}

std::string forget_user(const std::string& folder, const std::string& user, const Parameters& parameters, int threads,
                        const Callbacks& callbacks) {
  return guarded(callbacks, [&] {
    CacheParams cache = with(CacheParams{}, parameters, "forget");
    if (cache.cache_folder.empty()) cache.cache = false;  // no file is touched that was not named
    Pool pool(threads);
    return forget_in_folder(folder, user, cache, pool).dump();
  });
}

const std::string& Data::name() const { return hidden_->data->name; }
Data Data::named(const std::string& name) const {
  return guarded([&] {
    Dataset copy = *hidden_->data;
    copy.name = name;
    return Access::wrap(std::move(copy), hidden_->more);
  });
}
const std::vector<std::string>& Data::users() const { return hidden_->data->users.names(); }
const std::vector<std::string>& Data::items() const { return hidden_->data->items.names(); }
const std::vector<std::string>& Data::requests() const { return hidden_->data->requests.names(); }
std::size_t Data::train_rows() const { return hidden_->data->train.size(); }
std::size_t Data::valid_rows() const { return hidden_->data->valid.size(); }
std::size_t Data::test_rows() const { return hidden_->data->test.size(); }

RowColumns Data::rows(const std::string& part) const {
  return guarded([&] {
    const bool train = part == "train";
    const Rows& rows = train ? hidden_->data->train : rows_of(*hidden_->data, parse_part(part));
    return RowColumns{rows.user,    rows.item,     rows.label,       rows.propensity,  rows.weight,  rows.timestamp,
                      rows.request, rows.position, rows.at_position, rows.given_above, rows.eligible};
  });
}

std::string Data::fingerprint() const { return hidden_->data->fingerprint(); }
std::string Data::summary() const { return summarise(*hidden_->data).dump(); }

}  // namespace equipoise
