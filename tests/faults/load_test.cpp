// Loading a spoiled model: every bit and every length refused in little memory, and every allocation may fail.
#include <fcntl.h>
#include <unistd.h>

#include "data/temp_folder.h"
#include "faults/budget.h"
#include "faults/memory.h"
#include "recommender/fixture.h"
#include "recommender/model_file.h"

namespace equipoise::test {
namespace {

using faults::amount;

constexpr std::size_t kSize = 1 << 17;

// A model file of exactly 64 KB: the story of its training is as long as it takes.
class SpoiledModel : public ::testing::Test {
 protected:
  SpoiledModel() : data_(known_log(180, 30)) {
    const auto size_of = [](const Recommender& r) { return ModelFile::pack(r).serialise().size(); };
    auto recommender = some_recommender({"base", "gmf"}, data_);
    while (size_of(*recommender) % 8 != 0) {  // a header's length is a multiple of 8, so the arrays' must be too
      data_.user_features.categorical.front().values.front() += 'x';
      recommender = some_recommender({"base", "gmf"}, data_);
    }
    recommender->training["note"] = "";
    recommender->training["note"] = std::string(kSize - std::min(kSize, size_of(*recommender)), 'x');
    recommender->save(path_);
    size_ = read_file(path_).size();
    file_ = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
  }
  ~SpoiledModel() override { ::close(file_); }

  /// Loads the file as it now is; it must be refused by name, in one line, in no more memory than the file and a tenth.
  void expect_refused(const char* what, std::size_t number) {
    const std::size_t before = faults::bytes_held();
    faults::forget_peak();
    try {
      Recommender::load(path_, pool_);
      ADD_FAILURE() << what << ' ' << number << " was loaded";
    } catch (const CheckError& error) {
      const std::string_view text = error.what();
      if (!text.starts_with(path_ + ": ") || text.find('\n') != std::string_view::npos) ADD_FAILURE() << text;
      most_ = std::max(most_, faults::bytes_at_peak() - before);
    }
    ++refused_;
  }

  Pool pool_{1};
  Dataset data_;
  test::TempFolder folder_;
  std::string path_ = folder_ / "spoiled.model";
  std::size_t size_ = 0;
  int file_ = -1;
  std::size_t refused_ = 0;
  std::size_t most_ = 0;  // bytes taken by any of the refusals
};

TEST_F(SpoiledModel, EveryBitFlipped) {
  ASSERT_EQ(size_, kSize);
  const std::string whole = read_file(path_);
  const std::size_t stride = amount<std::size_t>(397, 1);  // a prime: all bits of a byte, all places in a word
  for (std::size_t bit = 0; bit < 8 * size_; bit += stride) {
    const auto place = static_cast<off_t>(bit / 8);
    const char flipped = static_cast<char>(whole[bit / 8] ^ (1 << bit % 8));
    ASSERT_EQ(::pwrite(file_, &flipped, 1, place), 1);
    expect_refused("bit", bit);
    ASSERT_EQ(::pwrite(file_, &whole[bit / 8], 1, place), 1);
  }
  ASSERT_TRUE(read_file(path_) == whole);
  EXPECT_NO_THROW(Recommender::load(path_, pool_));
  EXPECT_LE(most_, size_ + size_ / 10);
  faults::figure("%zu single-bit flips of a model of %zu bytes: all refused, most memory %zu bytes (%.3f of the file)",
                 refused_, size_, most_, static_cast<double>(most_) / static_cast<double>(size_));
}

TEST_F(SpoiledModel, EveryLengthCutOff) {
  const std::size_t stride = amount<std::size_t>(61, 1);
  for (std::size_t size = size_ - 1;; size -= std::min(size, stride)) {
    ASSERT_EQ(::ftruncate(file_, static_cast<off_t>(size)), 0);
    expect_refused("length", size);
    if (size == 0) break;
  }
  EXPECT_LE(most_, size_ + size_ / 10);
  faults::figure("%zu truncations of a model of %zu bytes: all refused, most memory %zu bytes (%.3f of the file)",
                 refused_, size_, most_, static_cast<double>(most_) / static_cast<double>(size_));
}

TEST_F(SpoiledModel, EveryAllocationMayFail) {
  Recommender::load(path_, pool_);  // what is allocated once for the whole program is there now
  const std::size_t before = faults::bytes_held();
  std::size_t number = 1;
  for (;; ++number) {
    faults::fail_allocation(number);
    bool failed = false;
    try {
      Recommender::load(path_, pool_);
    } catch (const std::bad_alloc&) {
      failed = true;
    }
    const bool reached = faults::allocation_failed();
    faults::fail_allocation(0);
    ASSERT_TRUE(failed == reached) << "allocation " << number << " failed and nobody was told";
    ASSERT_EQ(faults::bytes_held(), before) << "a leak after allocation " << number;
    if (!reached) break;
  }
  EXPECT_GT(number, 100U);
  faults::figure("%zu allocations of a load, each failed once: bad_alloc every time, nothing leaked", number - 1);
}

}  // namespace
}  // namespace equipoise::test
