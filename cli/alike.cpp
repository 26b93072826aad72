// What a rank was given, by name, compared with what rank 0 was given.
#include "alike.h"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/text.h"
#include "core/version.h"

namespace equipoise::cli {

namespace {

struct Told {
  std::string name;
  std::string value;
};

// Same names in the same order on every rank that has the same verb of the same version.
std::vector<Told> flags_of(const CLI::App& verb) {
  std::vector<Told> out;
  for (const CLI::Option* option : verb.get_options()) {
    if (option->get_single_name() == "threads" || option->get_single_name() == "help") continue;
    out.push_back({option->get_name(), option->count() == 0 ? "" : join(option->results(), " ")});
  }
  return out;
}

std::string variables() {
  std::vector<std::string> out;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    if (text.starts_with("EQUIPOISE_") && !text.starts_with("EQUIPOISE_THREADS=")) out.emplace_back(text);
  }
  std::sort(out.begin(), out.end());
  return join(out, " ");
}

void refuse(const std::string& differs) {
  if (!differs.empty()) throw UsageError(differs + "; every rank needs the same program and the same command");
}

}  // namespace

void check_alike(const CLI::App& verb, const std::string& config, Ranks& ranks) {
  refuse(disagreement(ranks, "version", kVersion));
  refuse(disagreement(ranks, "the verb", verb.get_name()));
  std::string all;
  const std::vector<Told> flags = flags_of(verb);
  for (const Told& flag : flags) all += flag.name + '=' + flag.value + '\n';
  if (!disagreement(ranks, "flags", all).empty()) {
    for (const Told& flag : flags) refuse(disagreement(ranks, flag.name, flag.value));
  }
  refuse(disagreement(ranks, "the variables", variables()));
  if (!config.empty()) refuse(disagreement(ranks, config + " with the checksum", hex(hash64(read_file(config)))));
}

int threads_of_a_rank(Ranks& ranks) {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  const std::vector<std::string> hosts = gather_texts(ranks, name);
  const long here = std::count(hosts.begin(), hosts.end(), name);
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  const bool known = ::sched_getaffinity(0, sizeof allowed, &allowed) == 0;
  const long part = std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN) / here);
  return static_cast<int>(known ? std::min<long>(part, CPU_COUNT(&allowed)) : part);
}

}  // namespace equipoise::cli
