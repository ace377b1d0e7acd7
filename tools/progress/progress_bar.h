// tools/progress/progress_bar.h: shows the progress of a long run as a bar on stderr, if that is a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace vaquita {

class ProgressBar {
 public:
  // `total` 0 means that it is not known; a count is shown in that case.
  ProgressBar(std::string what, uint64_t total);
  ~ProgressBar();  // wipes it
  ProgressBar(const ProgressBar&) = delete;

  void Show(uint64_t done);
  // Returns the function to call with the progress; empty if the bar is not shown. The bar must outlive it.
  std::function<void(uint64_t)> Callback();

 private:
  const std::string what_;
  const uint64_t total_;
  const bool terminal_;
  const std::chrono::steady_clock::time_point start_;
};

}  // namespace vaquita
