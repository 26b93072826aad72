// The table of all sources.
#include "data/sources/importers.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/quote.h"
#include "core/text.h"

namespace equipoise {

const std::vector<Source>& sources() {
  static const std::vector<Source> all = {
      {"coat", "Coat Shopping: self-chosen and random ratings of coats, with features and propensities",
       "a folder with train.ascii and test.ascii, perhaps propensities.ascii, {user,item}_features.ascii and "
       "{user,item}_features_map.txt",
       coat_importer},
      {"yahoo-r3", "Yahoo! R3: music ratings, with a test part of random songs",
       "a folder with ydata-ymusic-rating-study-v1_0-train.txt and …-test.txt, or the two files", yahoo_r3_importer},
      {"pcic", "PCIC 2021: movies liked or not, with a test part of random movies",
       "a folder with train.csv and test.csv (user,item,label,shown, no header), or the two files", pcic_importer},
      {"movielens", "MovieLens ratings of any size", "a folder with u.data, ratings.dat or ratings.csv, or the file",
       movielens_importer},
      {"amazon", "Amazon ratings of one category", "the CSV file (user,item,rating,timestamp, no header)",
       amazon_importer},
      {"anime", "Anime ratings from 1 to 10, where -1 is watched but not rated",
       "a folder with rating.csv (user_id,anime_id,rating), or the file", anime_importer},
      {"kuairec", "KuaiRec: a log of positives, and a block of users and items of which every cell was observed",
       "a folder with big_matrix.csv, small_matrix.csv and item_categories.csv, or with log_positives.csv, "
       "block_positives.csv and items.csv",
       kuairec_importer},
      {"kuairand", "KuaiRand: positives of the standard logs, and randomly exposed rows with both labels",
       "a folder with log_standard_*.csv and log_random_*.csv, perhaps user_features*.csv and "
       "video_features_basic*.csv",
       kuairand_importer},
      {"open-bandit", "Open Bandit: items shown at positions with known chances, clicked or not",
       "a folder with all.csv and item_context.csv, or the log's file alone", open_bandit_importer},
      {"csv", "any log in CSV or TSV, by the roles of its columns",
       "the file, its parts (a folder, a pattern in quotes or several files), or - for stdin", csv_importer},
      {"recbole", "RecBole atomic files", "NAME.inter (with NAME.user and NAME.item beside it), or a folder with them",
       recbole_importer},
      {"served", "the log of equipoise serve: lists with their chances, joined with feedback",
       "its folder or its files served-000001.log …; several servers' may be given", served_importer},
  };
  return all;
}

const Source& find_source(std::string_view name) {
  std::vector<std::string> known;
  for (const Source& source : sources()) {
    if (source.name == name) return source;
    known.push_back(source.name);
  }
  throw UsageError(fmt::format("no source {}{}", in_quotes(name), suggest(name, known)));
}

}  // namespace equipoise
