// Pieces of a log: fetched in order, read on all threads, and put together in order while the next ones are read.
#include "data/log_pieces.h"

#include <algorithm>
#include <exception>

#include "core/error.h"
#include "data/byte_source.h"

namespace equipoise {
namespace {

constexpr std::size_t kPiece = std::size_t{256} << 10;  // bytes; fixed, and large beside a record
constexpr std::size_t kBytesPerId = 32;                 // about; so that a piece's ids seldom have to be moved
constexpr std::size_t kWave = 16;                       // pieces between two meetings of the threads

struct Piece {
  std::string bytes;
  Log log;  // ids by number of the piece's own
  IdMap users, items;
  bool failed = false;
};
using Wave = std::vector<Piece>;

/// Cuts a source into pieces of whole lines.
class Fetcher {
 public:
  Fetcher(std::unique_ptr<ByteSource> source, bool quotes) : source_(std::move(source)), quotes_(quotes) {}

  /// The next pieces; none at the end, or where the rest has to be read one by one.
  Wave next() {
    Wave wave;
    while (wave.size() < kWave && !ended_ && !irregular_) {
      std::string bytes = std::move(carry_);
      carry_.clear();
      fill(bytes);
      irregular_ = error_ || !plain_lines(bytes);
      const std::size_t end = irregular_ ? 0 : ended_ ? bytes.size() : bytes.rfind('\n') + 1;  // npos + 1 is 0
      if (end == 0) {
        irregular_ = irregular_ || !bytes.empty();
        carry_ = std::move(bytes);
        break;
      }
      carry_.assign(bytes, end);
      bytes.resize(end);
      wave.emplace_back().bytes = std::move(bytes);
    }
    return wave;
  }
  /// What has not been given out. An error of the source comes when it is met, after those of the lines before it.
  std::unique_ptr<ByteSource> rest() {
    if (error_) source_ = std::make_unique<Failed>(error_);
    return joined_source(std::move(carry_), std::move(source_));
  }

 private:
  void fill(std::string& bytes) {
    std::size_t size = bytes.size();
    bytes.resize(std::max(kPiece, size + kPiece / 2));
    try {
      while (size < bytes.size() && !ended_) {
        const std::size_t count = source_->read(bytes.data() + size, bytes.size() - size);
        ended_ = count == 0;
        size += count;
      }
    } catch (const Error&) {
      error_ = std::current_exception();
    }
    bytes.resize(size);
  }

  bool plain_lines(const std::string& bytes) const {
    if (quotes_ && bytes.find('"') != std::string::npos) return false;
    if (bytes.starts_with('\n') || bytes.starts_with("\r\n")) return false;
    // A line end after a line end; no branch, so that many bytes are looked at at once.
    const char* at = bytes.data();
    bool blank = bytes.ends_with("\n\n");
    for (std::size_t k = 0; k + 2 < bytes.size(); ++k) {
      blank |= (at[k] == '\n') & ((at[k + 1] == '\n') | ((at[k + 1] == '\r') & (at[k + 2] == '\n')));
    }
    return !blank;
  }

  struct Failed : ByteSource {
    explicit Failed(std::exception_ptr error) { why = std::move(error); }
    std::size_t read(char*, std::size_t) override { std::rethrow_exception(why); }
    std::exception_ptr why;
  };

  std::unique_ptr<ByteSource> source_;
  std::exception_ptr error_;
  bool quotes_;
  std::string carry_;  // the beginning of a line whose end is still to be fetched
  bool ended_ = false;
  bool irregular_ = false;
};

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// The ids of a piece in the order of their first appearance, so that new ones get the numbers they would have had.
void append_ids(std::vector<std::int32_t>& to, const std::vector<std::int32_t>& from, const IdMap& own, IdMap& all) {
  std::vector<std::int32_t> number;
  number.reserve(own.names().size());
  all.add_all(own.names(), number);
  for (const std::int32_t k : from) to.push_back(number[static_cast<std::size_t>(k)]);
}

/// Puts waves together; the three parts of the work do not meet, so that they can run beside one another.
class Assembly {
 public:
  Assembly(Log& log, IdMap& users, IdMap& items, std::int64_t lines_before)
      : log_(log), users_(users), items_(items), lines_(lines_before) {}

