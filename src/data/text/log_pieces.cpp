// Pieces of a log: fetched in order, read on all threads, and put together in order while the next ones are read.
#include "data/text/log_pieces.h"

#include <algorithm>
#include <array>
#include <exception>
#include <memory>

#include "core/error.h"
#include "core/fuzzing.h"
#include "data/text/byte_source.h"

namespace equipoise {
namespace {

constexpr std::size_t kPieceBytes = kFuzzing ? 64 : std::size_t{32} << 10;  // fixed, and large beside a record
constexpr std::size_t kWave = 16;        // pieces between two meetings of the threads
constexpr std::size_t kOneByOne = 4096;  // records that get their numbers together

struct Piece {
  std::string buffer;    // longer than what is in it
  std::size_t size = 0;  // of the lines
  LogPiece log;
  std::int64_t lines_before = 0;
  bool failed = false;

  std::string_view lines() const { return std::string_view(buffer).substr(0, size); }
};
/// Pieces are used again, with the memory they have.
struct Wave {
  std::array<Piece, kWave> pieces;
  std::size_t size = 0;

  Piece* begin() { return pieces.data(); }
  Piece* end() { return pieces.data() + size; }
  std::uint64_t bytes() {
    std::uint64_t sum = 0;
    for (const Piece& piece : *this) sum += piece.size;
    return sum;
  }
};

/// Cuts a source into pieces of whole lines.
class Fetcher {
 public:
  Fetcher(std::unique_ptr<ByteSource> source, bool quotes) : source_(std::move(source)), quotes_(quotes) {}

  /// The next pieces; none at the end, or where the rest has to be read one by one.
  void fetch(Wave& wave) {
    wave.size = 0;
    while (wave.size < kWave && !ended_ && !irregular_ && fetch(wave.pieces[wave.size])) ++wave.size;
  }
  /// What has not been given out. An error of the source comes when it is met, after those of the lines before it.
  std::unique_ptr<ByteSource> rest() {
    if (error_) source_ = std::make_unique<Failed>(error_);
    return joined_source(std::move(carry_), std::move(source_));
  }

 private:
  // False if there is nothing to read in a piece; what was fetched is then carried.
  bool fetch(Piece& piece) {
    fill(piece);
    const std::string_view bytes = piece.lines();
    irregular_ = error_ || !plain_lines(bytes);
    const std::size_t end = irregular_ ? 0 : ended_ ? bytes.size() : bytes.rfind('\n') + 1;  // npos + 1 is 0
    irregular_ = irregular_ || (end == 0 && !bytes.empty());
    carry_ = bytes.substr(end);
    piece.size = end;
    if (end > 0 && bytes[end - 1] != '\n') piece.buffer[piece.size++] = '\n';
    return end > 0;
  }

  void fill(Piece& piece) {
    std::size_t& size = piece.size;
    size = carry_.size();
    const std::size_t room = std::max(kPieceBytes, size + kPieceBytes / 2), padded = room + 1 + CsvReader::kPadding;
    if (piece.buffer.size() < padded) piece.buffer.resize(padded);
    carry_.copy(piece.buffer.data(), size);
    try {
      while (size < room && !ended_) {
        const std::size_t count = source_->read(piece.buffer.data() + size, room - size);
        ended_ = count == 0;
        size += count;
      }
    } catch (const Error&) {
      error_ = std::current_exception();
    }
  }

