// tools/lab/progress_bar.h: how far a long run is: a bar on stderr, drawn over itself, only if that is a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace vaquita {

class ProgressBar {
 public:
  // `total` 0: not known; then it counts.
  ProgressBar(std::string what, uint64_t total);
  ~ProgressBar();  // wipes it
  ProgressBar(const ProgressBar&) = delete;

  void Show(uint64_t done);
  // To be handed to what runs; empty if nothing is to be shown. The bar must outlive it.
  std::function<void(uint64_t)> Callback();

 private:
  const std::string what_;
  const uint64_t total_;
  const bool terminal_;
  const std::chrono::steady_clock::time_point start_;
};

}  // namespace vaquita
