#include "client/distribution/parallel_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace vaquita::client {
namespace {

int64_t SizeOf(const Result& result) {
  int64_t bytes = sizeof(Result);
  for (const Cell& cell : result.cells) {
    bytes += sizeof(Cell) + cell.row.size() + cell.family.size() + cell.qualifier.size() + cell.value.size();
  }
  return bytes;
}

}  // namespace

ParallelReader::ParallelReader(std::vector<Source> sources, const BatchLimits& limits, int threads) : limits_(limits) {
  for (Source& source : sources) {
    wanted_.push_back(readings_.size());
    readings_.emplace_back().source = std::move(source);
  }
  const size_t count = std::min<size_t>(std::max(threads, 1), readings_.size());
  for (size_t i = 0; i < count; ++i) threads_.emplace_back([this] { Run(); });
}

ParallelReader::~ParallelReader() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wanted_more_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

absl::StatusOr<std::vector<Result>> ParallelReader::NextBatch(size_t index) {
  std::unique_lock lock(mutex_);
  Reading& reading = readings_[index];
  batch_ready_.wait(lock, [&] { return reading.ready; });
  if (!reading.status.ok()) return reading.status;
  std::vector<Result> batch = std::move(reading.batch);
  reading.batch.clear();
  if (batch.empty()) return batch;  // the end stays
  reading.ready = false;
  wanted_.push_back(index);
  wanted_more_.notify_one();
  return batch;
}

void ParallelReader::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wanted_more_.wait(lock, [&] { return stop_ || !wanted_.empty(); });
    if (stop_) return;
    Reading& reading = readings_[wanted_.front()];
    wanted_.pop_front();
    lock.unlock();
    std::vector<Result> batch;
    absl::Status status;
    Read(reading.source, &batch, &status);
    lock.lock();
    reading.batch = std::move(batch);
    reading.status = std::move(status);
    reading.ready = true;
    batch_ready_.notify_one();
  }
}

void ParallelReader::Read(Source& source, std::vector<Result>* batch, absl::Status* status) const {
  for (int64_t bytes = 0; bytes < limits_.bytes && batch->size() < static_cast<size_t>(limits_.results);) {
    absl::StatusOr<std::optional<Result>> next = source.scanner->Next();
    if (!next.ok()) *status = next.status();
    if (!next.ok() || !next->has_value()) return;
    Result& result = **next;
    for (Cell& cell : result.cells) cell.row.erase(0, source.prefix_length);
    bytes += SizeOf(result);
    batch->push_back(std::move(result));
  }
}

}  // namespace vaquita::client
