#include "tools/lab/live_counts.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/admin.h"
#include "engine/status.h"
#include "httplib.h"
#include "nlohmann/json.hpp"

namespace vaquita {
namespace {

class VaquitaCounter final : public LiveCounter {
 public:
  VaquitaCounter(std::shared_ptr<client::Connection> grpc, const TableName& table)
      : connection_(std::move(grpc)), admin_(connection_->GetAdmin()), table_(table) {}

  absl::StatusOr<LiveCounts> Read() override {
    VAQUITA_ASSIGN_OR_RETURN(const std::vector<RegionMetrics> regions, admin_->GetRegionMetrics(table_));
    std::map<std::string, Seen> now;
    for (const RegionMetrics& region : regions) now[region.info.EncodedName()] = See(region);
    for (const auto& [name, seen] : seen_) {
      if (!now.contains(name)) Retire(seen);
    }
    seen_ = std::move(now);
    LiveCounts counts = retired_;
    for (const auto& [name, seen] : seen_) {
      counts.flushes += seen.counts.flushes;
      counts.compactions += seen.counts.compactions;
      counts.compacted_bytes += seen.counts.compacted_bytes;
    }
    return counts;
  }

  int64_t quiet_ms() const override { return 2000; }

 private:
  struct Seen {
    LiveCounts counts;
    int64_t memstore_bytes = 0;
  };

  // A region's flush takes all its stores.
  static Seen See(const RegionMetrics& region) {
    Seen seen{.memstore_bytes = region.memstore_bytes};
    for (const RegionMetrics::NamedStore& store : region.stores) {
      seen.counts.flushes = std::max(seen.counts.flushes, store.metrics.flushes);
      seen.counts.compactions += store.metrics.minor_compactions + store.metrics.major_compactions;
      seen.counts.compacted_bytes += static_cast<double>(store.metrics.compacted_bytes_written);
    }
    return seen;
  }

  // A region that is gone was split, and flushed what it held then.
  void Retire(const Seen& seen) {
    retired_.flushes += seen.counts.flushes + (seen.memstore_bytes > 0 ? 1 : 0);
    retired_.compactions += seen.counts.compactions;
    retired_.compacted_bytes += seen.counts.compacted_bytes;
  }

  std::shared_ptr<client::Connection> connection_;
  std::unique_ptr<client::Admin> admin_;
  const TableName table_;
  std::map<std::string, Seen> seen_;  // by the region's encoded name
  LiveCounts retired_;
};

class HBaseCounter final : public LiveCounter {
 public:
  explicit HBaseCounter(const std::string& address) : address_(address), http_("http://" + address) {}

  absl::StatusOr<LiveCounts> Read() override {
    VAQUITA_RETURN_IF_ERROR(begin_ ? Refresh() : Begin());
    return LiveCounts{.flushes = last_->flushes - begin_->flushes,
                      .compactions = last_->compactions - begin_->compactions,
                      .compacted_bytes = last_->compacted_bytes - begin_->compacted_bytes};
  }

  // HBase's metrics are made anew every ten seconds.
  int64_t quiet_ms() const override { return 25'000; }

 private:
  absl::Status Begin() {
    constexpr std::chrono::seconds kPatience{30};
    const auto give_up = std::chrono::steady_clock::now() + kPatience;
    do {
      VAQUITA_RETURN_IF_ERROR(Refresh());
      begin_ = last_;
      if (begin_) return absl::OkStatus();
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    } while (std::chrono::steady_clock::now() < give_up);
    return absl::UnavailableError(
        absl::StrCat("http://", address_, kPage, " is not the page of an HBase region server's metrics"));
  }

  // HBase takes its metrics away for a moment whenever a region comes or goes; the last ones count until they are back.
  absl::Status Refresh() {
    const httplib::Result answer = http_.Get(kPage);
    if (!answer) return absl::UnavailableError(absl::StrCat("http://", address_, ": ", to_string(answer.error())));
    const auto json = nlohmann::json::parse(answer->body, nullptr, false);
    if (!json.is_object() || !json.contains("beans") || !json["beans"].is_array() || json["beans"].empty()) {
      return absl::OkStatus();
    }
    const nlohmann::json& bean = json["beans"][0];
    if (!bean.contains("FlushTime_num_ops")) return absl::OkStatus();
    last_ = LiveCounts{.flushes = bean.value("FlushTime_num_ops", int64_t{0}),
                       .compactions = bean.value("CompactionTime_num_ops", int64_t{0}),
                       .compacted_bytes = bean.value("compactedOutputBytes", 0.0)};
    return absl::OkStatus();
  }

  static constexpr char kPage[] = "/jmx?qry=Hadoop:service=HBase,name=RegionServer,sub=Server";

  const std::string address_;
  httplib::Client http_;
  std::optional<LiveCounts> begin_;
  std::optional<LiveCounts> last_;
};

}  // namespace

std::unique_ptr<LiveCounter> CountVaquita(std::shared_ptr<client::Connection> grpc, const TableName& table) {
  return std::make_unique<VaquitaCounter>(std::move(grpc), table);
}

std::unique_ptr<LiveCounter> CountHBase(const std::string& address) { return std::make_unique<HBaseCounter>(address); }

}  // namespace vaquita
