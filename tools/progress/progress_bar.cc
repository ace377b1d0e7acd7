#include "tools/progress/progress_bar.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace vaquita {
namespace {

constexpr int kWidth = 40;

}  // namespace

ProgressBar::ProgressBar(std::string what, uint64_t total)
    : what_(std::move(what)),
      total_(total),
      terminal_(isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()) {}

ProgressBar::~ProgressBar() {
  if (terminal_) std::fprintf(stderr, "\r\033[K");
}

void ProgressBar::Show(uint64_t done) {
  if (!terminal_) return;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
  const double rate = static_cast<double>(done) / std::max(0.001, passed.count());
  const int seconds = static_cast<int>(passed.count());
  if (total_ == 0) {
    std::fprintf(stderr, "\r%s: %llu, %.1f million/s, %d s\033[K", what_.c_str(), static_cast<unsigned long long>(done),
                 rate / 1e6, seconds);
    return;
  }
  const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
  const int filled = static_cast<int>(part * kWidth);
  const double left = part > 0 ? passed.count() * (1 - part) / part : 0;
  std::fprintf(stderr, "\r%s [%s%s] %3.0f%%, %.1f million/s, %d s, %.0f s left\033[K", what_.c_str(),
               std::string(filled, '#').c_str(), std::string(kWidth - filled, ' ').c_str(), part * 100, rate / 1e6,
               seconds, left);
}

std::function<void(uint64_t)> ProgressBar::Callback() {
  if (!terminal_) return nullptr;
  return [this](uint64_t done) { Show(done); };
}

}  // namespace vaquita