  static constexpr std::size_t kParts = 3;
  void add(std::size_t part, const Wave& wave) {
    for (const Piece& piece : wave) {
      const Rows& rows = piece.log.rows;
      if (part == 0) append_ids(log_.rows.user, rows.user, piece.users, users_);
      if (part == 1) append_ids(log_.rows.item, rows.item, piece.items, items_);
      if (part == 2) add_numbers(piece.log);
    }
  }
  std::int64_t lines() const { return lines_; }

  /// So that columns do not grow by copying: as many rows as `share` of the input makes likely.
  void reserve(double share) {
    const auto rows = static_cast<std::size_t>(static_cast<double>(log_.rows.size()) / share * 1.1);
    log_.rows.user.reserve(rows);
    log_.rows.item.reserve(rows);
    log_.rows.label.reserve(rows);
    if (!log_.rows.propensity.empty()) log_.rows.propensity.reserve(rows);
    if (!log_.rows.weight.empty()) log_.rows.weight.reserve(rows);
    if (!log_.rows.timestamp.empty()) log_.rows.timestamp.reserve(rows);
  }

 private:
  void add_numbers(const Log& piece) {
    append(log_.rows.label, piece.rows.label);
    append(log_.rows.propensity, piece.rows.propensity);
    append(log_.rows.weight, piece.rows.weight);
    append(log_.rows.timestamp, piece.rows.timestamp);
    log_.lines.append(piece.lines, lines_);
    log_.filtered += piece.filtered;
    lines_ += static_cast<std::int64_t>(piece.rows.size()) + piece.filtered;
  }

  Log& log_;
  IdMap& users_;
  IdMap& items_;
  std::int64_t lines_;  // read so far
};

std::uint64_t size_of(const Wave& wave) {
  std::uint64_t size = 0;
  for (const Piece& piece : wave) size += piece.bytes.size();
  return size;
}

}  // namespace

void read_in_pieces(CsvReader& csv, std::uint64_t bytes, const ReadRecords& read, Pool& pool, Log& log, IdMap& users,
                    IdMap& items) {
  const std::int64_t before = csv.lines_read();
  Fetcher fetcher(csv.release(), csv.format().quotes);
  Assembly assembly(log, users, items, before);
  const auto read_piece = [&](Piece& piece, std::int64_t lines_before) {
    CsvReader reader(csv, memory_source(piece.bytes), lines_before + 1);
    for (IdMap* ids : {&piece.users, &piece.items}) ids->reserve(piece.bytes.size() / kBytesPerId);
    read(reader, piece.log, piece.users, piece.items);
  };
  std::uint64_t done = 0;
  Wave last, now = fetcher.next();
  while (!last.empty() || !now.empty()) {
    Wave coming;
    // Fetching and putting together are one piece of work each, and the largest: they have the highest numbers, which
    // are taken first.
    pool.run(now.size() + Assembly::kParts + 1, [&](std::size_t k) {
      if (k < now.size()) {
        try {
          read_piece(now[k], 0);
        } catch (const Error&) {
          now[k].failed = true;
        }
      } else if (k < now.size() + Assembly::kParts) {
        assembly.add(k - now.size(), last);
      } else {
        coming = fetcher.next();
      }
    });
    const auto failed = std::find_if(now.begin(), now.end(), [](const Piece& piece) { return piece.failed; });
    if (failed != now.end()) {
      now.erase(failed + 1, now.end());
      Piece again = std::move(now.back());
      now.pop_back();
      for (std::size_t part = 0; part < Assembly::kParts; ++part) assembly.add(part, now);
      again.log = {}, again.users = {}, again.items = {};
      read_piece(again, assembly.lines());
      EQUIPOISE_ASSERT(!"an error that was there before");
    }
    const bool first = done == 0 && !last.empty();
    done += size_of(last);
    if (first && bytes > done) assembly.reserve(static_cast<double>(done) / static_cast<double>(bytes));
    last = std::move(now);
    now = std::move(coming);
  }
  CsvReader reader(csv, fetcher.rest(), assembly.lines() + 1);
  read(reader, log, users, items);
}

}  // namespace equipoise
