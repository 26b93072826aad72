// The public face of data sets.
#include <fmt/format.h>

#include "api/hidden.h"
#include "core/file.h"
#include "core/text.h"
#include "data/simulate/simulate.h"
#include "data/sources/importers.h"

namespace equipoise {

void set_parameters(const Parameters& parameters, const std::vector<Params*>& lists) {
  for (const auto& [name, value] : parameters) {
    bool known = false;
    std::vector<std::string> names;
    for (Params* list : lists) {
      if (list->find(name) != nullptr) {
        list->set(name, value);
        known = true;
      }
      for (const std::string& other : list->names()) names.push_back(other);
    }
    if (!known) throw UsageError(fmt::format("there is no parameter '{}' here{}", name, suggest(name, names)));
  }
}

Data::Data(std::shared_ptr<const Hidden> hidden) : hidden_(std::move(hidden)) {}

Data Data::open(const std::string& path, const Parameters& parameters) {
  return guarded([&] {
    if (is_folder(path)) {
      set_parameters(parameters, {});  // a folder has none
      return Data(std::make_shared<const Hidden>(Hidden{read_dataset(path)}));
    }
    const auto importer = find_source("csv").make();
    Params params;
    importer->describe(params);
    set_parameters(parameters, {&params});
    return Data(std::make_shared<const Hidden>(Hidden{importer->read({path})}));
  });
}

Data Data::simulate(const Parameters& parameters) {
  return guarded([&] {
    SimulateParams simulation;
    Params params;
    simulation.describe(params);
    set_parameters(parameters, {&params});
    return Data(std::make_shared<const Hidden>(Hidden{equipoise::simulate(simulation)}));
  });
}

void Data::save(const std::string& folder) const {
  guarded([&] { write_dataset(hidden_->data, folder); });
}

const std::string& Data::name() const { return hidden_->data.name; }
const std::vector<std::string>& Data::users() const { return hidden_->data.users.names(); }
const std::vector<std::string>& Data::items() const { return hidden_->data.items.names(); }
std::size_t Data::train_rows() const { return hidden_->data.train.size(); }
std::size_t Data::valid_rows() const { return hidden_->data.valid.size(); }
std::size_t Data::test_rows() const { return hidden_->data.test.size(); }

}  // namespace equipoise
