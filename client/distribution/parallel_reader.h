// client/distribution/parallel_reader.h: reads several scanners at once, each a batch ahead of its consumer.
//
// Memory: for each scanner at most two batches, the one that was taken last and the one that is ready or being read.
// Threads: a few threads of its own read; NextBatch is called by one thread at a time. The destructor waits for pending
// answers.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/table.h"

namespace vaquita::client {

// A batch ends with the result that reaches either limit.
struct BatchLimits {
  int32_t results = 100;
  int64_t bytes = 256 << 10;
};

class ParallelReader {
 public:
  // Rows are given without their first `prefix_length` bytes.
  struct Source {
    std::unique_ptr<ResultScanner> scanner;
    size_t prefix_length = 0;
  };

  ParallelReader(std::vector<Source> sources, const BatchLimits& limits, int threads);
  ~ParallelReader();

  // Returns the next results of source `index`; none at its end. After an error, returns that error again.
  absl::StatusOr<std::vector<Result>> NextBatch(size_t index);

 private:
  struct Reading {
    Source source;  // the reading thread's, while `ready` is false
    bool ready = false;
    std::vector<Result> batch;
    absl::Status status;
  };

  void Run();
  void Read(Source& source, std::vector<Result>* batch, absl::Status* status) const;

  const BatchLimits limits_;
  std::mutex mutex_;  // guards the members below
  std::condition_variable wanted_more_, batch_ready_;
  std::vector<Reading> readings_;
  std::deque<size_t> wanted_;  // sources whose next batch is to be read
  bool stop_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace vaquita::client
