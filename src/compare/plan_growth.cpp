// How a plan grows: by arms, data and seeds, and by nothing else.
#include <fmt/format.h>

#include <algorithm>

#include "compare/plan.h"
#include "core/error.h"
#include "core/listener.h"
#include "core/text.h"

namespace equipoise {

namespace {

constexpr const char* kMayGrow[] = {"sources", "arms", "seeds", "seed_list"};

std::string shown(const Json* value) {
  if (value == nullptr) return "none";
  return value->is_string() ? value->as_string() : value->dump();
}

// Whatever is not a list of its own must be the same on both sides.
void check_same(const Json& stored, const Json& asked, const std::string& folder) {
  for (const Json* side : {&stored, &asked}) {
    for (const auto& [name, value] : side->as_object()) {
      if (std::find(std::begin(kMayGrow), std::end(kMayGrow), name) != std::end(kMayGrow)) continue;
      const Json *there = stored.find(name), *here = asked.find(name);
      if (shown(there) == shown(here)) continue;
      throw UsageError(fmt::format(
          "{}: holds the runs of another plan ({} is {} there and {} here); a run store can grow by methods, "
          "data and seeds only: choose another folder",
          folder, name, shown(there), shown(here)));
    }
  }
}

// Adds the entries of other names; those of the same name must be equal, as `text` writes them.
template <class T, class Text>
void add_entries(const std::vector<T>& asked, const std::string& what, Text text, std::vector<T>& all) {
  for (const T& entry : asked) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const T& other) { return other.name == entry.name; });
    if (same == all.end()) {
      all.push_back(entry);
    } else if (text(*same) != text(entry)) {
      throw UsageError(fmt::format("{} '{}' that is another one (there {}, here {}); choose another folder", what,
                                   entry.name, text(*same), text(entry)));
    }
  }
}

std::string source_text(const DataSource& source) {
  Plan one;
  one.sources = {source};
  one.sources.front().folder.clear();
  const Json json = one.to_json();
  if (source.fingerprint.empty() || source.laboratory) return json.at("sources").dump();
  return fmt::format("{} × {}", source.fingerprint, source.keep);
}

std::string arm_text(const Arm& arm) {
  std::string text = fmt::format("{} {} with {}", arm.method, arm.base, settings_text(arm.fixed, "nothing fixed"));
  if (!arm.outside) return text;
  Settings searched;
  for (const Dimension& d : *arm.outside) searched.emplace_back(d.name, join(d.values, "|"));
  return text + ", an outside method that searches " + settings_text(searched, "nothing");
}

}  // namespace

Plan grown(const Plan& stored, const Plan& asked, const std::string& folder) {
  // Of one table all arms are chosen alike: a store without finalists goes on without.
  Plan alike = asked;
  if (stored.finalists <= 1 && asked.finalists > 1) {
    note(fmt::format("{}: its settings were chosen without finalists, and so are those of what is added", folder));
    alike.finalists = stored.finalists;
  }
  check_same(stored.to_json(), alike.to_json(), folder);
  Plan out = stored;
  add_entries(asked.sources, folder + ": holds runs on a data set", source_text, out.sources);
  add_entries(asked.arms, folder + ": holds runs of an arm", arm_text, out.arms);
  std::vector<std::uint64_t> seeds = stored.final_seeds();
  for (const std::uint64_t seed : asked.final_seeds()) {
    if (std::find(seeds.begin(), seeds.end(), seed) == seeds.end()) seeds.push_back(seed);
  }
  out.seeds = static_cast<int>(seeds.size());
  out.seed_list.clear();
  if (out.final_seeds() != seeds) out.seed_list = seeds;
  // Where the data lies now counts, and what was said of it.
  for (DataSource& source : out.sources) {
    for (const DataSource& given : asked.sources) {
      if (given.name == source.name) source.folder = given.folder;
    }
  }
  out.findings = asked.findings;
  const bool longer = out.identity() != stored.identity() && !stored.command.empty() &&
                      ("\n" + stored.command + "\n").find("\n" + asked.command + "\n") == std::string::npos;
  out.command = longer ? stored.command + "\n" + asked.command : stored.command;
  return out;
}

}  // namespace equipoise
