// Imports the log of a server: lists that were shown, joined with what users made of them.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <unordered_map>

#include "core/error.h"
#include "core/file.h"
#include "core/listener.h"
#include "core/quote.h"
#include "core/text.h"
#include "data/served/examination.h"
#include "data/served/files.h"
#include "data/served/line.h"
#include "data/sources/import_run.h"
#include "data/sources/importers.h"

namespace equipoise {
namespace {

struct Told {
  std::int64_t time;
  double label;
};

/// Lists and feedback of all files.
struct ServedLogs {
  struct List {
    ServedList list;
    std::int64_t time;
  };
  std::vector<List> lists;
  std::unordered_map<std::string, std::size_t> places;      // of requests
  std::unordered_map<std::string, std::vector<Told>> told;  // by request, newline, item
  std::int64_t last_time = 0, nobody = 0, torn = 0, missing = 0;
};

void add_line(ServedLogs& logs, ServedLine line, const Place& place) {
  logs.last_time = std::max(logs.last_time, line.time);
  if (line.feedback) {
    logs.told[line.feedback->request + '\n' + line.feedback->item].push_back({line.time, line.feedback->label});
    return;
  }
  if (!line.list) return;
  if (!logs.places.emplace(line.list->request, logs.lists.size()).second) {
    throw DataError(place, fmt::format("the list of request {} occurs twice; is a file given twice?",
                                       in_quotes(line.list->request)));
  }
  if (line.list->user.empty()) {
    ++logs.nobody;
    return;
  }
  logs.lists.push_back({std::move(*line.list), line.time});
}

void read_files(ServedLogs& logs, const std::vector<ServedFile>& files) {
  std::int64_t next = 0;
  for (const ServedFile& file : files) {
    const std::uint64_t whole = each_served_line(file.path, [&](std::string_view text, std::int64_t number) {
      ServedLine line = parse_line(text, file.path, number);
      logs.missing += next > 0 && line.number > next ? line.number - next : 0;
      next = line.number + 1;
      add_line(logs, std::move(line), {file.path, number});
    });
    const PlainFile about(file.path);
    logs.torn += about.opened() && about.size() > whole ? 1 : 0;
  }
}

class Served final : public Importer {
 public:
  void describe(Params& p) override {
    p("delay", delay_,
      "seconds that users have to answer: feedback counts that came within them, and lists of the last so many seconds "
      "are left out; 0 = all feedback counts, and no list is left out",
      at_least(0));
    p("positive_at_least", positive_at_least_,
      "feedback of this label or more is a positive; what is unanswered is a 0", above(0), at_most(1));
    p("examination", examination_,
      "rows weighted for places that are seldom looked at: none, or estimated from lists that were drawn",
      one_of({"none", "estimated"}));
    p("name", name_, "name of the data set");
    split_.describe(p);
    p("seed", seed_, "names every draw of the split");
  }

  Dataset read(const std::vector<std::string>& paths) const override {
    if (paths.empty()) throw UsageError("served needs the path of a log: a folder that a server wrote, or its files");
    const ServedLogs logs = read_logs(paths);
    ImportRun run("served", seed_, pool_);
    run.data.name = name_;
    const Shown shown = rows_of(logs);
    if (shown.list.empty()) {
      throw DataError({paths.front()},
                      fmt::format("holds no list that is {} old", delay_ > 0 ? "delay seconds" : "whole"));
    }
    MemoryRows rows = columns_of(logs, shown, paths.front());
    std::vector<float> weights;
    if (examination_ == "estimated") {
      weights = weights_of(logs, shown, paths.front(), run);
      rows.weight = [&](std::size_t row) { return static_cast<double>(weights[row]); };
    }
    LogParams columns;
    columns.positive_at_least = to_text(positive_at_least_);
    Rows log = run.read(rows, columns);
    run.data.provenance["propensities_from"] = "the policy that drew the lists";
    run.data.provenance["delay_seconds"] = delay_;
    run.data.provenance["lists"] = static_cast<std::int64_t>(shown.lists);
    run.data.provenance["lists_too_new"] = shown.too_new;
    return run.finish(std::move(log), {}, split_,
                      fmt::format("feedback of at least {}, else 0", to_text(positive_at_least_)));
  }

 private:
  /// Rows by list and place.
  struct Shown {
    std::vector<std::uint32_t> list, place;
    std::vector<double> label;
    std::int64_t lists = 0, too_new = 0;
  };

