// The table of targets.
#include "fuzz/targets.h"

namespace equipoise::fuzz {

std::span<const Target> targets() {
  static constexpr Target all[] = {
      {"config", fuzz_config},       {"csv", fuzz_csv},      {"dataset", fuzz_dataset},
      {"importers", fuzz_importers}, {"model", fuzz_model},  {"checkpoint", fuzz_checkpoint},
      {"cache", fuzz_cache},         {"http", fuzz_http},    {"query", fuzz_query},
      {"body", fuzz_body},           {"served", fuzz_served}};
  return all;
}

}  // namespace equipoise::fuzz
