// The common calls as messages between each two ranks, which any number of bytes may have and which a failure ends.
#include "cluster/mpi_ranks.h"

#include <fmt/format.h>
#include <mpi.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "cluster/post_office.h"
#include "cluster/requests.h"
#include "core/listener.h"

namespace equipoise {

namespace {

// Seconds. Who is told to stop is killed by mpirun after 1, so that little time is left to wait for others then.
constexpr double kAnswerSeconds = 0.4;         // for peers to answer who was told to stop
constexpr double kEndingSeconds = 10;          // for all to come to an end after one has failed
constexpr double kStoppedEndingSeconds = 0.3;  // the same for who was told to stop
constexpr double kVerdictSeconds = 600;        // for rank 0, which alone has the word, to hear how others ended

enum Tag : int { kBytes, kKnown, kCopies, kSmall };

// MPI is started before anything that uses it is made, and ended after all of it is gone.
class MpiRuns {
 public:
  MpiRuns(int& argc, char**& argv) {
    int given = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
    if (given < MPI_THREAD_FUNNELED) throw Error("this MPI cannot be used by a process that has threads");
  }
  ~MpiRuns() {
    if (abandoned) std::_Exit(exit);  // mpirun then ends the others; MPI_Abort would say so in many lines
    MPI_Finalize();
  }
  bool abandoned = false;  // by a rank that does not come to an end
  int exit = 1;
};

class MpiRanks final : public Ranks {
 public:
  MpiRanks(int& argc, char**& argv) : mpi_(argc, argv), requests_(own_comm(), [this](double t) { look(t); }) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    sizes_.resize(static_cast<std::size_t>(size_));
    for (int k = 1; k < size_; ++k) others_.push_back((rank_ + k) % size_);
    said_.resize(static_cast<std::size_t>(size_));
    char name[MPI_MAX_PROCESSOR_NAME] = {};
    int length = 0;
    MPI_Get_processor_name(name, &length);
    hosts_ = gather_texts(*this, {name, static_cast<std::size_t>(length)});
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string name_of(int rank) const override {
    return fmt::format("rank {} on {}", rank, hosts_.at(static_cast<std::size_t>(rank)));
  }
  std::uint64_t bytes_sent() const override { return requests_.sent() + post_.sent(); }

  void barrier() override { any(false); }

  // By a tree: who has it hands it on to the rank that is a power of two further on.
  void broadcast(std::span<std::byte> data, int from) override {
    const int place = (rank_ - from + size_) % size_;
    const auto rank_at = [&](int p) { return (p + from) % size_; };
    int step = 1;
    while (step <= place) step *= 2;
    if (place > 0) {
      requests_.receive(data, rank_at(place - step / 2), kCopies);
      requests_.wait();
    }
    for (; place + step < size_; step *= 2) requests_.send(data, rank_at(place + step), kCopies);
    requests_.wait();
  }

  // What arrives tells its size: to exchange sizes first would be one more turn of waiting for one another.
  void all_to_all(const Parcels& out, Parcels& in) override {
    for_others([&](int peer) { requests_.send_sized(out.of(peer), peer, kBytes); });
    receive_all(out.of(rank_), in);
  }

  void all_to_all_sized(const Parcels& out, Parcels& in) override {
    for_others([&](int peer) { requests_.receive(in.of(peer), peer, kKnown); });
    for_others([&](int peer) { requests_.send(out.of(peer), peer, kKnown); });
    std::copy(out.of(rank_).begin(), out.of(rank_).end(), in.of(rank_).begin());
    requests_.wait();
  }

  void all_gather(std::span<const std::byte> mine, Parcels& all) override {
    for_others([&](int peer) { requests_.send_sized(mine, peer, kBytes); });
    receive_all(mine, all);
  }

  bool any(bool mine) override {
    said_[static_cast<std::size_t>(rank_)] = static_cast<std::byte>(mine);
    for_others([&](int peer) { requests_.receive({&said_[static_cast<std::size_t>(peer)], 1}, peer, kSmall); });
    for_others([&](int peer) { requests_.send({&said_[static_cast<std::size_t>(rank_)], 1}, peer, kSmall); });
    requests_.wait();
    return std::any_of(said_.begin(), said_.end(), [](std::byte said) { return said != std::byte{0}; });
  }

  void post(int to, std::string text) override { post_.post(PostOffice::letter, to, std::move(text)); }
  std::optional<Letter> next_letter() override {
    if (peer_failed()) throw PeerFailed();
    return post_.next(PostOffice::letter);
  }

  bool peer_failed() override {
    if (!failed_ && pthread_equal(pthread_self(), thread_) != 0 && post_.next(PostOffice::failure)) failed_ = true;
    return failed_;
  }

  Ending end(const Ending& mine) override {
    mpi_.exit = mine.exit;
    if (size_ == 1) return mine;
    if (mine.exit != 0 && !peer_failed()) for_others([&](int peer) { post_.post(PostOffice::failure, peer, ""); });
    Ending all = mine;
    try {
      all = rank_ == 0 ? gather_endings(mine) : hear_verdict(mine);
    } catch (const Error& error) {  // the network is gone
      mpi_.abandoned = true;
      if (all.exit == 0) all = {static_cast<int>(Exit::failed), error.what()};
    }
    mpi_.exit = all.exit;
    return all;
  }

