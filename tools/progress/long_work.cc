#include "tools/progress/long_work.h"

#include <unistd.h>

#include <utility>

namespace vaquita {
namespace {

LongWork::Options OnTerminal(LongWork::Options options) {
  if (options.out == nullptr && isatty(STDERR_FILENO) == 1) options.out = stderr;
  return options;
}

}  // namespace

LongWork::LongWork(std::string what, const Options& options) : what_(std::move(what)), options_(OnTerminal(options)) {
  if (options_.out != nullptr) thread_ = std::thread([this] { Run(); });
}

LongWork::~LongWork() {
  if (options_.out == nullptr) return;
  {
    std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_one();
  thread_.join();
  if (!said_) return;
  std::fprintf(options_.out, "\r%s: took %.1f s\033[K\n", what_.c_str(), Seconds());
  std::fflush(options_.out);
}

void LongWork::Run() {
  std::unique_lock lock(mutex_);
  for (std::chrono::milliseconds wait = options_.patience; !changed_.wait_for(lock, wait, [this] { return ended_; });
       wait = options_.interval) {
    said_ = true;
    std::fprintf(options_.out, "\r%s: %.0f s so far\033[K", what_.c_str(), Seconds());
    std::fflush(options_.out);
  }
}

}  // namespace vaquita
