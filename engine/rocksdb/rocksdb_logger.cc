#include "engine/rocksdb/rocksdb_logger.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "base/log.h"
#include "engine/rocksdb/file_systems.h"

namespace vaquita {
namespace {

class RocksDbLogger final : public rocksdb::Logger {
 public:
  RocksDbLogger() : Logger(rocksdb::InfoLogLevel::WARN_LEVEL) {}

  using Logger::Logv;
  void Logv(const char* format, va_list arguments) override {
    Logv(rocksdb::InfoLogLevel::WARN_LEVEL, format, arguments);
  }
  void Logv(const rocksdb::InfoLogLevel level, const char* format, va_list arguments) override {
    if (level < GetInfoLogLevel() || level == rocksdb::InfoLogLevel::HEADER_LEVEL) return;
    char text[1024];
    std::vsnprintf(text, sizeof(text), format, arguments);
    if (IsRefusalOfOptionsFile(text) || std::strstr(text, "DB::Open() failed") != nullptr)
      return;                                                     // its caller reports that
    if (std::strstr(text, "File Deletions ") != nullptr) return;  // two holds at once are expected
    spdlog::log(level == rocksdb::InfoLogLevel::WARN_LEVEL ? spdlog::level::warn : spdlog::level::err, "RocksDB: {}",
                text);
  }
};

}  // namespace

std::shared_ptr<rocksdb::Logger> NewRocksDbLogger() { return std::make_shared<RocksDbLogger>(); }

}  // namespace vaquita