  bool plain_lines(std::string_view bytes) const {
    if (quotes_ && bytes.find('"') != std::string_view::npos) return false;
    if (bytes.starts_with('\n') || bytes.starts_with('\r')) return false;
    // A line end at the beginning of a line; no branch, so that many bytes are looked at at once.
    unsigned char blank = 0;
    for (std::size_t k = 0; k + 1 < bytes.size(); ++k) {
      const char next = bytes[k + 1];
      blank |= static_cast<unsigned char>((bytes[k] == '\n') & ((next == '\n') | (next == '\r')));
    }
    return blank == 0;
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

/// Puts pieces together; the parts of the work do not meet, so that they can run beside one another.
class Assembly {
 public:
  Assembly(Log& log, IdMap& users, IdMap& items) : log_(log), users_(users), items_(items) {}

  static constexpr std::size_t kParts = 4;
  void add(std::size_t part, const LogPiece& piece, std::int64_t lines_before) {
    if (part == 0) users_.add_all(piece.users, log_.rows.user);
    if (part == 1) add_items(piece);
    if (part == 2) add_numbers(piece, lines_before);
    if (part == 3) log_.requests.add_all(piece.requests, log_.rows.request);
  }

  /// So that columns do not grow by copying: as many rows as `share` of the input makes likely.
  void reserve(double share) {
    const auto rows = static_cast<std::size_t>(static_cast<double>(log_.rows.size()) / share * 1.1);
    each_column(log_.rows, [&](auto& column) {
      if (!column.empty()) column.reserve(rows);
    });
  }

 private:
  void add_items(const LogPiece& piece) {
    const std::size_t first = log_.rows.item.size();
    items_.add_all(piece.items, log_.rows.item);
    if (piece.item_names.empty()) return;
    log_.item_names.resize(static_cast<std::size_t>(items_.size()));
    for (std::size_t k = 0; k < piece.item_names.size(); ++k) {
      std::string& name = log_.item_names[static_cast<std::size_t>(log_.rows.item[first + k])];
      if (name.empty()) name = piece.item_names[k];
    }
  }
  void add_numbers(const LogPiece& piece, std::int64_t lines_before) {
    append(log_.rows.label, piece.rows.label);
    append(log_.rows.propensity, piece.rows.propensity);
    append(log_.rows.weight, piece.rows.weight);
    append(log_.rows.timestamp, piece.rows.timestamp);
    append(log_.rows.position, piece.rows.position);
    append(log_.rows.at_position, piece.rows.at_position);
    append(log_.rows.given_above, piece.rows.given_above);
    append(log_.rows.eligible, piece.rows.eligible);
    log_.lines.append(piece.lines, lines_before);
    log_.filtered += piece.filtered;
    log_.missing += piece.missing;
  }

  Log& log_;
  IdMap& users_;
  IdMap& items_;
};

/// Reads waves of pieces, the next one while the last is put together, until there are no more; gives the lines read.
class Waves {
 public:
  Waves(const CsvReader& csv, const ReadRecords& read, Fetcher& fetcher, Assembly& assembly, std::int64_t lines_before)
      : csv_(csv), read_(read), fetcher_(fetcher), assembly_(assembly), lines_(lines_before) {}

  std::int64_t run(Pool& pool, std::uint64_t bytes) {
    std::uint64_t done = 0;
    fetcher_.fetch(now_);
    while (last_.size > 0 || now_.size > 0) {
      // Fetching and putting together are one piece of work each, and the largest: they have the highest numbers,
      // which are taken first.
      pool.run(now_.size + Assembly::kParts + 1, [&](std::size_t k) {
        if (k < now_.size)
          try_piece(now_.pieces[k]);
        else if (k < now_.size + Assembly::kParts)
          for (const Piece& piece : last_) assembly_.add(k - now_.size, piece.log, piece.lines_before);
        else
          fetcher_.fetch(coming_);
      });
      const bool first = done == 0 && last_.size > 0;
      done += last_.bytes();
      if (first && bytes > done) assembly_.reserve(static_cast<double>(done) / static_cast<double>(bytes));
      for (Piece& piece : now_) count_lines(piece);
      std::swap(last_, now_);
      std::swap(now_, coming_);
    }
    return lines_;
  }

 private:
  void read_piece(Piece& piece) {
    CsvReader reader(csv_, piece.lines(), piece.lines_before + 1);
    piece.log.clear();
    read_(reader, piece.size, piece.log);  // a record takes a byte at least: all of them
  }
  void try_piece(Piece& piece) {
    piece.lines_before = 0;
    try {
      read_piece(piece);
      piece.failed = false;
    } catch (const Error&) {
      piece.failed = true;
    }
  }
  void count_lines(Piece& piece) {
    piece.lines_before = lines_;
    if (piece.failed) read_piece(piece);  // the error again, now with its place
    EQUIPOISE_ASSERT(!piece.failed);
    lines_ += static_cast<std::int64_t>(piece.log.users.size()) + piece.log.filtered;
  }

  const CsvReader& csv_;
  const ReadRecords& read_;
  Fetcher& fetcher_;
  Assembly& assembly_;
  std::int64_t lines_;
  Wave last_, now_, coming_;
};

}  // namespace

void LogPiece::clear() {
  users.clear();
  items.clear();
  requests.clear();
  rows.clear();
  lines = {};
  item_names.clear();
  filtered = missing = 0;
}

void read_in_pieces(CsvReader& csv, std::uint64_t bytes, const ReadRecords& read, Pool* pool, Log& log, IdMap& users,
                    IdMap& items) {
  std::int64_t lines = csv.lines_read();
  Assembly assembly(log, users, items);
  Fetcher fetcher(csv.release(), csv.format().quotes);
  if (pool != nullptr) lines = Waves(csv, read, fetcher, assembly, lines).run(*pool, bytes);
  CsvReader rest(csv, fetcher.rest(), lines + 1);
  LogPiece piece;
  while (read(rest, kOneByOne, piece)) {
    for (std::size_t part = 0; part < Assembly::kParts; ++part) assembly.add(part, piece, 0);
    piece.clear();
  }
}

}  // namespace equipoise
