#include "base/options.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;

// Returns the offset of a row's field in an Options, and the offset behind it.
std::pair<size_t, size_t> Extent(const OptionRow& row) {
  static const Options options;
  return std::visit(
      [](auto field) {
        return std::pair(
            size_t(reinterpret_cast<const char*>(&(options.*field)) - reinterpret_cast<const char*>(&options)),
            sizeof(options.*field));
      },
      row.field);
}

TEST(OptionsTest, SmallMemoryLowersTheDefaults) {
  Options options;
  FitMemory(512 * kMiB, &options);
  EXPECT_EQ(options.global_memstore_bytes, 512 * kMiB / 100 * 30);
  EXPECT_EQ(options.max_call_queue_bytes, 512 * kMiB / 100 * 20);
  EXPECT_EQ(options.max_request_bytes, 512 * kMiB / 100 * 20);
  EXPECT_EQ(options.block_cache_bytes, 512 * kMiB / 100 * 15);
}

TEST(OptionsTest, MuchOrUnknownMemoryLeavesTheDefaults) {
  for (const int64_t memory : {int64_t{0}, 64 * kGiB}) {
    Options options;
    FitMemory(memory, &options);
    EXPECT_EQ(options.global_memstore_bytes, 256 * kMiB);
    EXPECT_EQ(options.max_call_queue_bytes, kGiB);
    EXPECT_EQ(options.max_request_bytes, 256 * kMiB);
    EXPECT_EQ(options.block_cache_bytes, 256 * kMiB);
  }
}

TEST(OptionsTest, EveryFieldHasOneRow) {
  std::vector<std::pair<size_t, size_t>> extents;
  for (const OptionRow& row : OptionRows()) extents.push_back(Extent(row));
  std::sort(extents.begin(), extents.end());
  size_t end = 0;
  for (const auto& [offset, size] : extents) {
    EXPECT_GE(offset, end) << "two rows for one field";
    EXPECT_LT(offset - end, sizeof(int64_t)) << "a field without a row at " << end;
    end = offset + size;
  }
  EXPECT_LT(sizeof(Options) - end, sizeof(int64_t)) << "a field without a row at the end";
}

TEST(OptionsTest, NamesAreDistinctAndEveryRowSaysWhatItMeans) {
  std::set<std::string_view> names;
  for (const OptionRow& row : OptionRows()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(row.name.starts_with("hbase.") || row.name.starts_with("hadoop.") || row.name.starts_with("phoenix.") ||
                row.name.starts_with("vaquita."))
        << row.name;
    EXPECT_TRUE(row.meaning.ends_with('.')) << row.name;
  }
}

