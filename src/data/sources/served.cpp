// Imports the log of a server: lists that were shown, joined with what users made of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <unordered_map>

#include "core/error.h"
#include "core/file.h"
#include "core/json.h"
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

/// A user's feedback in the order of its log.
struct UserFeedback {
  std::vector<std::int64_t> number;  // of each line
  std::vector<ServedFeedback> words;
};

/// Lists and feedback of all files.
struct ServedLogs {
  struct List {
    ServedList list;
    std::int64_t time;
    std::string log;  // its folder
  };
  std::vector<List> lists;
  std::unordered_map<std::string, std::size_t> places;      // of requests
  std::unordered_map<std::string, std::vector<Told>> told;  // by request, newline, item
  std::unordered_map<std::string, UserFeedback> of_user;    // by folder, newline, user
  std::int64_t last_time = 0, nobody = 0, torn = 0, missing = 0;
};

void add_line(ServedLogs& logs, ServedLine line, const Place& place, const std::string& folder) {
  logs.last_time = std::max(logs.last_time, line.time);
  if (line.feedback) {
    logs.told[line.feedback->request + '\n' + line.feedback->item].push_back({line.time, line.feedback->label});
    UserFeedback& own = logs.of_user[folder + '\n' + line.feedback->user];
    own.number.push_back(line.number), own.words.push_back(std::move(*line.feedback));
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
  logs.lists.push_back({std::move(*line.list), line.time, folder});
}

void read_files(ServedLogs& logs, const std::vector<ServedFile>& files) {
  std::int64_t next = 0;
  for (const ServedFile& file : files) {
    const std::string folder = std::filesystem::path(file.path).parent_path().string();
    const std::uint64_t whole = each_served_line(file.path, [&](std::string_view text, std::int64_t number) {
      ServedLine line = parse_line(text, file.path, number);
      logs.missing += next > 0 && line.number > next ? line.number - next : 0;
      next = line.number + 1;
      add_line(logs, std::move(line), {file.path, number}, folder);
    });
    const PlainFile about(file.path);
    logs.torn += about.opened() && about.size() > whole ? 1 : 0;
  }
}

/// What a list was made of, as a request would ask for it: the user's feedback that counted, then what was asked for.
/// "" where the log does not say, or does not have that feedback.
std::string asked_for(const ServedLogs& logs, const ServedLogs::List& one) {
  const ServedList& list = one.list;
  if (list.told < 0) return "";
  Json asked = list.asked.empty() ? Json::object() : parse_json(list.asked, "asked");
  if (list.told == 0) return asked.dump();
  const auto own = logs.of_user.find(one.log + '\n' + list.user);
  if (own == logs.of_user.end()) return "";
  const auto& [number, words] = own->second;
  const auto until = std::upper_bound(number.begin(), number.end(), list.until) - number.begin();
  if (until < list.told) return "";
  Json history = Json::array();
  for (auto n = until - list.told; n < until; ++n) {
    const ServedFeedback& word = words[static_cast<std::size_t>(n)];
    history.push_back(Json::object({{"item", word.item}, {"label", word.label}}));
  }
  if (const Json* more = asked.find("history")) {
    for (const Json& word : more->as_array()) history.push_back(word);
  }
  asked["history"] = std::move(history);
  return asked.dump();
}

class Served final : public Importer {
 public:
  Served() { split_.split = "time"; }  // whole lists, and those that are judged by came after those learned from

  void describe(Params& p) override {
    p("delay", delay_,
      "seconds that users have to answer: feedback counts that came within them, and lists of the last so many seconds "
      "are left out; 0 = all feedback counts, and no list is left out; −1 = the time within which 99 of 100 answers "
      "of the log came",
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
    const std::int64_t delay = delay_of(logs);
    const Shown shown = rows_of(logs, delay);
    if (shown.list.empty()) {
      throw DataError({paths.front()}, delay > 0 ? fmt::format("holds no list that is {} seconds old (delay)",
                                                               to_text(static_cast<double>(delay) / 1000))
                                                 : "holds no list");
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
    tell_what_was_asked(run.data, logs);
    run.data.provenance["propensities_from"] = "the policy that drew the lists";
    run.data.provenance["delay_seconds"] = static_cast<double>(delay) / 1000;
    run.data.provenance["lists"] = static_cast<std::int64_t>(shown.lists);
    run.data.provenance["lists_too_new"] = shown.too_new;
    const SplitParams split = split_of(log);
    return run.finish(std::move(log), {}, split,
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

  // In milliseconds. An answer is the first word on an item.
  std::int64_t delay_of(const ServedLogs& logs) const {
    if (delay_) return std::llround(1000 * static_cast<double>(*delay_));
    std::vector<std::int64_t> took;
    for (const auto& [list, time, log] : logs.lists) {
      for (const std::string& item : list.items) {
        const auto found = logs.told.find(list.request + '\n' + item);
        if (found != logs.told.end()) took.push_back(found->second.front().time - time);
      }
    }
    if (took.empty()) {
      note("nobody has answered: every shown item is a 0");
      return 0;
    }
    const auto most = took.begin() + static_cast<std::ptrdiff_t>(99 * (took.size() - 1) / 100);
    std::nth_element(took.begin(), most, took.end());
    note(fmt::format("99 of 100 answers came within {} s: so long users have to answer (delay)",
                     to_text(static_cast<double>(*most) / 1000)));
    return *most;
  }

  // By time there must be lists that are older than those held out.
  SplitParams split_of(const Rows& log) const {
    SplitParams out = split_;
    if (out.split != "time") return out;
    const auto& times = log.timestamp;
    const auto oldest = std::count(times.begin(), times.end(), *std::min_element(times.begin(), times.end()));
    const double kept = (1 - out.log_valid_share - out.log_test_share) * static_cast<double>(times.size());
    if (static_cast<double>(oldest) < kept || out.log_valid_share + out.log_test_share == 0) return out;
    note("most lists are of one moment: nothing is held out for valid and test");
    out.log_valid_share = out.log_test_share = 0;
    return out;
  }

  static void tell_what_was_asked(Dataset& data, const ServedLogs& logs) {
    data.asked.resize(static_cast<std::size_t>(data.requests.size()));
    std::int64_t silent = 0, unknown = 0;
    for (const ServedLogs::List& one : logs.lists) {
      const std::int32_t number = data.requests.find(one.list.request);
      if (number < 0) continue;
      std::string& asked = data.asked[static_cast<std::size_t>(number)];
      asked = asked_for(logs, one);
      if (asked.empty()) ++(one.list.told < 0 ? silent : unknown);
    }
    if (silent > 0) {
      warn(fmt::format("{} lists do not say what had been left out of them; an older server made them",
                       thousands(silent)));
    }
    if (unknown > 0) {
      warn(fmt::format("{} lists rest on feedback that is not in these files, and what was left out of them is unknown",
                       thousands(unknown)));
    }
  }

  Shown rows_of(const ServedLogs& logs, std::int64_t delay) const {
    Shown out;
    for (std::size_t l = 0; l < logs.lists.size(); ++l) {
      const auto& [list, time, log] = logs.lists[l];
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

  std::optional<float> delay_;
  double positive_at_least_ = 0.5;
  std::string examination_ = "none";
  std::string name_ = "served";
  SplitParams split_;
  std::uint64_t seed_ = 1;
};

}  // namespace

std::unique_ptr<Importer> served_importer() { return std::make_unique<Served>(); }

}  // namespace equipoise
