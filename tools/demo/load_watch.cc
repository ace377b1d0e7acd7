#include "tools/demo/load_watch.h"

#include <algorithm>
#include <chrono>

#include "absl/strings/str_cat.h"
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
  std::sort(regions->begin(), regions->end(),
            [](const RegionMetrics& a, const RegionMetrics& b) { return a.info.start_key < b.info.start_key; });
  last_.resize(regions->size(), 0);
  Sample sample;
  for (size_t i = 0; i < regions->size(); ++i) {
    const int64_t writes = (*regions)[i].write_requests - last_[i];
    last_[i] = (*regions)[i].write_requests;
    sample.writes.push_back(writes);
    sample.total += writes;
    sample.hottest = std::max(sample.hottest, writes);
  }
  if (sample.total > 0) samples_.push_back(std::move(sample));
}

std::string LoadWatch::Picture() const {
  static constexpr const char* kShades[] = {"·", "░", "▒", "▓", "█"};
  std::string out;
  for (size_t region = 0; region < last_.size(); ++region) {
    absl::StrAppendFormat(&out, "  region %d  ", region + 1);
    for (const Sample& sample : samples_) {
      const double share = double(sample.writes[region]) / sample.total;
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