 private:
  static MPI_Comm own_comm() {
    MPI_Comm comm;
    check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &comm), "starting");
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return comm;
  }

  template <class Each>
  void for_others(const Each& each) {
    for (const int peer : others_) each(peer);
  }

  void receive_all(std::span<const std::byte> own, Parcels& in) {
    sizes_[static_cast<std::size_t>(rank_)] = own.size();
    requests_.await_sizes(others_, kBytes, sizes_);
    in.lay_out(sizes_);
    for_others([&](int peer) { requests_.take(in.of(peer), peer); });
    std::copy(own.begin(), own.end(), in.of(rank_).begin());
    requests_.wait();
  }

  void look(double waited) {
    if (peer_failed()) throw PeerFailed();
    if (waited < kAnswerSeconds || !stop_requested()) return;
    stopped_ = true;
    if (rank_ != 0) throw PeerFailed();  // one line is enough, and what is beside rank 0 says it if rank 0 is lost
    throw Error(lost(requests_.missing()));
  }

  std::string lost(int rank) const {
    return name_of(rank) +
           " does not answer any more: its process, its host or the network may be lost; started again, the job goes "
           "on "
           "from what was kept";
  }

  // Rank 0 has everybody's ending, tells all which counts, and says so if one never came.
  Ending gather_endings(const Ending& mine) {
    std::vector<std::optional<Ending>> endings(static_cast<std::size_t>(size_));
    endings[0] = mine;
    bool failed = mine.exit != 0 || failed_;
    Patience until_failure, patience;
    while (const int missing = first_missing(endings)) {
      if (const auto letter = post_.next(PostOffice::ending)) {
        endings[static_cast<std::size_t>(letter->from)] = parse(letter->text);
        failed = failed || endings[static_cast<std::size_t>(letter->from)]->exit != 0;
      } else if (failed = failed || peer_failed(); !failed) {
        until_failure.pause();
      } else if (patience.pause() > (told_to_stop(mine) ? kStoppedEndingSeconds : kEndingSeconds)) {
        mpi_.abandoned = true;
        endings[static_cast<std::size_t>(missing)] = {static_cast<int>(Exit::failed), lost(missing)};
        if (!mine.line.empty() && !stopped_) endings[0]->line += "; " + name_of(missing) + " does not answer any more";
      }
    }
    Ending all = deciding(endings);
    for_others([&](int peer) { post_.post(PostOffice::verdict, peer, text_of(all)); });
    return all;
  }

  Ending hear_verdict(const Ending& mine) {
    post_.post(PostOffice::ending, 0, text_of(mine));
    Patience until_failure, patience;
    for (;;) {
      if (const auto letter = post_.next(PostOffice::verdict)) return {parse(letter->text).exit, ""};
      if (mine.exit == 0 && !peer_failed()) {
        until_failure.pause();
      } else if (patience.pause() > (told_to_stop(mine) ? 1.2 * kStoppedEndingSeconds : kVerdictSeconds)) {
        mpi_.abandoned = true;
        return {mine.exit, ""};
      }
    }
  }

  bool told_to_stop(const Ending& mine) const { return stopped_ || mine.exit == static_cast<int>(Exit::interrupted); }

  static int first_missing(const std::vector<std::optional<Ending>>& endings) {
    const auto at = std::find(endings.begin(), endings.end(), std::nullopt);
    return at == endings.end() ? 0 : static_cast<int>(at - endings.begin());
  }

  // A line that only another rank has is said with its name; what all have is rank 0's.
  Ending deciding(const std::vector<std::optional<Ending>>& endings) const {
    for (int r = 0; r < size_; ++r) {
      const Ending& ending = *endings[static_cast<std::size_t>(r)];
      if (ending.line.empty()) continue;
      return {ending.exit, r > 0 ? said_by(r, ending.line) : ending.line};
    }
    const auto not_fine = std::find_if(endings.begin(), endings.end(), [](const auto& e) { return e->exit != 0; });
    return not_fine == endings.end() ? Ending{} : **not_fine;
  }

  std::string said_by(int rank, const std::string& line) const {
    return line.empty() || line.starts_with("rank ") ? line : name_of(rank) + ": " + line;
  }

  static std::string text_of(const Ending& ending) { return fmt::format("{}\n{}", ending.exit, ending.line); }
  static Ending parse(const std::string& text) {
    const std::size_t at = text.find('\n');
    return {std::stoi(text.substr(0, at)), text.substr(at + 1)};
  }

  const pthread_t thread_ = pthread_self();
  MpiRuns mpi_;
  PostOffice post_;
  Requests requests_;
  int rank_ = 0, size_ = 1;
  std::atomic<bool> failed_{false};
  bool stopped_ = false;  // told to, and somebody did not answer
  std::vector<std::string> hosts_;
  std::vector<int> others_;         // each begins with another one, so that not all write to the same
  std::vector<std::size_t> sizes_;  // of each rank's parcel
  std::vector<std::byte> said_;
};

}  // namespace

std::unique_ptr<Ranks> start_mpi(int& argc, char**& argv) { return std::make_unique<MpiRanks>(argc, argv); }

}  // namespace equipoise
