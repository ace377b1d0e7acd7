#include "server/regionserver/open_scanners.h"

#include <chrono>
#include <functional>
#include <utility>
#include <vector>

#include "base/status.h"

namespace vaquita {
namespace {

constexpr size_t kRememberClosed = 4096;
constexpr auto kExpireEvery = std::chrono::seconds(1);

absl::Status UnknownScanner(int64_t id) {
  return Error(
      ErrorKind::kUnknownScanner,
      "Unknown scanner '" + std::to_string(id) +
          "'. This can happen due to any of the following reasons: a) Scanner id given is wrong, b) Scanner lease "
          "expired because of long wait between consecutive client checkins, c) Server may be closing down, d) "
          "RegionServer restart during upgrade.\nIf the issue is due to reason (b), a possible fix would be "
          "increasing the value of'hbase.client.scanner.timeout.period' configuration.");
}

}  // namespace

OpenScanners::OpenScanners(std::string_view server_name, int64_t lease_ms, Clock* clock)
    : lease_ms_(lease_ms),
      clock_(clock),
      // As in HBase: the server's name in the upper half, so that an id of an earlier server is not taken for one of
      // this one's.
      next_id_((static_cast<int64_t>(std::hash<std::string_view>()(server_name) & 0x7fffffff) << 32) + 1),
      thread_([this] { ExpireRegularly(); }) {}

OpenScanners::~OpenScanners() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

OpenScanners::Call::Call(Call&& other) noexcept
    : owner_(std::exchange(other.owner_, nullptr)),
      scanner_(std::move(other.scanner_)),
      lock_(std::move(other.lock_)),
      call_seq_after_end_(other.call_seq_after_end_) {}

OpenScanners::Call& OpenScanners::Call::operator=(Call&& other) noexcept {
  std::swap(owner_, other.owner_);
  std::swap(scanner_, other.scanner_);
  std::swap(lock_, other.lock_);
  std::swap(call_seq_after_end_, other.call_seq_after_end_);
  return *this;
}

OpenScanners::Call::~Call() {
  if (owner_ == nullptr || scanner_ == nullptr) return;
  lock_.unlock();
  owner_->Leave(scanner_);
}

void OpenScanners::Call::Close() { End(true); }

void OpenScanners::Call::Abandon() { End(false); }

void OpenScanners::Call::End(bool scan_is_over) {
  scanner_->scanner.reset();
  scanner_->closed_ = true;
  lock_.unlock();
  owner_->Forget(*scanner_, scan_is_over);
  owner_ = nullptr;
}

OpenScanners::Call OpenScanners::Begin(std::shared_ptr<OpenScanner> scanner) {
  Call call;
  call.owner_ = this;
  if (scanner->kept_bytes > 0) {
    kept_bytes_.fetch_add(scanner->kept_bytes, std::memory_order_relaxed);
    scanner->all_kept_ = &kept_bytes_;
  }
  call.scanner_ = std::move(scanner);
  call.lock_ = std::unique_lock(call.scanner_->mutex_);
  call.scanner_->id = next_id_.fetch_add(1, std::memory_order_relaxed);
  return call;
}

absl::StatusOr<OpenScanners::Call> OpenScanners::Enter(int64_t id) {
  Call call;
  {
    std::lock_guard lock(mutex_);
    const auto it = scanners_.find(id);
    if (it != scanners_.end() && it->second->calls_ == 0 && it->second->lease_end_ms_ <= clock_->NowMs()) {
      scanners_.erase(it);
      return UnknownScanner(id);
    }
    if (it == scanners_.end()) {
      const auto closed = closed_.find(id);
      if (closed == closed_.end()) return UnknownScanner(id);
      call.call_seq_after_end_ = closed->second;
      return call;
    }
    call.scanner_ = it->second;
    ++call.scanner_->calls_;
  }
  call.owner_ = this;
  call.lock_ = std::unique_lock(call.scanner_->mutex_);
  if (call.scanner_->closed_) return UnknownScanner(id);  // by the call that was waited for
  return call;
}

void OpenScanners::Leave(const std::shared_ptr<OpenScanner>& scanner) {
  std::lock_guard lock(mutex_);
  --scanner->calls_;
  scanner->lease_end_ms_ = clock_->NowMs() + lease_ms_;
  if (!std::exchange(scanner->listed_, true)) scanners_[scanner->id] = scanner;
  if (std::exchange(asleep_, false)) changed_.notify_all();
}

void OpenScanners::Forget(const OpenScanner& scanner, bool scan_is_over) {
  std::lock_guard lock(mutex_);
  scanners_.erase(scanner.id);
  if (!scan_is_over) return;
  closed_.emplace(scanner.id, scanner.next_call_seq);
  closed_order_.push_back(scanner.id);
  if (closed_order_.size() > kRememberClosed) {
    closed_.erase(closed_order_.front());
    closed_order_.pop_front();
  }
}

void OpenScanners::RegionClosed(const Region* region) {
  std::vector<std::shared_ptr<OpenScanner>> theirs;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [id, scanner] : scanners_) {
      if (scanner->region.get() == region) theirs.push_back(scanner);
    }
  }
  for (const auto& scanner : theirs) {
    std::lock_guard lock(scanner->mutex_);
    scanner->scanner.reset();
  }
}

size_t OpenScanners::Expire() {
  std::vector<std::shared_ptr<OpenScanner>> expired;  // destroyed without the lock: that may close files
  std::lock_guard lock(mutex_);
  const int64_t now_ms = clock_->NowMs();
  for (auto it = scanners_.begin(); it != scanners_.end();) {
    if (it->second->calls_ == 0 && it->second->lease_end_ms_ <= now_ms) {
      expired.push_back(std::move(it->second));
      it = scanners_.erase(it);
    } else {
      ++it;
    }
  }
  return expired.size();
}

size_t OpenScanners::size() const {
  std::lock_guard lock(mutex_);
  return scanners_.size();
}

std::shared_ptr<Region> OpenScanners::RegionOf(int64_t id) const {
  std::lock_guard lock(mutex_);
  const auto it = scanners_.find(id);
  return it == scanners_.end() ? nullptr : it->second->region;
}

void OpenScanners::ExpireRegularly() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (scanners_.empty()) {
      asleep_ = true;
      changed_.wait(lock, [this] { return stopping_ || !asleep_; });
      continue;
    }
    if (changed_.wait_for(lock, kExpireEvery, [this] { return stopping_; })) break;
    lock.unlock();
    Expire();
    lock.lock();
  }
}

}  // namespace vaquita
