#include "engine/rocksdb/no_options_file_system.h"

#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace vaquita {
namespace {

constexpr char kRefusal[] = "Vaquita keeps no OPTIONS files";

class NoOptionsFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "vaquita.NoOptionsFileSystem"; }

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override {
    const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
    if (name.starts_with("OPTIONS-")) return rocksdb::IOStatus::NotSupported(kRefusal);
    return target()->NewWritableFile(path, options, file, debug);
  }
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> NewNoOptionsFileSystem(std::shared_ptr<rocksdb::FileSystem> base) {
  return std::make_shared<NoOptionsFileSystem>(std::move(base));
}

bool IsRefusalOfOptionsFile(const char* log_message) { return std::strstr(log_message, kRefusal) != nullptr; }

}  // namespace vaquita
