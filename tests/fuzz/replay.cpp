// Runs a target on every file of the folders given, without a fuzzer: replay TARGET FOLDER….
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <new>
#include <sstream>

#include "core/error.h"
#include "fuzz/targets.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // those have an operator new of their own

namespace {

constexpr std::size_t kLargest = std::size_t{256} << 20;

void* checked(void* memory, std::size_t size) {
  if (size > kLargest) throw std::logic_error("an allocation of more than 256 MB");
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return checked(std::malloc(std::min(size, kLargest)), size); }
void* operator new(std::size_t size, std::align_val_t align) {
  const auto unit = static_cast<std::size_t>(align);
  return checked(std::aligned_alloc(unit, (std::min(size, kLargest) + unit - 1) / unit * unit), size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

#endif

namespace equipoise::fuzz {
namespace {

constexpr double kLongest = 1;  // seconds for one input

int replay(const Target& target, const std::vector<std::string>& folders) {
  int inputs = 0, broken = 0;
  for (const std::string& folder : folders) {
    if (!std::filesystem::is_directory(folder)) continue;  // a target for which nothing was found has none
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      std::ostringstream input;
      input << std::ifstream(file.path(), std::ios::binary).rdbuf();
      const std::clock_t begin = std::clock();  // of the processor: a busy machine is not the input's fault
      std::string why;
      try {
        target.run(input.view());
      } catch (const std::exception& error) {
        why = error.what();
      }
      const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      if (seconds > kLongest) why += fmt::format(" ({:.1f} s)", seconds);
      if (!why.empty()) fmt::print("{}: {}\n", file.path().string(), why);
      broken += why.empty() ? 0 : 1;
      ++inputs;
    }
  }
  fmt::print("{}: {} inputs, {} broken\n", target.name, inputs, broken);
  return broken == 0 && inputs > 0 ? 0 : 1;
}

}  // namespace
}  // namespace equipoise::fuzz

int main(int argc, char** argv) {
  using namespace equipoise;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  for (const fuzz::Target& target : fuzz::targets()) {
    if (arguments.size() > 1 && arguments[0] == target.name) {
      return fuzz::replay(target, {arguments.begin() + 1, arguments.end()});
    }
  }
  fmt::print(stderr, "usage: replay TARGET FOLDER...\n");
  return 2;
}
