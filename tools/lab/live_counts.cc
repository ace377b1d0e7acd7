#include "tools/lab/live_counts.h"

#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/absl_text.h"
#include "base/json_value.h"
#include "base/status.h"
#include "tools/connection/tool_tls.h"
#include "tools/http/http_get.h"

namespace vaquita {
namespace {

constexpr std::chrono::seconds kCountPatience{30};
constexpr std::chrono::seconds kPageTimeout{30};

// The sum of a counter's samples on a page in Prometheus's text format.
double Sum(std::string_view page, std::string_view counter) {
  double sum = 0;
  for (const absl::string_view line : absl::StrSplit(AbslText(page), '\n')) {
    const std::pair<absl::string_view, absl::string_view> sample = absl::StrSplit(line, absl::MaxSplits(' ', 1));
    double value = 0;
    const absl::string_view name = sample.first.substr(0, sample.first.find('{'));
    if (name == AbslText(counter) && absl::SimpleAtod(sample.second, &value)) sum += value;
  }
  return sum >= 0 && sum < 1e18 ? sum : 0;  // a count
}

class VaquitaCounter final : public LiveCounter {
 public:
  VaquitaCounter(const std::string& address, int families) : address_(address), families_(families) {}

  absl::StatusOr<LiveCounts> Read() override {
    VAQUITA_ASSIGN_OR_RETURN(const HttpAnswer answer, HttpGet(address_, "/metrics", kPageTimeout, ToolTlsOfAll()));
    if (!absl::StrContains(answer.body, "vaquita_regionserver_flushes_total")) {
      return absl::InvalidArgumentError(
          absl::StrCat("http://", address_, "/metrics is not the page of a Vaquita region server's metrics"));
    }
    const LiveCounts now{
        // A flush takes all stores of a region.
        .flushes = static_cast<int64_t>(Sum(answer.body, "vaquita_regionserver_flushes_total")) / families_,
        .compactions = static_cast<int64_t>(Sum(answer.body, "vaquita_regionserver_compactions_total")),
        .compacted_bytes = Sum(answer.body, "vaquita_regionserver_compaction_written_bytes_total")};
    if (!begin_) begin_ = now;
    return now - *begin_;
  }

  int64_t quiet_ms() const override { return 2000; }

 private:
  const std::string address_;
  const int families_;
  std::optional<LiveCounts> begin_;
};

class HBaseCounter final : public LiveCounter {
 public:
  explicit HBaseCounter(const std::string& address) : address_(address) {}

  absl::StatusOr<LiveCounts> Read() override {
    VAQUITA_RETURN_IF_ERROR(begin_ ? Refresh() : Begin());
    return *last_ - *begin_;
  }

  // HBase's metrics are made anew every ten seconds.
  int64_t quiet_ms() const override { return 25'000; }

 private:
  absl::Status Begin() {
    const auto give_up = std::chrono::steady_clock::now() + kCountPatience;
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
    VAQUITA_ASSIGN_OR_RETURN(const HttpAnswer answer, HttpGet(address_, kPage, kPageTimeout, ToolTlsOfAll()));
    const absl::StatusOr<Json> json = ParseJson(answer.body);
    if (!json.ok() || !json->is_object()) return absl::OkStatus();
    const auto beans = json->find("beans");
    if (beans == json->end() || !beans->is_array() || beans->empty()) return absl::OkStatus();
    const Json& bean = beans->front();
    if (!bean.contains("FlushTime_num_ops")) return absl::OkStatus();
    last_ = LiveCounts{.flushes = IntegerIn(bean, "FlushTime_num_ops"),
                       .compactions = IntegerIn(bean, "CompactionTime_num_ops"),
                       .compacted_bytes = NumberIn(bean, "compactedOutputBytes")};
    return absl::OkStatus();
  }

  static constexpr char kPage[] = "/jmx?qry=Hadoop:service=HBase,name=RegionServer,sub=Server";

  const std::string address_;
  std::optional<LiveCounts> begin_;
  std::optional<LiveCounts> last_;
};

}  // namespace

LiveCounts operator-(const LiveCounts& now, const LiveCounts& begin) {
  return {now.flushes - begin.flushes, now.compactions - begin.compactions,
          now.compacted_bytes - begin.compacted_bytes};
}

std::unique_ptr<LiveCounter> CountVaquita(const std::string& address, int families) {
  return std::make_unique<VaquitaCounter>(address, families);
}

std::unique_ptr<LiveCounter> CountHBase(const std::string& address) { return std::make_unique<HBaseCounter>(address); }

}  // namespace vaquita