  static ServedLogs read_logs(const std::vector<std::string>& paths) {
    ServedLogs logs;
    for (const std::string& path : paths) {
      const std::vector<ServedFile> files = is_folder(path) ? served_files(path) : std::vector<ServedFile>{{path, 1}};
      if (files.empty()) throw DataError({path}, "expected files served-000001.log … in this folder");
      read_files(logs, files);
    }
    if (logs.torn > 0) note(fmt::format("{} files end within a line, which was never acknowledged", logs.torn));
    if (logs.missing > 0)
      warn(fmt::format("{} lines are missing from the log, by their numbers", thousands(logs.missing)));
    if (logs.nobody > 0) note(fmt::format("{} lists of somebody without an id are left out", thousands(logs.nobody)));
    return logs;
  }

  Shown rows_of(const ServedLogs& logs) const {
    Shown out;
    const auto delay = static_cast<std::int64_t>(std::llround(1000 * delay_));
    for (std::size_t l = 0; l < logs.lists.size(); ++l) {
      const auto& [list, time] = logs.lists[l];
      if (delay > 0 && time + delay > logs.last_time) {
        ++out.too_new;
        continue;
      }
      ++out.lists;
      for (std::size_t place = 0; place < list.items.size(); ++place) {
        out.list.push_back(static_cast<std::uint32_t>(l));
        out.place.push_back(static_cast<std::uint32_t>(place));
        out.label.push_back(label_of(logs, list.request + '\n' + list.items[place], delay > 0 ? time + delay : 0));
      }
    }
    if (out.too_new > 0) note(fmt::format("{} lists are too new: users may still answer", thousands(out.too_new)));
    return out;
  }

  // The newest word within the time; 0 where there is none.
  static double label_of(const ServedLogs& logs, const std::string& key, std::int64_t until) {
    const auto found = logs.told.find(key);
    double label = 0;
    if (found == logs.told.end()) return label;
    for (const Told& one : found->second) label = until > 0 && one.time > until ? label : one.label;
    return label;
  }

  static MemoryRows columns_of(const ServedLogs& logs, const Shown& shown, const std::string& name) {
    const auto list = [&](std::size_t row) -> const ServedList& { return logs.lists[shown.list[row]].list; };
    const auto chance = [&, list](const std::vector<double> ServedList::*column) {
      return [&, list, column](std::size_t row) { return (list(row).*column)[shown.place[row]]; };
    };
    MemoryRows rows;
    rows.name = name;
    rows.size = shown.list.size();
    rows.user.text = [list](std::size_t row, IdRoom) -> std::string_view { return list(row).user; };
    rows.item.text = [&, list](std::size_t row, IdRoom) -> std::string_view {
      return list(row).items[shown.place[row]];
    };
    rows.request.text = [list](std::size_t row, IdRoom) -> std::string_view { return list(row).request; };
    rows.label = [&](std::size_t row) { return shown.label[row]; };
    rows.propensity = chance(&ServedList::in_list);
    rows.at_position = chance(&ServedList::at_place);
    rows.given_above = chance(&ServedList::given_above);
    rows.position = [&](std::size_t row) { return std::int64_t{shown.place[row]} + 1; };
    rows.eligible = [list](std::size_t row) { return list(row).eligible; };
    rows.timestamp = [&](std::size_t row) { return logs.lists[shown.list[row]].time; };
    return rows;
  }

  std::vector<float> weights_of(const ServedLogs& logs, const Shown& shown, const std::string& name,
                                ImportRun& run) const {
    std::vector<ShownItem> all;
    IdMap items;
    for (std::size_t row = 0; row < shown.list.size(); ++row) {
      const ServedList& list = logs.lists[shown.list[row]].list;
      const std::size_t place = shown.place[row];
      all.push_back({items.add(list.items[place]), static_cast<std::int32_t>(place) + 1, list.at_place[place],
                     shown.label[row] >= positive_at_least_});
    }
    const Examination examination = estimate_examination(all, name);
    Json chances = Json::array();
    for (const double theta : examination.chance) chances.push_back(theta);
    run.data.provenance["examination"] = std::move(chances);
    note(fmt::format("places are looked at, beside the first: {:.2f}", fmt::join(examination.chance, " ")));
    return examination_weights(all, examination, items.size());
  }

  double delay_ = 0;
  double positive_at_least_ = 0.5;
  std::string examination_ = "none";
  std::string name_ = "served";
  SplitParams split_;
  std::uint64_t seed_ = 1;
};

}  // namespace

std::unique_ptr<Importer> served_importer() { return std::make_unique<Served>(); }

}  // namespace equipoise
