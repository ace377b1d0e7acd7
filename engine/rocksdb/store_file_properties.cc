#include "engine/rocksdb/store_file_properties.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "engine/cells/cell_key.h"
#include "engine/rocksdb/write_numbers.h"
#include "rocksdb/table_properties.h"

namespace vaquita {
namespace {

// Disk: these names outlive a release.
constexpr char kCreatedMs[] = "vaquita.created_ms";
constexpr char kMinTimestampMs[] = "vaquita.min_timestamp_ms";
constexpr char kMajor[] = "vaquita.major";
constexpr char kMaxWriteNumber[] = "vaquita.max_write_number";

class Collector final : public rocksdb::TablePropertiesCollector {
 public:
  Collector(int64_t created_ms, bool major) : created_ms_(created_ms), major_(major) {}

  const char* Name() const override { return "vaquita.StoreFileProperties"; }

  rocksdb::Status AddUserKey(const rocksdb::Slice& key, const rocksdb::Slice& value, rocksdb::EntryType,
                             rocksdb::SequenceNumber, uint64_t) override {
    if (key.size() > kKeySuffixLength) {
      min_timestamp_ms_ = std::min(min_timestamp_ms_, KeyTimestamp({key.data(), key.size()}));
    }
    max_write_number_ = std::max(max_write_number_, StoredWriteNumber({value.data(), value.size()}));
    return rocksdb::Status::OK();
  }

  rocksdb::Status Finish(rocksdb::UserCollectedProperties* properties) override {
    *properties = GetReadableProperties();
    return rocksdb::Status::OK();
  }

  rocksdb::UserCollectedProperties GetReadableProperties() const override {
    return {{kCreatedMs, std::to_string(created_ms_)},
            {kMinTimestampMs, std::to_string(min_timestamp_ms_)},
            {kMajor, major_ ? "1" : "0"},
            {kMaxWriteNumber, std::to_string(max_write_number_)}};
  }

 private:
  const int64_t created_ms_;
  const bool major_;
  int64_t min_timestamp_ms_ = std::numeric_limits<int64_t>::max();
  int64_t max_write_number_ = 0;
};

class CollectorFactory final : public rocksdb::TablePropertiesCollectorFactory {
 public:
  explicit CollectorFactory(std::shared_ptr<const StoreSettings> settings) : settings_(std::move(settings)) {}

  const char* Name() const override { return "vaquita.StoreFileProperties"; }

  rocksdb::TablePropertiesCollector* CreateTablePropertiesCollector(Context) override {
    const std::optional<CompactionRun> run = settings_->compactions().OfThisThread();
    return new Collector(settings_->clock()->NowMs(), run.has_value() && run->major);
  }

 private:
  const std::shared_ptr<const StoreSettings> settings_;
};

int64_t ReadNumber(const rocksdb::UserCollectedProperties& properties, const char* name) {
  const auto at = properties.find(name);
  int64_t number = 0;
  return at != properties.end() && absl::SimpleAtoi(at->second, &number) ? number : 0;
}

}  // namespace

std::shared_ptr<rocksdb::TablePropertiesCollectorFactory> NewStoreFilePropertiesFactory(
    std::shared_ptr<const StoreSettings> settings) {
  return std::make_shared<CollectorFactory>(std::move(settings));
}

StoreFileProperties ReadStoreFileProperties(const rocksdb::TableProperties& properties) {
  const rocksdb::UserCollectedProperties& collected = properties.user_collected_properties;
  return {.created_ms = ReadNumber(collected, kCreatedMs),
          .min_timestamp_ms = ReadNumber(collected, kMinTimestampMs),
          .major = ReadNumber(collected, kMajor) != 0};
}

int64_t MaxWriteNumber(const rocksdb::TableProperties& properties) {
  return ReadNumber(properties.user_collected_properties, kMaxWriteNumber);
}

}  // namespace vaquita
