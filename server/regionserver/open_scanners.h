// server/regionserver/open_scanners.h: the scanners that clients have open on a server, and their leases.
//
// A scanner lives until its scan ends, its client closes it, or its lease runs out: scanner_lease_ms without a call. A
// call holds its scanner alone, and a lease does not run out during a call. When a region closes, its scanners release
// its data at once, and their next call fails. Errors, in HBase's words: kUnknownScanner, kOutOfOrderScannerNext,
// kNotServingRegion. Threads: any. Its own thread removes scanners whose lease is over, and sleeps while no scanner is
// open. Source: RSRpcServices.getRegionScanner, checkScanNextCallSeq, LeaseManager (2.6).
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "model/operations.h"
#include "region/region.h"

namespace vaquita {

// An open scan between its calls.
struct OpenScanner {
  OpenScanner() = default;
  OpenScanner(const OpenScanner&) = delete;
  OpenScanner& operator=(const OpenScanner&) = delete;
  ~OpenScanner() {
    if (all_kept_ != nullptr) all_kept_->fetch_sub(kept_bytes, std::memory_order_relaxed);
  }

  int64_t id = 0;
  std::shared_ptr<Region> region;
  std::unique_ptr<RegionScanner> scanner;  // null: the region has closed
  int32_t caching = -1;                    // Scan::caching
  int64_t max_result_bytes = -1;           // Scan::max_result_bytes
  bool batched = false;                    // Scan::batch is set
  int64_t rows_left = -1;                  // that Scan::limit leaves; -1: no limit
  int64_t next_call_seq = 0;
  bool goes_on_elsewhere = false;  // the scan's rows reach beyond the region
  bool only_end_left = false;      // all rows are out; the client is still to be told so
  bool stale = false;              // the client asked a replica
  std::string owner;               // the user who opened it; empty: users have no rights here
  int64_t kept_bytes = 0;          // in memory, by the filter, the columns and the long rows that the client sent

 private:
  friend class OpenScanners;
  std::mutex mutex_;                          // held during a call
  bool closed_ = false;                       // under mutex_
  bool listed_ = false;                       // under OpenScanners::mutex_
  int64_t lease_end_ms_ = 0;                  // under OpenScanners::mutex_
  int calls_ = 1;                             // waiting or running; under OpenScanners::mutex_
  std::atomic<int64_t>* all_kept_ = nullptr;  // OpenScanners::kept_bytes_, once it counts there
};

class OpenScanners {
 public:
  OpenScanners(std::string_view server_name, int64_t lease_ms, Clock* clock);  // `clock` outlives it
  ~OpenScanners();

  // A call on an open scanner, from Enter to destruction. The lease starts anew when it ends, unless the scanner was
  // closed.
  class Call {
   public:
    Call() = default;
    Call(Call&& other) noexcept;
    Call& operator=(Call&& other) noexcept;
    ~Call();
    OpenScanner* operator->() const { return scanner_.get(); }
    OpenScanner& operator*() const { return *scanner_; }
    bool closed_before() const { return scanner_ == nullptr; }  // the scan had ended or been closed already
    // Returns the number of the one call that may still come in order. REQUIRES: closed_before().
    int64_t call_seq_after_end() const { return call_seq_after_end_; }
    void Close();  // the scan is over
    // The scanner is gone, but the scan is not over. Who calls it again is told that it is unknown, and opens another
    // one where it stands: a client repeats a call whose error it did not get, and gohbase one that was answered with
    // NotServingRegion.
    void Abandon();

   private:
    friend class OpenScanners;
    void End(bool scan_is_over);

    OpenScanners* owner_ = nullptr;
    std::shared_ptr<OpenScanner> scanner_;
    std::unique_lock<std::mutex> lock_;
    int64_t call_seq_after_end_ = 0;
  };

  // The first call on a new scanner, which gets an id. Others find it once this call has ended: most scans end with
  // their first call, and need no place among the open ones.
  Call Begin(std::shared_ptr<OpenScanner> scanner);
  // Finds the scanner for a call. One that is closed already gives a Call that says so: clients of before 2.0 close
  // after the end, or ask for rows once more.
  absl::StatusOr<Call> Enter(int64_t id);

  // Releases the data that the scanners of `region` read, after running calls. (A scanner whose first call still runs
  // releases them in its next call or at the end of its lease.)
  void RegionClosed(const Region* region);
  // Removes the scanners whose lease is over, and returns their number. The thread calls it, too.
  size_t Expire();
  size_t size() const;
  // Returns the sum of the scanners' kept_bytes.
  int64_t kept_bytes() const { return kept_bytes_.load(std::memory_order_relaxed); }
  // Returns the region that scanner `id` reads; null if the scanner cannot be found.
  std::shared_ptr<Region> RegionOf(int64_t id) const;

 private:
  void Leave(const std::shared_ptr<OpenScanner>& scanner);
  void Forget(const OpenScanner& scanner, bool scan_is_over);
  void ExpireRegularly();

  const int64_t lease_ms_;
  Clock* const clock_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;  // a scanner came while the thread slept, or it stops
  bool asleep_ = false;
  bool stopping_ = false;
  std::atomic<int64_t> next_id_;
  std::atomic<int64_t> kept_bytes_ = 0;
  std::unordered_map<int64_t, std::shared_ptr<OpenScanner>> scanners_;
  std::deque<int64_t> closed_order_;             // the last ones closed, oldest first
  std::unordered_map<int64_t, int64_t> closed_;  // OpenScanner::next_call_seq by id
  std::thread thread_;
};

}  // namespace vaquita