TEST(OptionsTest, TheLeaseHasHBasesNameToo) {
  Options options;
  ASSERT_TRUE(SetOption("zookeeper.session.timeout", "90000", &options).ok());
  EXPECT_EQ(options.server_lease_ms, 90'000);
}

TEST(OptionsTest, DefaultsAreWithinTheirBoundsAndReadBack) {
  const Options defaults;
  Options read;
  for (const OptionRow& row : OptionRows()) {
    const std::string text = OptionText(row, defaults);
    if (text.empty()) continue;  // a name that is not set
    EXPECT_TRUE(SetOption(row.name, text, &read).ok()) << row.name << " = " << text;
    EXPECT_EQ(OptionText(row, read), text) << row.name;
  }
}

TEST(OptionsTest, NoTimeIsSoLongThatAWaitForItOverflows) {
  for (const OptionRow& row : OptionRows()) {
    if (row.unit != "ms") continue;
    Options options;
    const bool never = SetOption(row.name, "9223372036854775807", &options).ok();
    EXPECT_EQ(never, row.most > 1e18) << row.name;
    EXPECT_EQ(OptionText(row, options), never ? "3153600000000" : OptionText(row, Options())) << row.name;
  }
}

TEST(OptionsTest, SizesAreReadWithTheirUnits) {
  const std::string name = "hbase.hregion.memstore.flush.size";
  const std::vector<std::pair<std::string, int64_t>> sizes = {
      {"134217728", 128 * kMiB}, {"128m", 128 * kMiB}, {"128M", 128 * kMiB}, {"128 MB", 128 * kMiB},
      {"64KB", 64 * kKiB},       {"64KiB", 64 * kKiB}, {"2g", 2 * kGiB},     {" 4096b ", 4096}};
  for (const auto& [text, bytes] : sizes) {
    Options options;
    EXPECT_TRUE(SetOption(name, text, &options).ok()) << text;
    EXPECT_EQ(options.memstore_flush_bytes, bytes) << text;
  }
}

TEST(OptionsTest, ARealNumberMayHaveJavasSuffix) {
  Options options;
  for (const char* text : {"1.7F", "1.7f", "1.7d", "1.7D", "1.7", "17e-1"}) {
    options.compaction_ratio = 0;
    EXPECT_TRUE(SetOption("hbase.hstore.compaction.ratio", text, &options).ok()) << text;
    EXPECT_EQ(double(options.compaction_ratio), 1.7) << text;
  }
  for (const char* text : {"F", "1.7FF", "inf", "1.7 F"}) {
    EXPECT_FALSE(SetOption("hbase.hstore.compaction.ratio", text, &options).ok()) << text;
  }
}

TEST(OptionsTest, AClassMayHaveItsPackage) {
  Options options;
  const std::string policy = "org.apache.hadoop.hbase.regionserver.BusyRegionSplitPolicy";
  EXPECT_TRUE(SetOption("hbase.regionserver.region.split.policy", policy, &options).ok());
  EXPECT_EQ(options.split_policy, policy);
  const std::string balancer = "org.apache.hadoop.hbase.master.balancer.SimpleLoadBalancer";
  EXPECT_TRUE(SetOption("hbase.master.loadbalancer.class", balancer, &options).ok());
}

struct Refusal {
  std::string name;
  std::string value;
  std::string expectation;
};

TEST(OptionsTest, AMalformedValueIsRefusedByName) {
  const std::vector<Refusal> refusals = {
      {"hbase.hregion.memstore.flush.size", "large", "takes a whole number of bytes, plain or with k, m or g"},
      {"hbase.hregion.memstore.flush.size", "128x", "takes a whole number of bytes"},
      {"hbase.hregion.memstore.flush.size", "99999999999g", "takes a whole number of bytes"},
      {"hbase.hregion.memstore.flush.size", "12", "at least 1024"},
      {"hbase.hstore.compaction.min", "1", "takes a whole number of files from 2 to 10000"},
      {"hbase.hstore.compaction.min", "3k", "takes a whole number of files"},
      {"hbase.hstore.compaction.min", "", "takes a whole number of files"},
      {"hbase.hstore.compaction.ratio", "much", "takes a number from 0 to 1000"},
      {"hbase.hregion.majorcompaction.jitter", "1.5", "takes a number from 0 to 1"},
      {"hbase.hregion.majorcompaction.jitter", "nan", "takes a number from 0 to 1"},
      {"hadoop.security.auth_to_local", "", "takes a text that is not empty"},
      {"vaquita.bind.address", "", "takes a host's name or an IP address"},
      {"vaquita.bind.address", "127.0.0.1:80", "takes a host's name or an IP address"},
      {"hbase.regionserver.hostname", "../../evil", "takes a host's name or an IP address"},
      {"hbase.regionserver.hostname", "a,b", "takes a host's name or an IP address"},
      {"hbase.master.info.bindAddress", "http://h", "takes a host's name or an IP address"},
      {"hbase.regionserver.region.split.policy", "", "takes one of SteppingSplitPolicy, Incr"},
      {"hbase.regionserver.region.split.policy", "DisabledSplitPolicy", "takes one of SteppingSplitPolicy, Incr"},
      {"hbase.regionserver.region.split.policy", "org.example.SteppingSplitPolicy", "takes one of SteppingSplitPolicy"},
      {"hbase.master.loadbalancer.class", "NoBalancer", "takes one of StochasticLoadBalancer, SimpleLoadBalancer"}};
  for (const Refusal& refusal : refusals) {
    Options options;
    const absl::Status status = SetOption(refusal.name, refusal.value, &options);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << refusal.name << "=" << refusal.value;
    const std::string message(status.message().data(), status.message().size());
    EXPECT_THAT(message, HasSubstr(refusal.name + " cannot be \"" + refusal.value + "\""));
    EXPECT_THAT(message, HasSubstr(refusal.expectation));
    for (const OptionRow& row : OptionRows()) EXPECT_EQ(OptionText(row, options), OptionText(row, Options()));
  }
}

TEST(OptionsTest, AnUnknownOptionIsNotFound) {
  Options options;
  const absl::Status status = SetOption("hbase.no.such", "1", &options);
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message().data(), status.message().size()), HasSubstr("hbase.no.such"));
}

}  // namespace
}  // namespace vaquita
