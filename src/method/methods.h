// The table of all methods: a new one is a file and a line here.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "method/method.h"

namespace equipoise {

struct MethodEntry {
  const char* name;
  const char* sentence;
  std::unique_ptr<Method> (*make)();
  bool baseline = false;  // nothing is fitted: every comparison prints it beside the others
};
const std::vector<MethodEntry>& methods();
/// UsageError with a suggestion if there is none of that name.
std::unique_ptr<Method> make_method(const std::string& name);
/// The names of the baselines, in the table's order.
std::vector<std::string> baselines();
/// The names of those that learn from a log of positives only, in the table's order.
std::vector<std::string> methods_for_positives();
/// UsageError where the log has positives only and the method needs both labels; it names those that do not.
void check_labels(const std::string& name, const Method& method, const Dataset& data);

std::unique_ptr<Method> make_popularity();
std::unique_ptr<Method> make_mean();
std::unique_ptr<Method> make_mean_popularity();
std::unique_ptr<Method> make_base_method();
std::unique_ptr<Method> make_cbr();
std::unique_ptr<Method> make_ips();
std::unique_ptr<Method> make_snips();
std::unique_ptr<Method> make_direct();
std::unique_ptr<Method> make_dr();
std::unique_ptr<Method> make_att();
std::unique_ptr<Method> make_cvib();
std::unique_ptr<Method> make_dcf();
std::unique_ptr<Method> make_rel_mf();
std::unique_ptr<Method> make_ubpr();
std::unique_ptr<Method> make_macr();
std::unique_ptr<Method> make_pda();
std::unique_ptr<Method> make_escm2();
std::unique_ptr<Method> make_kd_label();
std::unique_ptr<Method> make_cause();
std::unique_ptr<Method> make_autodebias();
std::unique_ptr<Method> make_recalibration();

}  // namespace equipoise
