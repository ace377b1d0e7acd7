// tests/fuzz/fuzz_driver.cc: runs a fuzz target without libFuzzer: its seeds, and mutations of them.
//
//   PROGRAM CORPUS [RUNS [SEED]]   replays the files of the folder CORPUS, then RUNS mutations
//   PROGRAM FILE                   replays one input
//
// An input that ends in a signal is left in the file fuzz.crash of the current folder. The mutations of a SEED are
// the same in every run, so that a failure comes again.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

namespace fs = std::filesystem;

constexpr int kDefaultRuns = 50'000;
constexpr size_t kMaxInputBytes = 64 << 10;

class Mutator {
 public:
  Mutator(std::vector<std::string> seeds, uint32_t seed) : seeds_(std::move(seeds)), random_(seed) {}

  std::string Next() {
    std::string input = Seed();
    for (size_t changes = 1 + Below(6); changes > 0; --changes) Change(&input);
    if (input.size() > kMaxInputBytes) input.resize(kMaxInputBytes);
    return input;
  }

 private:
  size_t Below(size_t limit) { return limit == 0 ? 0 : random_() % limit; }
  const std::string& Seed() { return seeds_[Below(seeds_.size())]; }

  void Change(std::string* input) {
    const size_t at = Below(input->size() + 1);
    const size_t length = Below(std::min<size_t>(input->size() - at, 64) + 1);
    switch (Below(6)) {
      case 0:  // a bit
        if (at < input->size()) (*input)[at] ^= 1 << Below(8);
        break;
      case 1:  // a part gone
        input->erase(at, length);
        break;
      case 2:  // a part twice
        input->insert(at, input->substr(at, length));
        break;
      case 3: {  // a part of another
        const std::string& other = Seed();
        input->insert(at, other.substr(Below(other.size() + 1), Below(64)));
        break;
      }
      case 4: {  // an extreme number, where one may be
        static constexpr std::array<uint32_t, 8> kNumbers = {0,      1,          0x7f,       0xff,
                                                             0xffff, 0x7fffffff, 0x80000000, 0xffffffff};
        const uint32_t number = kNumbers[Below(kNumbers.size())];
        const size_t bytes = size_t{1} << Below(3);
        for (size_t i = 0; i < bytes && at + i < input->size(); ++i) {
          (*input)[at + i] = static_cast<char>(number >> (8 * (bytes - 1 - i)));
        }
        break;
      }
      default:  // noise
        for (size_t i = 0; i < 1 + Below(4); ++i) input->insert(at, 1, static_cast<char>(random_()));
    }
  }

  const std::vector<std::string> seeds_;
  std::mt19937 random_;
};

std::string Read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string_view running;

void LeaveInput(int signal) {
  const int file = open("fuzz.crash", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0 && write(file, running.data(), running.size()) >= 0) close(file);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void Run(const std::string& input) {
  running = input;
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s CORPUS [RUNS [SEED]] | FILE\n", argv[0]);
    return 2;
  }
  if (fs::is_regular_file(argv[1])) {
    Run(Read(argv[1]));
    return 0;
  }
  std::vector<fs::path> files(fs::directory_iterator(argv[1]), {});
  std::sort(files.begin(), files.end());
  std::vector<std::string> seeds;
  for (const fs::path& file : files) seeds.push_back(Read(file));
  if (seeds.empty()) {
    std::fprintf(stderr, "%s: there are no seeds\n", argv[1]);
    return 2;
  }
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, LeaveInput);
  for (const std::string& seed : seeds) Run(seed);

  const int runs = argc > 2 ? std::atoi(argv[2]) : kDefaultRuns;
  Mutator mutator(seeds, argc > 3 ? static_cast<uint32_t>(std::atoi(argv[3])) : 1);
  for (int i = 0; i < runs; ++i) Run(mutator.Next());
  std::printf("%zu seeds, %d mutations\n", seeds.size(), runs);
  return 0;
}
