#include "tools/demo/load_watch.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/str_format.h"

namespace vaquita::demo {

LoadWatch::LoadWatch(client::Admin* admin, TableName table, int64_t interval_ms)
    : admin_(admin), table_(std::move(table)), interval_ms_(interval_ms), thread_([this] { Watch(); }) {}

void LoadWatch::Stop() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stopped_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void LoadWatch::Watch() {
  std::unique_lock lock(mutex_);
  while (!stopped_.wait_for(lock, std::chrono::milliseconds(interval_ms_), [this] { return stop_; })) {
    lock.unlock();
    TakeSample();
    lock.lock();
  }
  lock.unlock();
  TakeSample();
}

void LoadWatch::TakeSample() {
  absl::StatusOr<std::vector<RegionMetrics>> regions = admin_->GetRegionMetrics(table_);
  if (!regions.ok()) {
    status_.Update(regions.status());
    return;
  }
  Sample sample;
  for (const RegionMetrics& region : *regions) {
    int64_t& last = last_[region.info.EncodedName()];
    const int64_t writes = std::max<int64_t>(0, region.write_requests - std::exchange(last, region.write_requests));
    starts_.insert(region.info.start_key);
    sample.writes[region.info.start_key] = writes;
    sample.total += writes;
    sample.hottest = std::max(sample.hottest, writes);
  }
  if (sample.total > 0) samples_.push_back(std::move(sample));
}

std::string LoadWatch::Picture() const {
  static constexpr const char* kShades[] = {"·", "░", "▒", "▓", "█"};
  std::string out;
  int number = 0;
  for (const std::string& start : starts_) {
    absl::StrAppendFormat(&out, "  region %d  ", ++number);
    for (const Sample& sample : samples_) {
      const auto writes = sample.writes.find(start);
      const double share = writes == sample.writes.end() ? 0 : double(writes->second) / sample.total;
      out += share == 0 ? kShades[0] : kShades[std::min(4, 1 + int(share * 4))];
    }
    out += "\n";
  }
  out += "  hottest  ";
  for (size_t i = 0; i < samples_.size(); i += 5) {
    absl::StrAppendFormat(&out, "%-5s", absl::StrFormat("%.0f%%", 100.0 * samples_[i].hottest / samples_[i].total));
  }
  return out + "\n";
}

double LoadWatch::HottestShare() const {
  int64_t hottest = 0, total = 0;
  for (const Sample& sample : samples_) {
    hottest += sample.hottest;
    total += sample.total;
  }
  return total == 0 ? 0 : double(hottest) / total;
}

}  // namespace vaquita::demo
