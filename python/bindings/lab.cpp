// Comparisons, studies and run stores: their tables as columns, their pages as texts.
#include <equipoise/lab.h>
#include <pybind11/numpy.h>

#include "outside.h"

namespace equipoise::python {

namespace {

// A column of the field of each row.
template <class Row, class Field>
py::object column(const std::vector<Row>& rows, Field Row::*field) {
  if constexpr (std::is_arithmetic_v<Field>) {
    py::array_t<Field> out(static_cast<py::ssize_t>(rows.size()));
    for (std::size_t k = 0; k < rows.size(); ++k) out.mutable_data()[k] = rows[k].*field;
    return out;
  } else {
    py::list out;
    for (const Row& row : rows) out.append(row.*field);
    return out;
  }
}

py::dict results(const Runs& runs, const std::string& metric) {
  const auto rows = unlocked([&] { return runs.table(metric); });
  using R = ArmResult;
  return py::dict(
      py::arg("data") = column(rows, &R::data), py::arg("arm") = column(rows, &R::arm),
      py::arg("protocol") = column(rows, &R::protocol), py::arg("metric") = column(rows, &R::metric),
      py::arg("mean") = column(rows, &R::mean), py::arg("standard_error") = column(rows, &R::standard_error),
      py::arg("low") = column(rows, &R::low), py::arg("high") = column(rows, &R::high),
      py::arg("against") = column(rows, &R::against), py::arg("difference") = column(rows, &R::difference),
      py::arg("difference_error") = column(rows, &R::difference_error), py::arg("p") = column(rows, &R::p),
      py::arg("p_holm") = column(rows, &R::p_holm), py::arg("effect") = column(rows, &R::effect),
      py::arg("significant") = column(rows, &R::significant), py::arg("runs") = column(rows, &R::runs),
      py::arg("trials") = column(rows, &R::trials), py::arg("failed") = column(rows, &R::failed),
      py::arg("seconds_per_epoch") = column(rows, &R::seconds_per_epoch), py::arg("chosen") = column(rows, &R::chosen));
}

py::dict pairs(const Runs& runs) {
  const auto rows = unlocked([&] { return runs.pairs(); });
  using R = PairResult;
  return py::dict(py::arg("data") = column(rows, &R::data), py::arg("protocol") = column(rows, &R::protocol),
                  py::arg("arm") = column(rows, &R::arm), py::arg("against") = column(rows, &R::against),
                  py::arg("difference") = column(rows, &R::difference),
                  py::arg("standard_error") = column(rows, &R::standard_error), py::arg("p") = column(rows, &R::p),
                  py::arg("p_holm") = column(rows, &R::p_holm), py::arg("effect") = column(rows, &R::effect),
                  py::arg("significant") = column(rows, &R::significant));
}

py::dict trials(const Runs& runs) {
  const auto rows = unlocked([&] { return runs.trials(); });
  using R = TrialResult;
  return py::dict(py::arg("data") = column(rows, &R::data), py::arg("arm") = column(rows, &R::arm),
                  py::arg("stage") = column(rows, &R::stage), py::arg("rung") = column(rows, &R::rung),
                  py::arg("number") = column(rows, &R::number), py::arg("seed") = column(rows, &R::seed),
                  py::arg("valid") = column(rows, &R::valid), py::arg("seconds") = column(rows, &R::seconds),
                  py::arg("failed") = column(rows, &R::failed), py::arg("error") = column(rows, &R::error),
                  py::arg("settings") = column(rows, &R::settings),
                  py::arg("fingerprint") = column(rows, &R::fingerprint),
                  py::arg("version") = column(rows, &R::version));
}

// Blocks of users below one another. `block` is the number of each row's block, of which `blocks` has the words.
py::dict per_user(const Runs& runs) {
  const std::vector<UserResults> blocks = unlocked([&] { return runs.per_user(); });
  std::size_t size = 0;
  std::map<std::string, py::array_t<double>> values;
  for (const UserResults& block : blocks) size += block.users.size();
  const auto length = static_cast<py::ssize_t>(size);
  for (const UserResults& block : blocks) {
    for (const auto& [metric, ignored] : block.values) values.try_emplace(metric, length);
  }
  py::array_t<std::int32_t> user(length), number(length);
  py::list words;
  std::size_t begin = 0;
  for (const UserResults& block : blocks) {
    std::copy(block.users.begin(), block.users.end(), user.mutable_data() + begin);
    std::fill_n(number.mutable_data() + begin, block.users.size(), static_cast<std::int32_t>(words.size()));
    for (auto& [metric, array] : values) {
      const auto found = block.values.find(metric);
      double* const out = array.mutable_data() + begin;
      if (found == block.values.end()) {
        std::fill_n(out, block.users.size(), std::numeric_limits<double>::quiet_NaN());
      } else {
        std::copy(found->second.begin(), found->second.end(), out);
      }
    }
    words.append(py::make_tuple(block.data, block.arm, block.protocol, block.seed));
    begin += block.users.size();
  }
  return py::dict(py::arg("blocks") = words, py::arg("block") = number, py::arg("user") = user,
                  py::arg("values") = values);
}

// The caller holds `methods` and `hooks` until the work is done.
LabOptions options_of(const std::string& out, const std::string& methods, const py::list& outside,
                      const Parameters& parameters, const std::vector<std::string>& values, int threads,
                      const py::object& hooks, const std::shared_ptr<Held>& held) {
  LabOptions options;
  options.out = out;
  options.methods = methods;
  for (const py::handle method : outside) {
    options.outside.push_back(outside_method(py::reinterpret_borrow<py::object>(method), held));
  }
  options.parameters = parameters;
  options.values = values;
  options.threads = threads;
  options.callbacks = callbacks_of(hooks);
  return options;
}

// Without the lock; what an outside method must hand on comes out as it was.
template <class F>
auto unlocked_with(const std::shared_ptr<Held>& held, F f) -> decltype(f()) {
  try {
    return unlocked(f);
  } catch (const Failure&) {
    if (held->thrown) std::rethrow_exception(std::exchange(held->thrown, nullptr));
    throw;
  }
}

py::list lint_rows(const std::vector<Finding>& findings) {
  py::list out;
  for (const Finding& f : findings) out.append(py::make_tuple(f.data, f.rule, f.refuses, f.sentence));
  return out;
}

py::object rows_of(const Data& data, const std::string& part) {
  const RowColumns rows = data.rows(part);
  py::dict out;
  const auto add = [&](const char* name, auto values) {
    using T = std::remove_const_t<typename decltype(values)::element_type>;
    if (!values.empty()) out[name] = py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
  };
  out["user"] = py::array_t<std::int32_t>(static_cast<py::ssize_t>(rows.user.size()), rows.user.data());
  out["item"] = py::array_t<std::int32_t>(static_cast<py::ssize_t>(rows.item.size()), rows.item.data());
  out["label"] = py::array_t<float>(static_cast<py::ssize_t>(rows.label.size()), rows.label.data());
  add("propensity", rows.propensity);
  add("weight", rows.weight);
  add("timestamp", rows.timestamp);
  add("request", rows.request);
  add("position", rows.position);
  add("propensity_at_position", rows.propensity_at_position);
  add("propensity_given_above", rows.propensity_given_above);
  add("eligible", rows.eligible);
  return out;
}

}  // namespace

void bind_lab(py::module_& m) {
  py::class_<Runs>(m, "Runs")
      .def_static("open", [](const std::string& folder) { return unlocked([&] { return Runs::open(folder); }); })
      .def("results", &results)
      .def("pairs", &pairs)
      .def("trials", &trials)
      .def("per_user", &per_user)
      .def("metrics", &Runs::metrics)
      .def("findings", &Runs::findings)
      .def("planned_trials", &Runs::planned_trials)
      .def("chosen",
           [](const Runs& runs, const std::string& arm, const std::string& data) {
             const TrainOptions chosen = runs.chosen(arm, data);
             return py::make_tuple(chosen.method, chosen.base, chosen.parameters);
           })
      .def("results_json", [](const Runs& runs) { return unlocked([&] { return runs.results_json(); }); })
      .def("html", [](const Runs& runs) { return unlocked([&] { return runs.html(); }); })
      .def("fragment", [](const Runs& runs) { return unlocked([&] { return runs.fragment(); }); })
      .def("markdown", [](const Runs& runs) { return unlocked([&] { return runs.markdown(); }); })
      .def("latex", [](const Runs& runs) { return unlocked([&] { return runs.latex(); }); })
      .def("write_figures", [](const Runs& runs, const std::string& folder) {
        return unlocked([&] { return runs.write_figures(folder); });
      });
  m.def("compare",
        [](const std::vector<Data>& data, const std::string& out, const std::string& methods, const py::list& outside,
           const Parameters& parameters, const std::vector<std::string>& values, int threads, const py::object& hooks) {
          const auto held = std::make_shared<Held>();
          const LabOptions options = options_of(out, methods, outside, parameters, values, threads, hooks, held);
          return unlocked_with(held, [&] { return compare(data, options); });
        });
  m.def("lint", [](const std::vector<Data>& data, const std::string& methods, const py::list& outside,
                   const Parameters& parameters, const std::vector<std::string>& values, const py::object& hooks) {
    const auto held = std::make_shared<Held>();
    const LabOptions options = options_of("", methods, outside, parameters, values, 1, hooks, held);
    return lint_rows(unlocked_with(held, [&] { return lint(data, options); }));
  });
  m.def("study",
        [](const std::string& name, const std::vector<Data>& data, const std::string& out, const Parameters& parameters,
           const std::vector<std::string>& values, int threads, const py::object& hooks) {
          const auto held = std::make_shared<Held>();
          const LabOptions options = options_of(out, "all", py::list(), parameters, values, threads, hooks, held);
          return unlocked_with(held, [&] { return study(name, data, options); });
        });
  m.def("study_names", &study_names);
  m.def("diagnose", [](const Data& data, const Parameters& parameters, int threads, const py::object& hooks) {
    const Callbacks callbacks = callbacks_of(hooks);
    const DoctorReport report = unlocked([&] { return diagnose(data, parameters, threads, callbacks); });
    return py::make_tuple(report.verdict, report.json);
  });
  m.def("doctor_page", &doctor_page);
  m.def("doctor_element", &doctor_element);
  m.def("value_page", &value_page);
  m.def("value_element", &value_element);
  m.def("rows", &rows_of);
}

}  // namespace equipoise::python
